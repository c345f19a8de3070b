"""Pairs: those that match a filter, a single one, its documents and the history of its judgements.

Curators leave pairs out of the corpus, and take them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from otherwords.annotate.browse import pairs as browsing
from otherwords.annotate.browse import public as public_browsing
from otherwords.annotate.browse.context import PairContext, PairOrigin, origin, pair_context
from otherwords.annotate.browse.filter import Filter
from otherwords.annotate.browse.history import History, history_for
from otherwords.annotate.browse.pairs import PairRow
from otherwords.annotate.browse.provenance import MakingFact
from otherwords.annotate.browse.public import PublicRow
from otherwords.project import Project
from otherwords.project.left_out import LeftOutPair, leave_out, take_back
from otherwords.web.accounts.auth import Annotator, Curator, Requester, Worker
from otherwords.web.fields import Body, Id, Key, Slot, Text
from otherwords.web.filters import PairQuery, PublicQuery
from otherwords.web.pair_index import extend_index
from otherwords.web.site import site_of

router = APIRouter(tags=["pairs"])
public = APIRouter(tags=["pairs"])


@dataclass(frozen=True, slots=True)
class PairPage:
    """Pairs that match, and the number to continue from; there may be more even after a short or empty page."""

    rows: list[PairRow]
    next: int | None


@dataclass(frozen=True, slots=True)
class PublicPairPage:
    """Released pairs that match, and the number to continue from."""

    rows: list[PublicRow]
    next: int | None


@dataclass(frozen=True, slots=True)
class PairReply:
    """A pair, where it comes from, what it is a rewrite of and what it was rewritten to."""

    row: PairRow
    origin: PairOrigin
    import_id: str | None
    step: str | None
    step_key: str | None
    time: str | None
    original: PairRow | None
    rewrites: list[PairRow]
    left_out: LeftOutPair | None
    made: dict[str, Any] | None
    making: list[MakingFact]


class LeaveOutBody(Body):
    """Why a pair is left out, or taken back."""

    key: Key
    reason: Text = ""


@router.get("/pairs", summary="The pairs that fit a filter")
def pairs(request: Request, viewer: Annotator, query: Annotated[PairQuery, Query()]) -> PairPage:
    """They come in the order of their arrival; ``after`` goes on from the ``next`` of the page before."""
    project, criteria = _searchable(request, query)
    with project.ledger.reading() as connection:
        return PairPage(*browsing.pair_page(connection, project, criteria, viewer, query.after, query.most))


@router.get("/pairs/{pair:path}/context", summary="The documents around a pair")
def documents_around(request: Request, viewer: Worker, pair: Id, slot: Slot | None = None) -> PairContext:
    """Workers name the slot that they hold; nobody sees documents that a batch still hides from them."""
    with site_of(request).ledger.reading() as connection:
        return pair_context(connection, viewer.name, viewer.role, pair, slot)


@router.get("/pairs/{pair:path}/history", summary="The judgements of a pair, as far as you may see them")
def history(request: Request, viewer: Worker, pair: Id) -> History:
    with site_of(request).ledger.reading() as connection:
        return history_for(connection, viewer.name, viewer.role, pair)


@router.post("/pairs/{pair:path}/leave-out", summary="Leave a pair out of the corpus for a reason")
def leave_pair_out(request: Request, viewer: Curator, pair: Id, body: LeaveOutBody) -> PairReply:
    """It keeps its judgements, but has no label, and is in no new batch or release until it is taken back."""
    site_of(request).writer.do(lambda connection: leave_out(connection, [pair], body.reason, viewer.name, body.key))
    return load_reply(request, viewer, pair)


@router.post("/pairs/{pair:path}/take-back", summary="Take a pair back that was left out of the corpus")
def take_pair_back(request: Request, viewer: Curator, pair: Id, body: LeaveOutBody) -> PairReply:
    site_of(request).writer.do(lambda connection: take_back(connection, [pair], body.reason, viewer.name, body.key))
    return load_reply(request, viewer, pair)


# After all others: its path also matches the paths of parts of a pair, including discussions.
@router.get("/pairs/{pair:path}", summary="A pair, as far as you may see it")
def pair(request: Request, viewer: Annotator, pair: Id) -> PairReply:
    return load_reply(request, viewer, pair)


def load_reply(request: Request, viewer: Requester, pair: str) -> PairReply:
    """A pair as far as somebody may see it."""
    project = site_of(request).project
    with project.ledger.reading() as connection:
        known = browsing.load_pair(connection, project, pair, viewer)
        same = {
            name: getattr(known, name)
            for name in ("import_id", "step", "step_key", "time", "original", "left_out", "made")
        }
        whence = origin(connection, known, viewer.role)
        return PairReply(known.row, whence, **same, rewrites=list(known.rewrites), making=list(known.making))


@public.get("/pairs", summary="The released pairs that fit a filter")
def public_pairs(request: Request, query: Annotated[PublicQuery, Query()]) -> PublicPairPage:
    """They come in the order of their arrival; ``after`` goes on from the ``next`` of the page before."""
    project, criteria = _searchable(request, query)
    with project.ledger.reading() as connection:
        return PublicPairPage(*public_browsing.public_page(connection, project, criteria, query.after, query.most))


@public.get("/pairs/{pair:path}", summary="A released pair")
def public_pair(request: Request, pair: Id) -> PublicRow:
    project = site_of(request).project
    with project.ledger.reading() as connection:
        return public_browsing.public_pair(connection, pair)


def _searchable(request: Request, query: PublicQuery) -> tuple[Project, Filter]:
    """The project and the filter of a query; if there are words to search for, the index gets a part of what is new."""
    site, criteria = site_of(request), query.filter
    if criteria.query is not None:
        extend_index(site)
    return site.project, criteria
