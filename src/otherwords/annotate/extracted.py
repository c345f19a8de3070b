"""The pairs that people extracted from two documents: which there are, and which may still be changed.

Taken back or replaced ones stay in the ledger as ``removed``, out of sight.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from otherwords.annotate.decisions import decided
from otherwords.annotate.queues import Row
from otherwords.project import schema
from otherwords.project.rows import REMOVED, SPAN

METHOD = "extract"
SOMEBODY_ELSE = "somebody else extracted it"
EARLIER_ROUND = "it was extracted in an earlier round"
OTHER_PAIR = "it was extracted from another pair of these documents"
JUDGED = "it was judged already"
_SHOWN = ("id", *SPAN, "text1", "text2")
_one = schema.pairs


@dataclass(frozen=True, slots=True)
class Extracted:
    """A pair as the page of its documents shows it; ``why`` says why a locked one cannot be changed."""

    id: str
    start1: int
    end1: int
    start2: int
    end2: int
    text1: str
    text2: str
    locked: bool
    why: str | None


def extracted_pairs(connection: Connection, document_pair: Row) -> list[Row]:
    """All pairs extracted from the two documents of a document pair, sides as there, in their order of arrival."""
    return [row for row in _all(connection, document_pair) if row["state"] != REMOVED]


def of_this(connection: Connection, document_pair: Row) -> list[Row]:
    """Those of them that were extracted from this very document pair."""
    return [row for row in with_removed(connection, document_pair) if row["state"] != REMOVED]


def with_removed(connection: Connection, document_pair: Row) -> list[Row]:
    """The same, with those that were removed."""
    found = _all(connection, document_pair)
    return [row for row in found if row["meta"].get("document_pair") == document_pair["id"]]


def shown(connection: Connection, document_pair: Row, annotator: str) -> list[Extracted]:
    """The pairs so far, each with whether the annotator may change it here."""
    rows = extracted_pairs(connection, document_pair)
    judged = decided(connection, "pair", [row["id"] for row in rows])
    told = []
    for row in rows:
        why = why_locked(row, document_pair, annotator, judged)
        told.append(Extracted(**{name: row[name] for name in _SHOWN}, locked=why is not None, why=why))
    return told


def why_locked(pair: Row, document_pair: Row, annotator: str, judged: set[str]) -> str | None:
    """Why a pair cannot be changed from this document pair by this person; None if it can."""
    meta = pair["meta"]
    if meta.get("document_pair") != document_pair["id"]:
        return EARLIER_ROUND if meta.get("round", 1) < document_pair["round"] else OTHER_PAIR
    if pair["id"] in judged:
        return JUDGED
    return SOMEBODY_ELSE if meta.get("annotator") != annotator else None


def _all(connection: Connection, document_pair: Row) -> list[Row]:
    doc1, doc2 = document_pair["doc1"], document_pair["doc2"]
    straight, turned = (_one.c.doc1 == doc1) & (_one.c.doc2 == doc2), (_one.c.doc1 == doc2) & (_one.c.doc2 == doc1)
    found = select(_one).where(or_(straight, turned), _one.c.method == METHOD).order_by(_one.c.seq)
    rows = [dict(row) for row in connection.execute(found).mappings()]
    return [row if row["doc1"] == doc1 else _turned(row) for row in rows]


def _turned(row: Row) -> Row:
    """A pair of the same two documents that has them the other way round."""
    swapped: Row = {}
    for name in ("doc", "start", "end", "text"):
        swapped |= {f"{name}1": row[f"{name}2"], f"{name}2": row[f"{name}1"]}
    return row | swapped
