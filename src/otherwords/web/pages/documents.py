"""The pages on which people work on documents: triage of document pairs, extraction of pairs, seeds of post groups."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from otherwords.annotate.batches.batch import EXTRACTED_BATCH, load_batch
from otherwords.annotate.documents import extraction, queues, seeds
from otherwords.annotate.documents.post_groups import MIN_SENTENCES, url_groups
from otherwords.annotate.documents.triage import next_for_triage
from otherwords.annotate.schemes.guidelines import current_guideline, shown_guideline
from otherwords.annotate.work.tasks import batch_progress
from otherwords.errors import Conflict, NotFound
from otherwords.web.accounts.auth import ReservingAnnotator
from otherwords.web.api.extract import show_document_pair
from otherwords.web.fields import Text
from otherwords.web.rendering import for_script, language_of, page
from otherwords.web.site import site_of
from otherwords.web.texts import refusal, speaking

router = APIRouter()
PAIRS_AHEAD, GROUPS_AHEAD = 5, 3  # that a page loads before they are needed


@router.get("/triage")
def triage(request: Request, viewer: ReservingAnnotator) -> HTMLResponse:
    site = site_of(request)
    reserved = site.writer.do(lambda connection: next_for_triage(connection, viewer.name, PAIRS_AHEAD))
    with site.ledger.reading() as connection:
        guideline = current_guideline(connection, queues.TRIAGE)
        waiting = queues.count_waiting(connection, viewer.name)
    ahead = [asdict(document_pair) for document_pair in reserved]
    data = {"ahead": ahead, "waiting": waiting[queues.TRIAGE], "most": queues.MAX_COUNTED}
    return page(
        request,
        "triage.html",
        viewer,
        guideline=shown_guideline(guideline),
        to_extract=waiting[queues.EXTRACT],
        data=for_script(data),
    )


@router.get("/extract")
def next_document_pair(request: Request, viewer: ReservingAnnotator, after: Text | None = None) -> Response:
    """Redirect to the document pair that was begun, or to the next; ``after`` is the one that was finished last."""
    site = site_of(request)
    document_pair = site.writer.do(lambda connection: extraction.next_for_extraction(connection, viewer.name))
    if document_pair is not None:
        query = f"?after={quote(after, safe='')}" if after and after != document_pair else ""
        return RedirectResponse(f"/extract/{quote(document_pair, safe='')}{query}", 303)
    with site.ledger.reading() as connection:
        to_triage = queues.count_waiting(connection, viewer.name)[queues.TRIAGE]
        to_classify = 0  # extracted pairs that wait for the viewer's label
        with contextlib.suppress(NotFound):
            done = batch_progress(connection, load_batch(connection, EXTRACTED_BATCH), viewer.name)
            to_classify = max(0, done.for_me - done.mine)
    return page(request, "extract_nothing.html", viewer, to_triage=to_triage, to_classify=to_classify, after=after)


@router.get("/extract/{document_pair:path}")
def extract(request: Request, viewer: ReservingAnnotator, document_pair: Text, after: Text | None = None) -> Response:
    site = site_of(request)
    closed = None
    try:
        site.writer.do(lambda connection: extraction.open_document_pair(connection, viewer.name, document_pair))
    except Conflict as problem:  # it can only be read
        with speaking(language_of(request)):
            closed = refusal(problem)
    with site.ledger.reading() as connection:
        view = show_document_pair(connection, document_pair, viewer.name)
        guideline = current_guideline(connection, queues.EXTRACT)
        done = extraction.count_finished(connection, viewer.name)
        waiting = queues.count_waiting(connection, viewer.name)[queues.EXTRACT]
    return page(
        request,
        "extract.html",
        viewer,
        view=view,
        after=after,
        closed=closed,
        done=done,
        waiting=waiting,
        total=done + waiting,
        many=waiting >= queues.MAX_COUNTED,
        guideline=shown_guideline(guideline),
        data=for_script({"view": view.model_dump(), "closed": closed}),
    )


@router.get("/seeds")
def choose_seed(request: Request, viewer: ReservingAnnotator) -> HTMLResponse:
    site = site_of(request)
    groups = site.writer.do(lambda connection: seeds.next_groups(connection, site.project, viewer.name, GROUPS_AHEAD))
    with site.ledger.reading() as connection:
        guideline = current_guideline(connection, seeds.SCHEME)
        aligned = url_groups(connection, site.project) is not None
    return page(
        request,
        "seeds.html",
        viewer,
        guideline=shown_guideline(guideline),
        aligned=aligned,
        paraphrases=MIN_SENTENCES - 1,
        data=for_script({"ahead": [asdict(group) for group in groups]}),
    )
