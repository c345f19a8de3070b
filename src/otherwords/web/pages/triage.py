"""The page on which document pairs are accepted or rejected, one at a time."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from otherwords.annotate import queues
from otherwords.annotate.guidelines import as_html, current, reference
from otherwords.annotate.triaging import next_for_triage
from otherwords.web.rendering import for_script, page
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator

router = APIRouter()
AHEAD = 5  # document pairs that the page has before they are needed


@router.get("/triage")
def triage(request: Request, viewer: Annotator) -> HTMLResponse:
    site = site_of(request)
    held = site.writer.do(lambda connection: next_for_triage(connection, viewer.name, AHEAD))
    with site.ledger.reading() as connection:
        guideline = current(connection, queues.TRIAGE)
        waiting = queues.waiting(connection, viewer.name)
    told = {"ahead": [asdict(one) for one in held], "waiting": waiting[queues.TRIAGE], "most": queues.MOST_COUNTED}
    return page(
        request,
        "triage.html",
        viewer,
        guideline=as_html(guideline.text),
        edition=reference(guideline),
        to_extract=waiting[queues.EXTRACT],
        told=for_script(told),
    )
