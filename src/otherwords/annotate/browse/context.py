"""The documents around a pair, for those who may look at them, and where a pair comes from.

Somebody who has to judge a pair without its documents does not see them before, with whatever pair they are shown.
Crowd workers name the slot that they hold, and see the documents of the pairs that they hold only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from sqlalchemy import Connection, select

from otherwords.annotate.browse.pairs import PairDetails
from otherwords.annotate.crowd.hidden_tests import BATCHES_WITH_TESTS
from otherwords.annotate.documents.names import document_name
from otherwords.annotate.visibility import CURATORS, refuse_hidden_documents, require_pair
from otherwords.errors import NotAllowed
from otherwords.project.ledger import schema


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A document, and where the passage of a pair is in it; a heading is not in it."""

    id: str
    title: str | None
    source: str | None
    lang: str | None
    text: str
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class PairContext:
    """The documents of the two texts of a pair; None where one is not known."""

    doc1: Surroundings | None
    doc2: Surroundings | None


def pair_context(connection: Connection, viewer: str, role: str, pair: str, slot: int | None = None) -> PairContext:
    """Both documents of a pair."""
    if slot is not None:
        _refuse_foreign(connection, viewer, pair, slot)
    elif role == "worker":
        message = "documents are shown with the pairs that you are judging; open the pair in its batch"
        raise NotAllowed(message, code="pair-not-held")
    require_pair(connection, pair)
    row = connection.execute(select(schema.pairs).where(schema.pairs.c.id == pair)).mappings().one()
    refuse_hidden_documents(connection, viewer, pair, (row["doc1"], row["doc2"]))
    return PairContext(_surroundings(connection, row, "1"), _surroundings(connection, row, "2"))


def _refuse_foreign(connection: Connection, viewer: str, pair: str, slot: int) -> None:
    """A slot gives access if the viewer holds it, it is of this pair, and its batch shows documents."""
    slots, batches = schema.slots, schema.batches
    held = (slots.c.seq == slot, slots.c.holder == viewer, slots.c.item == pair)
    query = select(batches.c.rules).join(slots, slots.c.batch == batches.c.id)
    rules = connection.execute(query.where(*held, slots.c.batch.not_in(BATCHES_WITH_TESTS))).scalar()
    if rules is None:
        raise NotAllowed("you do not hold this pair; take it in its batch again", code="pair-not-held")
    if not rules.get("context", True):
        raise NotAllowed("this batch is judged without the documents", code="batch-without-context")


def _surroundings(connection: Connection, pair: Mapping[Any, Any], side: str) -> Surroundings | None:
    documents = schema.documents
    row = connection.execute(select(documents).where(documents.c.id == pair[f"doc{side}"])).first()
    if row is None:
        return None
    span = (pair[f"start{side}"], pair[f"end{side}"])
    return Surroundings(row.id, document_name(row.meta, row.group), row.source, row.lang, row.text, *span)


@dataclass(frozen=True, slots=True)
class PassageOrigin:
    """A passage and its document."""

    id: str
    title: str | None
    source: str | None
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class PairOrigin:
    """Where a pair comes from, as far as it is known and the viewer may see it."""

    doc1: PassageOrigin | None = None
    doc2: PassageOrigin | None = None
    file: str | None = None
    batches: tuple[str, ...] = ()


def origin(connection: Connection, pair: PairDetails, role: str) -> PairOrigin:
    """The origin of a pair; only curators see its batches, since it may be there as a test."""
    documents, imports, slots, batches = schema.documents, schema.imports, schema.slots, schema.batches
    origins: list[PassageOrigin | None] = []
    for passage in pair.passages:
        if passage is None:
            origins.append(None)
            continue
        found = select(documents.c.source, documents.c.group, documents.c.meta).where(documents.c.id == passage.id)
        row = connection.execute(found).first()
        title, source = (document_name(row.meta, row.group), row.source) if row else (None, None)
        origins.append(PassageOrigin(passage.id, title, source, passage.start, passage.end))
    path = connection.execute(select(imports.c.path).where(imports.c.id == (pair.import_id or ""))).scalar()
    file = PurePath(path).name if path else None  # without the folder: where it was on somebody's disk is private
    names: set[str] = set()
    if role in CURATORS and not pair.row.hidden:
        joined = select(slots.c.batch).join(batches, batches.c.id == slots.c.batch)
        own = (slots.c.item == pair.row.id, batches.c.unit == "pair")
        names = set(connection.execute(joined.where(*own)).scalars())
    return PairOrigin(origins[0], origins[1], file, tuple(sorted(names)))
