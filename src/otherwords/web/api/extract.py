"""Extraction: take a document pair, save pairs of passages from it, change them, finish it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from otherwords.annotate.documents import extracted_pairs, extraction
from otherwords.annotate.documents.extracted_pairs import ExtractedPair
from otherwords.annotate.documents.extraction import Outcome
from otherwords.annotate.documents.side_by_side import DocumentSide, Lines, SideBySide, document_pair_view
from otherwords.errors import NotAllowed
from otherwords.project.ledger.rows import SPAN_COLUMNS, row_of
from otherwords.records import Pair, Part
from otherwords.web.accounts.auth import Annotator
from otherwords.web.api.judgements import check_key
from otherwords.web.api.triage import TriageReply, reply_of
from otherwords.web.fields import Body, Seconds, Text, Words
from otherwords.web.site import site_of

router = APIRouter(tags=["extraction"])
Offset = Annotated[int, Field(strict=True, ge=0, lt=2**31)]
DOCUMENTS = "/document-pairs/{document_pair:path}"
PAIR = DOCUMENTS + "/pairs/{pair}"


class PassagesBody(Body):
    """A passage of each document, in code points of the whole document, ends exclusive."""

    key: str
    start1: Offset
    end1: Offset
    start2: Offset
    end2: Offset
    seconds: Seconds | None = None

    def arguments(self) -> tuple[Part, str, float | None]:
        """As the functions of extraction take them."""
        part = Part(start1=self.start1, end1=self.end1, start2=self.start2, end2=self.end2)
        return part, self.key, self.seconds


class FinishBody(Body):
    """Whether there were pairs, and how long it took."""

    key: str
    outcome: Outcome
    seconds: Seconds | None = None


class RestoreBody(Body):
    """Reopening a finished document pair; a curator names the person who finished it and is to continue."""

    key: str
    annotator: Words | None = None


@dataclass(frozen=True, slots=True)
class StretchesReply:
    """The part of both documents to read."""

    start1: int
    end1: int
    start2: int
    end2: int


class ShownDocumentPair(BaseModel):
    """A document pair as a person reads it; ``mine`` if they hold it and may extract."""

    id: str
    method: str | None
    group: str | None
    similarity: float | None
    round: int
    status: str | None
    mine: bool
    part: StretchesReply
    one: DocumentSide
    two: DocumentSide
    lines: Lines | None
    pairs: list[ExtractedPair]


def show_document_pair(connection: Connection, document_pair: str, annotator: str) -> ShownDocumentPair:
    """A document pair as a person may see it."""
    view = document_pair_view(connection, document_pair, annotator)
    same = {field.name: getattr(view, field.name) for field in fields(SideBySide)}
    part = StretchesReply(view.part.start1, view.part.end1, view.part.start2, view.part.end2)
    return ShownDocumentPair(**same | {"part": part})


@router.post("/extract/take", summary="Hold the document pair that you have begun, else the next one that waits")
def take(request: Request, viewer: Annotator) -> ShownDocumentPair | None:
    def work(connection: Connection) -> ShownDocumentPair | None:
        document_pair = extraction.next_for_extraction(connection, viewer.name)
        return None if document_pair is None else show_document_pair(connection, document_pair, viewer.name)

    return site_of(request).writer.do(work)


@router.get(DOCUMENTS, summary="A document pair with its two documents and the pairs so far")
def read(request: Request, viewer: Annotator, document_pair: Text) -> ShownDocumentPair:
    with site_of(request).ledger.reading() as connection:
        return show_document_pair(connection, document_pair, viewer.name)


@router.post(
    DOCUMENTS + "/open", summary="Hold one document pair, whichever is next, or keep it for longer", status_code=204
)
def hold(request: Request, viewer: Annotator, document_pair: Text) -> None:
    site_of(request).writer.do(lambda connection: extraction.open_document_pair(connection, viewer.name, document_pair))


@router.post(DOCUMENTS + "/pairs", summary="Put two passages down as a pair", status_code=201)
def add(request: Request, viewer: Annotator, document_pair: Text, body: PassagesBody) -> ExtractedPair:
    check_key(body.key)
    arguments = (viewer.name, document_pair, *body.arguments())
    return _stored(site_of(request).writer.do(lambda connection: extracted_pairs.add_pair(connection, *arguments)))


@router.put(PAIR, summary="Give a pair other edges: a new pair takes its place")
def edit(request: Request, viewer: Annotator, document_pair: Text, pair: Text, body: PassagesBody) -> ExtractedPair:
    check_key(body.key)
    arguments = (viewer.name, document_pair, pair, *body.arguments())
    return _stored(site_of(request).writer.do(lambda connection: extracted_pairs.edit_pair(connection, *arguments)))


@router.delete(PAIR, summary="Take a pair back; it can be had again", status_code=204)
def remove(request: Request, viewer: Annotator, document_pair: Text, pair: Text, key: str) -> None:
    check_key(key)
    arguments = (viewer.name, document_pair, pair)
    site_of(request).writer.do(lambda connection: extracted_pairs.remove_pair(connection, *arguments))


@router.post(PAIR + "/restore", summary="Have a removed pair back, or a changed one as it was")
def restore(request: Request, viewer: Annotator, document_pair: Text, pair: Text, key: str) -> ExtractedPair:
    check_key(key)
    arguments = (viewer.name, document_pair, pair)
    return _stored(site_of(request).writer.do(lambda connection: extracted_pairs.restore_pair(connection, *arguments)))


@router.post(
    DOCUMENTS + "/finish", summary="Say that a document pair yields no more, or nothing at all", status_code=201
)
def finish(request: Request, viewer: Annotator, document_pair: Text, body: FinishBody) -> TriageReply:
    check_key(body.key)
    site = site_of(request)
    arguments = (viewer.name, document_pair, body.outcome, body.seconds, body.key, site.scheme_name)
    return reply_of(site.writer.do(lambda connection: extraction.finish(connection, *arguments)))


@router.post(DOCUMENTS + "/reopen", summary="Go on with a document pair that was finished", status_code=201)
def reopen(request: Request, viewer: Annotator, document_pair: Text, body: RestoreBody) -> TriageReply:
    check_key(body.key)
    if body.annotator is not None and body.annotator != viewer.name and not viewer.may("curator"):
        raise NotAllowed("only a curator reopens document pairs for others", code="insufficient-role")
    arguments = (viewer.name, document_pair, body.key, body.annotator)
    return reply_of(site_of(request).writer.do(lambda connection: extraction.reopen(connection, *arguments)))


def _stored(pair: Pair) -> ExtractedPair:
    """A pair as it was stored; it may differ from the selection by a few characters."""
    row = row_of(pair)
    spans = {name: row[name] for name in SPAN_COLUMNS}
    return ExtractedPair(id=pair.id, text1=pair.text1, text2=pair.text2, locked=False, why=None, **spans)
