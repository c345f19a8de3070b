"""The queue of open discussions: those that mention the viewer first, and only those they may see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from sqlalchemy import select
from starlette.responses import HTMLResponse

from otherwords.annotate.discussion.threads import OpenThread
from otherwords.project.ledger import schema
from otherwords.web.accounts.auth import Annotator
from otherwords.web.api.discussions import Place, ThreadQueue, discussions
from otherwords.web.filters import address, page_address
from otherwords.web.rendering import page
from otherwords.web.site import site_of
from otherwords.web.tables import add_twins, safe_rows

router = APIRouter()
DISCUSSIONS = "/discussions"
ON_A_PAGE = 50
After = Annotated[Place | None, Query()]


def load_queue(request: Request, viewer: Annotator, after: After = None) -> ThreadQueue:
    """A page of the queue."""
    return discussions(request, viewer, ON_A_PAGE, after)


Queue = Annotated[ThreadQueue, Depends(load_queue)]


def table_cells(queue: Queue) -> Iterator[list[str]]:
    return safe_rows(astuple(thread) for thread in queue.threads)


@router.get(DISCUSSIONS)
def queue_page(request: Request, viewer: Annotator, queue: Queue, after: After = None) -> HTMLResponse:
    columns = schema.pairs.c
    ids = [thread.item for thread in queue.threads if thread.unit == "pair"]
    with site_of(request).ledger.reading() as connection:
        rows = connection.execute(select(columns.id, columns.text1, columns.text2).where(columns.id.in_(ids)))
        texts = {name: (text1, text2) for name, text1, text2 in rows}
    return page(
        request,
        "discussions.html",
        viewer,
        threads=queue.threads,
        texts=texts,
        later=after,
        more=address(DISCUSSIONS, {}, after=queue.next) if queue.next else None,
        address_of=lambda thread: (
            page_address("pairs", thread.item, "#discussion")
            if thread.unit == "pair"
            else page_address("extract", thread.item)
        ),
    )


add_twins(router, DISCUSSIONS, load_queue, table_cells, OpenThread.__slots__, "discussions")
