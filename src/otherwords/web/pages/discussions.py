"""The queue of open discussions: those that mention me first, and only what I may see."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import select
from starlette.responses import HTMLResponse

from otherwords.annotate.discussing import Waiting
from otherwords.project import schema
from otherwords.sources.csv_safe import safe_cell
from otherwords.web.api.discussions import Place, Queue, discussions
from otherwords.web.csv_answer import csv_answer
from otherwords.web.filters import address, pair_address
from otherwords.web.rendering import page
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator

router = APIRouter()
ON_A_PAGE = 50
After = Annotated[Place | None, Query()]


@router.get("/discussions")
def queue(request: Request, viewer: Annotator, after: After = None) -> HTMLResponse:
    found = discussions(request, viewer, ON_A_PAGE, after)
    more = address("/discussions", {}, after=found.next) if found.next else None
    texts = _texts(request, found.threads)
    told: dict[str, Any] = {"threads": found.threads, "texts": texts, "later": after, "more": more, "where": _where}
    return page(request, "discussions.html", viewer, **told)


@router.get("/discussions.json")
def queue_as_json(request: Request, viewer: Annotator, after: After = None) -> Queue:
    return discussions(request, viewer, ON_A_PAGE, after)


@router.get("/discussions.csv")
def queue_as_csv(request: Request, viewer: Annotator, after: After = None) -> Response:
    found = discussions(request, viewer, ON_A_PAGE, after)
    rows = ([safe_cell(value) for value in asdict(one).values()] for one in found.threads)
    return csv_answer("discussions", Waiting.__slots__, rows)


def _texts(request: Request, threads: list[Waiting]) -> dict[str, tuple[str, str]]:
    """What the pairs say that are talked about."""
    one = schema.pairs
    ids = [thread.item for thread in threads if thread.unit == "pair"]
    with site_of(request).ledger.reading() as connection:
        rows = connection.execute(select(one.c.id, one.c.text1, one.c.text2).where(one.c.id.in_(ids)))
        return {name: (text1, text2) for name, text1, text2 in rows}


def _where(thread: Waiting) -> str:
    """The page of what a thread is about."""
    if thread.unit == "pair":
        return f"{pair_address(thread.item)}#discussion"
    return f"/extract/{quote(thread.item, safe='')}"
