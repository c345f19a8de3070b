"""Marking types: the tokens of the pairs that somebody works on. What they mark is a judgement like any other."""

from __future__ import annotations

from fastapi import APIRouter, Request

from otherwords.annotate.marking import Tokens, tokens_of_pair, tokens_of_slot
from otherwords.web.fields import Id, Seq
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator, Worker

router = APIRouter(tags=["working"])


@router.get("/slots/{slot}/tokens", summary="Where the tokens of a pair lie that you hold")
def tokens(request: Request, viewer: Worker, slot: Seq) -> Tokens:
    """Ranges of code points, end exclusive, with the name of the tokeniser that cut the texts."""
    with site_of(request).ledger.reading() as connection:
        return tokens_of_slot(connection, slot, viewer.name)


@router.get("/pairs/{pair:path}/tokens", summary="Where the tokens of a pair lie")
def tokens_of(request: Request, viewer: Annotator, pair: Id) -> Tokens:
    """The same for a pair that is looked at, to decide about it."""
    with site_of(request).ledger.reading() as connection:
        return tokens_of_pair(connection, pair)
