"""The introduction of a batch: its page for those who begin, their completion codes, and its editor for curators."""

from __future__ import annotations

import functools
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.crowd.introduction import MOST_ANSWERS, newest_introduction
from otherwords.annotate.crowd.platforms import way_back
from otherwords.annotate.schemes.guidelines import MAX_CHARACTERS, as_html
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.web.accounts.auth import Curator, Requester, ReservingWorker, Worker
from otherwords.web.api import introductions as api
from otherwords.web.api.guidelines import MOST_VERSIONS
from otherwords.web.batch_form import whole_number
from otherwords.web.fields import Id
from otherwords.web.filters import page_address
from otherwords.web.forms import CuratorSends, Form, WorkerSends
from otherwords.web.rendering import page
from otherwords.web.site import site_of

router = APIRouter()
address_of = functools.partial(page_address, "introduction")
classify_address = functools.partial(page_address, "classify")
crowd_address = functools.partial(page_address, "crowd")
AT_THE_END, AFTER_SOME = "end", "some"


@router.get("/introduction/{name}")
def introduction(request: Request, viewer: Worker, name: Id) -> Response:
    try:
        shown = api.read(request, viewer, name)
    except NotFound as problem:
        if problem.code != "no-introduction":
            raise
        return RedirectResponse(classify_address(name), 303)
    return page(request, "introduction.html", viewer, introduction=shown)


@router.post("/introduction/{name}")
def agree(request: Request, viewer: WorkerSends, form: Form, name: Id) -> Response:
    version = whole_number(form, "version", 1, MOST_VERSIONS)
    if version is None:
        raise Refused("which version of the introduction was read is missing; load the page again", code="stale-page")
    api.record_consent(site_of(request), viewer, name, version)
    return RedirectResponse(classify_address(name), 303)


@router.get("/completion/{name}")
def completion(request: Request, viewer: ReservingWorker, name: Id) -> HTMLResponse:
    """The code, or what is still to be done for it."""
    code, missing, back = None, None, None
    try:
        code = api.complete(request, viewer, name)
        with site_of(request).ledger.reading() as connection:
            back = way_back(connection, viewer.name, name, code.code)
    except Conflict as reason:
        missing = reason
    return page(request, "completion.html", viewer, batch=name, code=code, missing=missing, back=back)


@router.get("/crowd/{name}/introduction")
def edit(request: Request, viewer: Curator, name: Id) -> HTMLResponse:
    with site_of(request).ledger.reading() as connection:
        load_batch(connection, name)
        newest = newest_introduction(connection, name)
    if newest is None:
        return _render_editor(request, viewer, name, {"after": "0", "code": AT_THE_END})
    code = {None: "", 0: AT_THE_END}.get(newest.code_after, AFTER_SOME)
    fields = {"text": newest.text, "after": str(newest.version), "code": code}
    return _render_editor(request, viewer, name, fields | {"answers": str(newest.code_after or "")})


@router.post("/crowd/{name}/introduction/preview")
def preview(request: Request, viewer: CuratorSends, form: Form, name: Id) -> HTMLResponse:
    return _render_editor(request, viewer, name, form)


@router.post("/crowd/{name}/introduction")
def publish(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    try:
        after = whole_number({"after": form.get("after", "")}, "after", 0, MOST_VERSIONS) if form.get("after") else None
        api.publish(site_of(request), name, form.get("text", ""), _code_after(form), viewer.name, after)
    except Refused as problem:
        if problem.code == "newer-version":  # the next attempt comes after the one that they are asked to read
            form |= {"after": str(_newest_version(request, name))}
        return _render_editor(request, viewer, name, form, problem)
    return RedirectResponse(f"{crowd_address(name)}#published", 303)


def _newest_version(request: Request, name: str) -> int:
    with site_of(request).ledger.reading() as connection:
        newest = newest_introduction(connection, name)
    return newest.version if newest is not None else 0


def _code_after(form: dict[str, str]) -> int | None:
    """The number of answers that earn a completion code, as the form says it."""
    code = form.get("code")
    if code != AFTER_SOME:
        return 0 if code == AT_THE_END else None
    answers = form.get("answers", "").strip()
    number = whole_number({"answers": answers}, "answers", 1, MOST_ANSWERS) if answers else None
    if number is None:
        raise Refused(
            "answers: after how many of them does the completion code come?", "answers", code="invalid-number"
        )
    return number


def _render_editor(
    request: Request, viewer: Requester, name: str, form: dict[str, str], problem: Refused | None = None
) -> HTMLResponse:
    """The text in a field, and beside it how it would look."""
    text = form.get("text", "").replace("\r\n", "\n")
    return page(
        request,
        "edit_introduction.html",
        viewer,
        batch=name,
        form=form,
        text=text,
        html=as_html(text),
        version=form.get("after", "0"),
        most=MAX_CHARACTERS,
        most_answers=MOST_ANSWERS,
        key=uuid4().hex,
        problem=problem,
    )
