"""Guidelines to read, all versions of them, and for curators to write."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate.guidelines import MOST_CHARACTERS, Guideline, as_html, current, subjects
from otherwords.errors import NotAllowed, Refused
from otherwords.web.api.guidelines import Number, guideline, publish_next
from otherwords.web.fields import Id
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.rendering import page
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator, Viewer

router = APIRouter()


@router.get("/guidelines")
def every(request: Request, viewer: Annotator) -> HTMLResponse:
    site = site_of(request)
    with site.ledger.reading() as connection:
        found: list[Guideline] = [
            current(connection, name, site.project.folder) for name in subjects(site.project.folder)
        ]
    return page(request, "guidelines.html", viewer, guidelines=found, scheme=site.scheme_name)


@router.get("/guidelines/{scheme}")
def read(
    request: Request,
    viewer: Annotator,
    scheme: Id,
    version: Number | None = None,
    edit: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    found = guideline(site_of(request), scheme, version)
    if not edit:
        return page(request, "guideline.html", viewer, guideline=found)
    if not viewer.may("curator"):
        raise NotAllowed("guidelines are written by curators; say what is missing in a discussion")
    newest = found.versions[0].version
    return _editing(request, viewer, scheme, {"text": found.text, "after": str(newest)})


@router.post("/guidelines/{scheme}/preview")
def preview(request: Request, viewer: CuratorSends, form: Form, scheme: Id) -> HTMLResponse:
    return _editing(request, viewer, scheme, form)


@router.post("/guidelines/{scheme}")
def write(request: Request, viewer: CuratorSends, form: Form, scheme: Id) -> Response:
    after = form.get("after", "")
    number = int(after) if after.isascii() and after.isdecimal() and len(after) < 10 else None
    try:
        publish_next(site_of(request), scheme, form.get("text", ""), viewer.name, number)
    except Refused as problem:
        return _editing(request, viewer, scheme, form, problem)
    return RedirectResponse(f"/guidelines/{scheme}#published", 303)


def _editing(
    request: Request, viewer: Viewer, scheme: str, form: dict[str, str], problem: Refused | None = None
) -> HTMLResponse:
    """The text in a field, and beside it how it would look."""
    found = guideline(site_of(request), scheme)
    text = form.get("text", "").replace("\r\n", "\n")
    told: dict[str, Any] = {"text": text, "html": as_html(text), "after": form.get("after", ""), "problem": problem}
    return page(
        request,
        "edit_guideline.html",
        viewer,
        status=problem.status if problem else 200,
        guideline=found,
        most=MOST_CHARACTERS,
        **told,
    )
