"""Extraction: take a document pair, put pairs of passages down, change them, say that it is finished."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from otherwords.annotate import extracting
from otherwords.annotate.extracted import Extracted
from otherwords.annotate.extracting import Outcome
from otherwords.annotate.side_by_side import Lines, Side, SideBySide
from otherwords.errors import NotAllowed
from otherwords.records import Pair
from otherwords.web.api.judgements import check_key
from otherwords.web.api.triage import Decided, Seconds, decided
from otherwords.web.fields import Body, Text, Words
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator

router = APIRouter(tags=["extraction"])
Offset = Annotated[int, Field(strict=True, ge=0, lt=2**31)]
ONE = "/document-pairs/{document_pair:path}"
PAIR = ONE + "/pairs/{pair}"


class Passages(Body):
    """A passage of each document, in code points of the whole document, ends exclusive."""

    key: str
    start1: Offset
    end1: Offset
    start2: Offset
    end2: Offset
    seconds: Seconds | None = None

    def told(self) -> tuple[Any, ...]:
        return self.start1, self.end1, self.start2, self.end2, self.key, self.seconds


class Done(Body):
    """Whether pairs were found, and the time it took to find them."""

    key: str
    outcome: Outcome
    seconds: Seconds | None = None


class Again(Body):
    """Opening a finished document pair again; a curator names the person who finished it and goes on."""

    key: str
    annotator: Words | None = None


@dataclass(frozen=True, slots=True)
class Stretches:
    """The part of both documents that is meant."""

    start1: int
    end1: int
    start2: int
    end2: int


class Shown(BaseModel):
    """A document pair as a person reads it; ``mine`` where they hold it and may extract."""

    id: str
    method: str | None
    group: str | None
    similarity: float | None
    round: int
    status: str | None
    mine: bool
    part: Stretches
    one: Side
    two: Side
    lines: Lines | None
    pairs: list[Extracted]


def shown(connection: Connection, document_pair: str, annotator: str) -> Shown:
    """What a person sees of a document pair."""
    view = extracting.document_pair_view(connection, document_pair, annotator)
    told = {one.name: getattr(view, one.name) for one in fields(SideBySide)}
    part = Stretches(view.part.start1, view.part.end1, view.part.start2, view.part.end2)
    return Shown(**told | {"part": part})


@router.post("/extract/take", summary="Hold the document pair that you have begun, else the next one that waits")
def take(request: Request, viewer: Annotator) -> Shown | None:
    def work(connection: Connection) -> Shown | None:
        found = extracting.next_for_extraction(connection, viewer.name)
        return shown(connection, found, viewer.name) if found is not None else None

    return site_of(request).writer.do(work)


@router.get(ONE, summary="A document pair with its two documents and the pairs so far")
def look(request: Request, viewer: Annotator, document_pair: Text) -> Shown:
    with site_of(request).ledger.reading() as connection:
        return shown(connection, document_pair, viewer.name)


@router.post(ONE + "/open", summary="Hold one document pair, whichever is next, or keep it for longer", status_code=204)
def hold(request: Request, viewer: Annotator, document_pair: Text) -> None:
    site_of(request).writer.do(lambda connection: extracting.open_document_pair(connection, viewer.name, document_pair))


@router.post(ONE + "/pairs", summary="Put two passages down as a pair", status_code=201)
def add(request: Request, viewer: Annotator, document_pair: Text, passages: Passages) -> Extracted:
    check_key(passages.key)
    told = (viewer.name, document_pair, *passages.told())
    return _stored(site_of(request).writer.do(lambda connection: extracting.add_pair(connection, *told)))


@router.put(PAIR, summary="Give a pair other edges: a new pair takes its place")
def edit(request: Request, viewer: Annotator, document_pair: Text, pair: Text, passages: Passages) -> Extracted:
    check_key(passages.key)
    told = (viewer.name, document_pair, pair, *passages.told())
    return _stored(site_of(request).writer.do(lambda connection: extracting.edit_pair(connection, *told)))


@router.delete(PAIR, summary="Take a pair back; it can be had again", status_code=204)
def remove(request: Request, viewer: Annotator, document_pair: Text, pair: Text, key: str) -> None:
    check_key(key)
    told = (viewer.name, document_pair, pair)
    site_of(request).writer.do(lambda connection: extracting.remove_pair(connection, *told))


@router.post(PAIR + "/restore", summary="Have a removed pair back, or a changed one as it was")
def restore(request: Request, viewer: Annotator, document_pair: Text, pair: Text, key: str) -> Extracted:
    check_key(key)
    told = (viewer.name, document_pair, pair)
    return _stored(site_of(request).writer.do(lambda connection: extracting.restore_pair(connection, *told)))


@router.post(ONE + "/finish", summary="Say that a document pair yields no more, or nothing at all", status_code=201)
def finish(request: Request, viewer: Annotator, document_pair: Text, done: Done) -> Decided:
    check_key(done.key)
    site = site_of(request)
    told = (viewer.name, document_pair, done.outcome, done.seconds, done.key, site.scheme_name)
    return decided(site.writer.do(lambda connection: extracting.finish(connection, *told)))


@router.post(ONE + "/reopen", summary="Go on with a document pair that was finished", status_code=201)
def reopen(request: Request, viewer: Annotator, document_pair: Text, again: Again) -> Decided:
    check_key(again.key)
    if again.annotator is not None and again.annotator != viewer.name and not viewer.may("curator"):
        raise NotAllowed("a curator opens document pairs for others")
    told = (viewer.name, document_pair, again.key, again.annotator)
    return decided(site_of(request).writer.do(lambda connection: extracting.reopen(connection, *told)))


def _stored(pair: Pair) -> Extracted:
    """A pair as it was stored, which may be shorter or longer than what was selected by some characters."""
    assert pair.doc1 is not None
    assert pair.doc2 is not None
    spans = (pair.doc1.start, pair.doc1.end, pair.doc2.start, pair.doc2.end)
    return Extracted(pair.id, *spans, pair.text1, pair.text2, locked=False, why=None)
