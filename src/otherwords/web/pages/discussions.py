"""The queue of open discussions: those that mention me first, and only what I may see."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import HTMLResponse

from otherwords.annotate.discussing import Waiting
from otherwords.sources.csv_safe import safe_cell
from otherwords.web.api.discussions import Place, Queue, discussions
from otherwords.web.csv_answer import csv_answer
from otherwords.web.filters import address, pair_address
from otherwords.web.rendering import page
from otherwords.web.viewer import Annotator

router = APIRouter()
ON_A_PAGE = 50
After = Annotated[Place | None, Query()]


@router.get("/discussions")
def queue(request: Request, viewer: Annotator, after: After = None) -> HTMLResponse:
    found = discussions(request, viewer, ON_A_PAGE, after)
    more = address("/discussions", {}, after=found.next) if found.next else None
    return page(request, "discussions.html", viewer, threads=found.threads, later=after, more=more, where=_where)


@router.get("/discussions.json")
def queue_as_json(request: Request, viewer: Annotator, after: After = None) -> Queue:
    return discussions(request, viewer, ON_A_PAGE, after)


@router.get("/discussions.csv")
def queue_as_csv(request: Request, viewer: Annotator, after: After = None) -> Response:
    found = discussions(request, viewer, ON_A_PAGE, after)
    rows = ([safe_cell(value) for value in asdict(one).values()] for one in found.threads)
    return csv_answer("discussions", Waiting.__slots__, rows)


def _where(thread: Waiting) -> str:
    """The page of what a thread is about."""
    if thread.unit == "pair":
        return f"{pair_address(thread.item)}#discussion"
    return f"/extract/{quote(thread.item, safe='')}"
