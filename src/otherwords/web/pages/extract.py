"""The page of extraction: two documents side by side, and the pairs that were found in them."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import RedirectResponse, Response

from otherwords.annotate import extracting, queues
from otherwords.annotate.batches import EXTRACTED, batch
from otherwords.annotate.guidelines import as_html, current, reference
from otherwords.annotate.working import progress
from otherwords.errors import Conflict, NotFound
from otherwords.web.api.extract import shown
from otherwords.web.fields import Text
from otherwords.web.rendering import for_script, page
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Annotator

router = APIRouter()


@router.get("/extract")
def next_one(request: Request, viewer: Annotator, after: Text | None = None) -> Response:
    """Go to the document pair that one has begun, or to the next; ``after`` is the one that was finished last."""
    site = site_of(request)
    found = site.writer.do(lambda connection: extracting.next_for_extraction(connection, viewer.name))
    if found is not None:
        query = f"?after={quote(after, safe='')}" if after and after != found else ""
        return RedirectResponse(f"/extract/{quote(found, safe='')}{query}", 303)
    with site.ledger.reading() as connection:
        to_triage = queues.waiting(connection, viewer.name)[queues.TRIAGE]
        to_classify = _to_classify(connection, viewer.name)
    return page(request, "extract_nothing.html", viewer, to_triage=to_triage, to_classify=to_classify, after=after)


@router.get("/extract/{document_pair:path}")
def extract(request: Request, viewer: Annotator, document_pair: Text, after: Text | None = None) -> Response:
    site = site_of(request)
    closed = _open(site, viewer.name, document_pair)
    with site.ledger.reading() as connection:
        view = shown(connection, document_pair, viewer.name)
        guideline = current(connection, queues.EXTRACT)
    told: dict[str, Any] = {"view": view.model_dump(), "closed": closed}
    return page(
        request,
        "extract.html",
        viewer,
        view=view,
        after=after,
        guideline=as_html(guideline.text),
        edition=reference(guideline),
        told=for_script(told),
    )


def _open(site: Site, name: str, document_pair: str) -> str | None:
    """Hold a document pair; or why it can only be looked at."""
    try:
        site.writer.do(lambda connection: extracting.open_document_pair(connection, name, document_pair))
    except Conflict as problem:
        return str(problem)
    return None


def _to_classify(connection: Connection, name: str) -> int:
    """How many pairs that somebody extracted wait for their label."""
    try:
        of = batch(connection, EXTRACTED)
    except NotFound:
        return 0
    done = progress(connection, of, name)
    return max(0, done.for_me - done.mine)
