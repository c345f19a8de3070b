"""Pairs: those that fit a filter, one of them, the documents around it, and what was said of it."""

from __future__ import annotations

from fastapi import APIRouter, Request

from otherwords.annotate.pair_context import Context, context
from otherwords.annotate.pair_history import History, history_for
from otherwords.web.fields import Id, Slot
from otherwords.web.site import site_of
from otherwords.web.viewer import Worker

router = APIRouter(tags=["pairs"])


@router.get("/pairs/{pair:path}/context", summary="The documents around a pair")
def around(request: Request, viewer: Worker, pair: Id, slot: Slot | None = None) -> Context:
    """Workers name the slot that they hold; nobody sees documents that a batch still hides from them."""
    with site_of(request).ledger.reading() as connection:
        return context(connection, viewer.name, viewer.role, pair, slot)


@router.get("/pairs/{pair:path}/history", summary="The judgements of a pair, as far as you may see them")
def history(request: Request, viewer: Worker, pair: Id) -> History:
    with site_of(request).ledger.reading() as connection:
        return history_for(connection, viewer.name, viewer.role, pair)
