"""Which document pairs wait for what: triage first where their method needs it, then extraction.

    candidate ─► accepted or rejected (triage, K3) ─► finished or empty (extraction, K5)

Methods that need no triage go from candidate to extraction at once; headings have no documents to extract from.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, literal, or_, select

from otherwords.annotate.documents import locks
from otherwords.annotate.visibility import hidden_documents
from otherwords.errors import Conflict, NotFound
from otherwords.project.document_pairs import CANDIDATE, SUPERSEDED
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import SPAN_COLUMNS, read_records, row_dicts
from otherwords.project.withdrawal.erase_rows import WITHDRAWN
from otherwords.records import Document, Part, Unit

UNIT: Unit = "document_pair"
TRIAGE, EXTRACT = "triage", "extract"
TRIAGED = ("forum",)  # Kanerva et al. 2023, §3: 44 % of these were rejected
HEADINGS = "headings"
ACCEPTED, REJECTED = "accepted", "rejected"
FINISHED, EMPTY = "finished", "empty"
MAX_COUNTED = 1000

Row = dict[str, Any]
_table = schema.document_pairs
_ROW = select(_table)
_UNDECIDED = or_(_table.c.status == CANDIDATE, _table.c.status.is_(None))
_WITH_DOCUMENTS = [
    select(schema.documents.c.seq).where(schema.documents.c.id == _table.c[side]).exists() for side in ("doc1", "doc2")
]


def waits_for_triage(*methods: str) -> ColumnElement[bool]:
    """Nobody has accepted or rejected it yet."""
    return and_(_UNDECIDED, _table.c.method.in_(methods or TRIAGED), *_WITH_DOCUMENTS)


def waits_for_extraction() -> ColumnElement[bool]:
    """Accepted, or of a method that needs no triage, and not finished."""
    untriaged = and_(_UNDECIDED, or_(_table.c.method.is_(None), _table.c.method.not_in([*TRIAGED, HEADINGS])))
    accepted = and_(_table.c.status == ACCEPTED, _table.c.method.is_distinct_from(HEADINGS))
    return and_(or_(accepted, untriaged), *_WITH_DOCUMENTS)


def is_free(scheme: str, annotator: str) -> ColumnElement[bool]:
    """Held by nobody else."""
    return _table.c.id.not_in(locks.held_by_others(scheme, annotator, time.time()))


def take_next(
    connection: Connection, scheme: str, annotator: str, waits: ColumnElement[bool], most: int = 1
) -> list[str]:
    """Hold the first document pairs that wait and that nobody else holds; returns their ids.

    Documents that somebody must not see yet, because they have a pair of them to judge without, come later.
    """
    hidden = hidden_documents(connection, annotator)
    free = select(_table.c.id, _table.c.doc1, _table.c.doc2).where(waits, is_free(scheme, annotator))
    queue = free.order_by(_table.c.round, _table.c.seq)
    queue = queue if hidden else queue.limit(most)
    while wanted := _first_visible(connection, queue, hidden, most):
        held = locks.take(connection, scheme, wanted, annotator)
        # Checked again: between reading the queue and holding, somebody else may have decided about one.
        still = set(connection.execute(select(_table.c.id).where(_table.c.id.in_(held), waits)).scalars())
        for late in set(held) - still:
            locks.release(connection, scheme, late, annotator)
        if still:
            return [name for name in held if name in still]
    return []


def _first_visible(connection: Connection, queue: Select[Any], hidden: Collection[str], most: int) -> list[str]:
    """The first document pairs of a queue without hidden documents."""
    with connection.execute(queue) as rows:
        visible = (name for name, doc1, doc2 in rows if doc1 not in hidden and doc2 not in hidden)
        return list(islice(visible, most))


def count_waiting(connection: Connection, annotator: str) -> dict[str, int]:
    """How many document pairs wait for somebody, by kind of work, counted up to ``MAX_COUNTED``."""
    counts = {}
    for scheme, waits in ((TRIAGE, waits_for_triage()), (EXTRACT, waits_for_extraction())):
        some = select(literal(1)).select_from(_table).where(waits, is_free(scheme, annotator)).limit(MAX_COUNTED)
        counts[scheme] = connection.execute(select(func.count()).select_from(some.subquery())).scalar_one()
    return counts


def count_with_others(connection: Connection, annotator: str) -> int:
    """How many document pairs wait that somebody else holds at the moment, counted up to ``MAX_COUNTED``."""
    count = 0
    for scheme, waits in ((TRIAGE, waits_for_triage()), (EXTRACT, waits_for_extraction())):
        some = select(literal(1)).select_from(_table).where(waits, ~is_free(scheme, annotator)).limit(MAX_COUNTED)
        count += connection.execute(select(func.count()).select_from(some.subquery())).scalar_one()
    return count


def lock_row(connection: Connection, document_pair: str) -> Row:
    """The row of a document pair, locked until the transaction ends."""
    return load_row(connection, document_pair, select(_table).with_for_update())


def load_row(connection: Connection, document_pair: str, statement: Select[Any] = _ROW) -> Row:
    """The row of a document pair; an unknown one, or one whose texts were withdrawn, is refused."""
    rows = row_dicts(connection.execute(statement.where(_table.c.id == document_pair)))
    if not rows:
        raise NotFound(f"there is no document pair {document_pair!r}", code="no-such-document-pair")
    if rows[0]["status"] == WITHDRAWN:
        raise Conflict("these documents were withdrawn; take another pair", code="documents-withdrawn")
    return rows[0]


def refuse_superseded(row: Row) -> None:
    """Refuse a document pair that a later alignment has replaced."""
    if row["status"] == SUPERSEDED:
        message = "a later alignment has replaced this document pair; take another one"
        raise Conflict(message, code="document-pair-superseded")


def refuse_closed(row: Row) -> None:
    """Refuse a document pair that does not wait for extraction."""
    refuse_superseded(row)
    if row["status"] in (FINISHED, EMPTY):
        raise Conflict("this document pair is finished; open it again to change it", code="already-finished")
    if row["status"] == REJECTED:
        raise Conflict("this document pair was rejected; take another one", code="document-pair-rejected")
    if row["status"] != ACCEPTED and row["method"] in TRIAGED:
        raise Conflict("nobody has accepted this document pair yet; decide about it first", code="not-accepted")
    if row["method"] == HEADINGS:
        raise Conflict("headings are classified; there is nothing to extract from them", code="headings-not-extracted")


def documents_of(connection: Connection, row: Row) -> tuple[Document, Document]:
    """The two documents of a document pair."""
    wanted = schema.documents.c.id.in_([row["doc1"], row["doc2"]])
    known = {document.id: document for document in read_records(connection, Document, wanted)}
    missing = [row[side] for side in ("doc1", "doc2") if row[side] not in known]
    if missing:
        raise NotFound(f"the document {missing[0]!r} of this pair is missing; import it", code="missing-document")
    return known[row["doc1"]], known[row["doc2"]]


def part_of(row: Row, doc1: Document, doc2: Document) -> Part:
    """The part of both documents that a document pair covers; all of both if none is named."""
    if row["start1"] is None:
        return Part(start1=0, end1=len(doc1.text), start2=0, end2=len(doc2.text))
    return Part(**{name: row[name] for name in SPAN_COLUMNS})
