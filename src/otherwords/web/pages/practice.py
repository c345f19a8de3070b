"""The page of a practice round: one pair at a time, and after each answer whether it was right, and why."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from otherwords.annotate.crowd.introduction import ConsentNeeded
from otherwords.annotate.crowd.practice import practice_pairs, practice_state
from otherwords.annotate.schemes.guidelines import current_guideline, shown_guideline
from otherwords.errors import NotFound
from otherwords.web.accounts.auth import ReservingWorker
from otherwords.web.api.practice import open_practice
from otherwords.web.fields import Id
from otherwords.web.filters import page_address
from otherwords.web.rendering import for_script, language_of, page
from otherwords.web.site import site_of
from otherwords.web.texts import scheme_for_page

router = APIRouter()


@router.get("/practice/{name}")
def practice(request: Request, viewer: ReservingWorker, name: Id) -> Response:
    site = site_of(request)
    try:
        with site.ledger.reading() as connection:
            batch = open_practice(connection, viewer, name)
            state = practice_state(connection, batch, viewer.name)
            pairs = practice_pairs(connection, batch, viewer.name)
            guideline = current_guideline(connection, batch.scheme, site.project.folder)
    except ConsentNeeded:
        return RedirectResponse(page_address("introduction", name), 303)
    except NotFound as problem:
        if problem.code != "no-practice":
            raise
        return RedirectResponse(page_address("classify", name), 303)
    scheme = site.scheme(batch.scheme)
    data = {
        "batch": name,
        "scheme": scheme_for_page(scheme, language_of(request)),
        "state": asdict(state),
        "pairs": [asdict(pair) for pair in pairs],
    }
    return page(
        request,
        "practice.html",
        viewer,
        batch=batch,
        scheme=scheme,
        state=state,
        guideline=shown_guideline(guideline),
        data=for_script(data),
    )
