"""Guidelines: reading all their versions, and for curators writing the next one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection, select
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate.documents.queues import EXTRACT, HEADINGS, TRIAGE, TRIAGED
from otherwords.annotate.documents.seeds import SCHEME as SEED
from otherwords.annotate.schemes.guidelines import MAX_CHARACTERS, as_html, current_guideline, guideline_subjects
from otherwords.errors import NotAllowed, Refused
from otherwords.project.ledger import schema
from otherwords.project.project import SCHEMES, Project
from otherwords.web.accounts.auth import Annotator, Requester
from otherwords.web.api import guidelines as api
from otherwords.web.api.guidelines import VersionNumber
from otherwords.web.fields import Id
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.rendering import page
from otherwords.web.site import site_of


def used_guidelines(connection: Connection, project: Project, scheme: str) -> list[str]:
    """What the guidelines of a project are about, its scheme first; shipped ones that it does not use are left out."""
    used = {scheme, *_work_on_documents(connection)}
    used |= {path.stem for path in (project.folder / SCHEMES).glob("*.toml")}
    for column in (schema.batches.c.scheme, schema.guidelines.c.scheme):
        used.update(connection.execute(select(column).distinct()).scalars())
    return sorted(used & set(guideline_subjects(project.folder)), key=lambda name: (name != scheme, name))


def _work_on_documents(connection: Connection) -> list[str]:
    """Triage, extraction and the choice of seeds, if there is something to do it with."""
    pairs, steps = schema.document_pairs, schema.steps
    methods = set(connection.execute(select(pairs.c.method).distinct()).scalars())
    kinds = [EXTRACT] if methods - {HEADINGS} else []
    kinds += [TRIAGE] if methods & set(TRIAGED) else []
    posts = select(steps.c.seq).where(steps.c.kind == "align-posts", steps.c.state == "done").limit(1)
    return kinds + ([SEED] if connection.execute(posts).first() is not None else [])


router = APIRouter()


@router.get("/guidelines")
def list_guidelines(request: Request, viewer: Annotator) -> HTMLResponse:
    site = site_of(request)
    with site.ledger.reading() as connection:
        used = used_guidelines(connection, site.project, site.scheme_name)
        newest = [current_guideline(connection, name, site.project.folder) for name in used]
    others = [name for name in guideline_subjects(site.project.folder) if name not in used]
    return page(request, "guidelines.html", viewer, guidelines=newest, others=others, scheme=site.scheme_name)


@router.get("/guidelines/{scheme}")
def read(
    request: Request,
    viewer: Annotator,
    scheme: Id,
    version: VersionNumber | None = None,
    edit: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    shown = api.read(request, viewer, scheme, version)
    if not edit:
        return page(request, "guideline.html", viewer, guideline=shown)
    if not viewer.may("curator"):
        reason = "guidelines are written by curators; say what is missing in a discussion"
        raise NotAllowed(reason, code="insufficient-role")
    newest = shown.versions[0].version
    return _render_editor(request, viewer, scheme, {"text": shown.text, "after": str(newest)})


@router.post("/guidelines/{scheme}/preview")
def preview(request: Request, viewer: CuratorSends, form: Form, scheme: Id) -> HTMLResponse:
    return _render_editor(request, viewer, scheme, form)


@router.post("/guidelines/{scheme}")
def write(request: Request, viewer: CuratorSends, form: Form, scheme: Id) -> Response:
    after = form.get("after", "")
    number = int(after) if after.isascii() and after.isdecimal() and len(after) < 10 else None
    try:
        api.publish_next(site_of(request), scheme, form.get("text", ""), viewer.name, number)
    except Refused as problem:
        return _render_editor(request, viewer, scheme, form, problem)
    return RedirectResponse(f"/guidelines/{scheme}#published", 303)


def _render_editor(
    request: Request, viewer: Requester, scheme: str, form: dict[str, str], problem: Refused | None = None
) -> HTMLResponse:
    """The text in a field, and beside it how it would look."""
    text = form.get("text", "").replace("\r\n", "\n")
    return page(
        request,
        "edit_guideline.html",
        viewer,
        guideline=api.read(request, viewer, scheme),
        most=MAX_CHARACTERS,
        text=text,
        html=as_html(text),
        after=form.get("after", ""),
        problem=problem,
    )
