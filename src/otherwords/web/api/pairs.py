"""Pairs: those that fit a filter, one of them, the documents around it, and what was said of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request

from otherwords.annotate import browsing, public_browsing
from otherwords.annotate.browsing import Row
from otherwords.annotate.origins import Origin, origin
from otherwords.annotate.pair_context import Context, context
from otherwords.annotate.pair_history import History, history_for
from otherwords.annotate.public_browsing import PublicRow
from otherwords.project import search
from otherwords.web.fields import Id, Slot
from otherwords.web.filters import Asked, PublicAsked
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator, Worker

router = APIRouter(tags=["pairs"])
public = APIRouter(tags=["pairs"])


@dataclass(frozen=True, slots=True)
class Found:
    """Pairs that fit, and the number to go on from; a short or empty page may go on nevertheless."""

    rows: list[Row]
    next: int | None


@dataclass(frozen=True, slots=True)
class PublicFound:
    """Released pairs that fit, and the number to go on from."""

    rows: list[PublicRow]
    next: int | None


@dataclass(frozen=True, slots=True)
class Known:
    """A pair, where it comes from, what it is a rewrite of and what it was rewritten to."""

    row: Row
    origin: Origin
    import_id: str | None
    step: str | None
    step_key: str | None
    time: str | None
    original: Row | None
    rewrites: list[Row]


@router.get("/pairs", summary="The pairs that fit a filter")
def pairs(request: Request, viewer: Annotator, asked: Annotated[Asked, Query()]) -> Found:
    """They come in the order of their arrival; ``after`` goes on from the ``next`` of the page before."""
    project, wanted = site_of(request).project, asked.wanted
    if wanted.query is not None:
        search.catch_up(project)
    with project.ledger.reading() as connection:
        return Found(*browsing.page(connection, project, wanted, viewer, asked.after, asked.most))


@router.get("/pairs/{pair:path}/context", summary="The documents around a pair")
def around(request: Request, viewer: Worker, pair: Id, slot: Slot | None = None) -> Context:
    """Workers name the slot that they hold; nobody sees documents that a batch still hides from them."""
    with site_of(request).ledger.reading() as connection:
        return context(connection, viewer.name, viewer.role, pair, slot)


@router.get("/pairs/{pair:path}/history", summary="The judgements of a pair, as far as you may see them")
def history(request: Request, viewer: Worker, pair: Id) -> History:
    with site_of(request).ledger.reading() as connection:
        return history_for(connection, viewer.name, viewer.role, pair)


# After all others: its path would take the ways to the parts of a pair, also those of discussions, for names of pairs.
@router.get("/pairs/{pair:path}", summary="A pair, as far as you may see it")
def pair(request: Request, viewer: Annotator, pair: Id) -> Known:
    project = site_of(request).project
    with project.ledger.reading() as connection:
        one = browsing.one(connection, project, pair, viewer)
        told = {name: getattr(one, name) for name in ("import_id", "step", "step_key", "time", "original")}
        return Known(one.row, origin(connection, one, viewer.role), **told, rewrites=list(one.rewrites))


@public.get("/pairs", summary="The released pairs that fit a filter")
def public_pairs(request: Request, asked: Annotated[PublicAsked, Query()]) -> PublicFound:
    """They come in the order of their arrival; ``after`` goes on from the ``next`` of the page before."""
    project, wanted = site_of(request).project, asked.wanted
    if wanted.query is not None:
        search.catch_up(project)
    with project.ledger.reading() as connection:
        return PublicFound(*public_browsing.public_page(connection, project, wanted, asked.after, asked.most))


@public.get("/pairs/{pair:path}", summary="A released pair")
def public_pair(request: Request, pair: Id) -> PublicRow:
    project = site_of(request).project
    with project.ledger.reading() as connection:
        return public_browsing.public_one(connection, project, pair)
