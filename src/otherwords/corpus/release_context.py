"""The text around the passages of released pairs, out of those documents whose licence lets it be passed on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from sqlalchemy import Connection, select

from otherwords.annotate.open_licences import is_open
from otherwords.corpus.release_places import Places
from otherwords.project import schema
from otherwords.project.rows import ROWS_AT_A_TIME
from otherwords.records import Document, Passage

AROUND = 1000  # code points before and after a passage; the whole documents are in texts.json.gz
IDS_A_QUERY = 500
Window = tuple[str, int, int]  # a stretch of a document, and where in it the passage is
_open = cache(is_open)


def texts_of(connection: Connection, ids: set[str]) -> dict[str, tuple[str, str | None]]:
    """The text and the licence of some documents, by id."""
    one, wanted = schema.documents, sorted(ids)
    found: dict[str, tuple[str, str | None]] = {}
    for start in range(0, len(wanted), IDS_A_QUERY):
        block = one.c.id.in_(wanted[start : start + IDS_A_QUERY])
        for id, text, licence in connection.execute(select(one.c.id, one.c.text, one.c.licence).where(block)):
            found[id] = (text, licence)
    return found


def windows(connection: Connection, *sides: Sequence[Passage | None]) -> list[list[Window | None]]:
    """What is around the passages of each side; None where that is unknown or not ours to give."""
    ids = {passage.id for side in sides for passage in side if passage is not None}
    texts = texts_of(connection, ids) if ids else {}
    given = {id: text for id, (text, licence) in texts.items() if _open(licence)}
    return [[_window(passage, given) for passage in side] for side in sides]


def _window(passage: Passage | None, given: dict[str, str]) -> Window | None:
    text = given.get(passage.id) if passage is not None else None
    if passage is None or text is None or not 0 <= passage.start <= passage.end <= len(text):
        return None
    first = max(0, passage.start - AROUND)
    return text[first : passage.end + AROUND], passage.start - first, passage.end - first


def open_documents(connection: Connection, wanted: Places) -> Iterator[Document]:
    """The documents of a release that may be passed on, whole, in the order of the ledger."""
    one = schema.documents
    columns = (one.c.id, one.c.text, one.c.licence)
    statement = select(*columns).order_by(one.c.seq).execution_options(yield_per=ROWS_AT_A_TIME)
    with connection.execute(statement) as rows:
        for block in rows.partitions():
            for (id, text, licence), part in zip(block, wanted.of(row[0] for row in block), strict=True):
                if part is not None and _open(licence):
                    yield Document(id=id, text=text)
