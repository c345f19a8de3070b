"""The text around the passages of released pairs, from documents whose licence allows redistribution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from sqlalchemy import Connection, select

from otherwords.corpus.release.pairs import PartIndex
from otherwords.licences.spelling import is_open
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import ROWS_AT_A_TIME, in_blocks
from otherwords.records import Document, Passage
from otherwords.text.normalise import normalise

AROUND = 1000  # code points before and after a passage; the whole documents are in texts.json.gz
Window = tuple[str, int | None, int | None]  # a stretch of a document, and where the passage is in it, if it is
_is_open = cache(is_open)


def texts_of(connection: Connection, ids: set[str]) -> dict[str, tuple[str, str | None]]:
    """The text and the licence of documents, by id."""
    documents = schema.documents
    statement = select(documents.c.id, documents.c.text, documents.c.licence)
    return {
        id: (text, licence)
        for block in in_blocks(sorted(ids))
        for id, text, licence in connection.execute(statement.where(documents.c.id.in_(block)))
    }


def windows(connection: Connection, *sides: Sequence[tuple[Passage | None, str]]) -> list[list[Window | None]]:
    """The text around the passages of each side, which have these texts; None where it may not be redistributed."""
    ids = {passage.id for side in sides for passage, _ in side if passage is not None}
    texts = texts_of(connection, ids) if ids else {}
    open_texts = {id: text for id, (text, licence) in texts.items() if _is_open(licence)}
    return [[_window(passage, text, open_texts) for passage, text in side] for side in sides]


def _window(passage: Passage | None, text: str, documents: dict[str, str]) -> Window | None:
    document = documents.get(passage.id) if passage is not None else None
    if passage is None or document is None:
        return None
    start, end = passage.start, passage.end
    if start is None or end is None:  # a heading, which is followed by its article
        return document[:AROUND], None, None
    if not is_passage(document, start, end, text):  # released in spite of that
        return None
    first = max(0, start - AROUND)
    return document[first : end + AROUND], start - first, end - first


def is_passage(document: str, start: int, end: int, text: str) -> bool:
    """Whether a document has a text at a place, apart from white space."""
    there = document[start:end] if 0 <= start <= end <= len(document) else ""
    return there == text or normalise(there) == normalise(text)


def open_documents(connection: Connection, released: PartIndex) -> Iterator[Document]:
    """The documents of a release that may be redistributed, whole, in the order of the ledger."""
    documents = schema.documents
    columns = (documents.c.id, documents.c.text, documents.c.licence)
    statement = select(*columns).order_by(documents.c.seq).execution_options(yield_per=ROWS_AT_A_TIME)
    with connection.execute(statement) as rows:
        for block in rows.partitions():
            for (id, text, licence), part in zip(block, released.parts_of(row[0] for row in block), strict=True):
                if part is not None and _is_open(licence):
                    yield Document(id=id, text=text)
