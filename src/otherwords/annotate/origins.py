"""Where a pair comes from, by name: its documents, the file it was imported with, the batches it was in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from sqlalchemy import Connection, select

from otherwords.annotate.browsing import CURATORS, Whole
from otherwords.project import schema
from otherwords.records import Passage


@dataclass(frozen=True, slots=True)
class Place:
    """A passage and the document that it is in."""

    id: str
    title: str | None
    source: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a pair comes from, as far as that is known and may be."""

    doc1: Place | None = None
    doc2: Place | None = None
    file: str | None = None
    batches: tuple[str, ...] = ()


def origin(connection: Connection, whole: Whole, role: str) -> Origin:
    """The origin of a pair; that it is in a batch is for curators, since it may be there as a test."""
    doc1, doc2 = (_place(connection, passage) for passage in whole.passages)
    batches = _batches(connection, whole.row.id) if role in CURATORS and not whole.row.hidden else ()
    return Origin(doc1, doc2, _file(connection, whole.import_id), batches)


def _place(connection: Connection, passage: Passage | None) -> Place | None:
    if passage is None:
        return None
    one = schema.documents
    found = connection.execute(select(one.c.source, one.c.meta).where(one.c.id == passage.id)).first()
    title = found.meta.get("title") if found else None
    name = title if isinstance(title, str) else None
    return Place(passage.id, name, found.source if found else None, passage.start, passage.end)


def _file(connection: Connection, import_id: str | None) -> str | None:
    """The file of an import by its name alone: where it was on somebody's disk is nobody's business."""
    one = schema.imports
    path = connection.execute(select(one.c.path).where(one.c.id == import_id)).scalar() if import_id else None
    return PurePath(path).name if path else None


def _batches(connection: Connection, pair: str) -> tuple[str, ...]:
    one, of = schema.slots, schema.batches
    found = select(one.c.batch).join(of, of.c.id == one.c.batch).where(one.c.item == pair, of.c.unit == "pair")
    return tuple(sorted(set(connection.execute(found).scalars())))
