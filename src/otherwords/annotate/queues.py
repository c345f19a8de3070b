"""Which document pairs wait, and for what: a quick yes or no first where their method needs one, then extraction.

    candidate ─► accepted or rejected (triage, K3) ─► finished or empty (extraction, K5)

Methods that need no triage go from candidate to extraction at once; headings have no documents to extract from.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, literal, or_, select

from otherwords.annotate import holding
from otherwords.errors import Conflict, NotFound
from otherwords.project import schema
from otherwords.project.erasing import WITHDRAWN
from otherwords.project.pairing import CANDIDATE, SUPERSEDED
from otherwords.project.rows import SPAN, records
from otherwords.records import Document, Part, Unit

UNIT: Unit = "document_pair"
TRIAGE, EXTRACT = "triage", "extract"
TRIAGED = ("forum",)  # Kanerva et al. 2023, §3: of these 44 % were rejected
HEADINGS = "headings"
ACCEPTED, REJECTED = "accepted", "rejected"
FINISHED, EMPTY = "finished", "empty"
MOST_COUNTED = 1000

Row = dict[str, Any]
_one = schema.document_pairs


def waits_for_triage(*methods: str) -> ColumnElement[bool]:
    """Nobody has said yes or no yet."""
    return and_(_undecided(), _one.c.method.in_(methods or TRIAGED), *_with_documents())


def waits_for_extraction() -> ColumnElement[bool]:
    """Accepted, or of a method that needs no triage, and not finished."""
    untriaged = and_(_undecided(), or_(_one.c.method.is_(None), _one.c.method.not_in([*TRIAGED, HEADINGS])))
    accepted = and_(_one.c.status == ACCEPTED, or_(_one.c.method.is_(None), _one.c.method != HEADINGS))
    return and_(or_(accepted, untriaged), *_with_documents())


def free(scheme: str, annotator: str) -> ColumnElement[bool]:
    """Held by nobody else."""
    return _one.c.id.not_in(holding.held_by_others(scheme, annotator, time.time()))


def begun(scheme: str, annotator: str) -> ColumnElement[bool]:
    """Given to the annotator before, and to nobody else since."""
    return _one.c.id.in_(holding.held_by(scheme, annotator))


def take_next(
    connection: Connection, scheme: str, annotator: str, waits: ColumnElement[bool], most: int = 1
) -> list[str]:
    """Hold the first document pairs that wait and that nobody else has: their ids."""
    queue = select(_one.c.id).where(waits, free(scheme, annotator)).order_by(_one.c.round, _one.c.seq).limit(most)
    while wanted := connection.execute(queue).scalars().all():
        held = holding.take(connection, scheme, wanted, annotator)
        # Looked at again: between reading the queue and holding, somebody else may have dealt with one.
        still = set(connection.execute(select(_one.c.id).where(_one.c.id.in_(held), waits)).scalars())
        for late in set(held) - still:
            holding.release(connection, scheme, late, annotator)
        if still:
            return [name for name in held if name in still]
    return []


def waiting(connection: Connection, annotator: str) -> dict[str, int]:
    """How many document pairs wait for somebody, counted as far as a thousand."""
    told = {}
    for scheme, waits in ((TRIAGE, waits_for_triage()), (EXTRACT, waits_for_extraction())):
        some = select(literal(1)).select_from(_one).where(waits, free(scheme, annotator)).limit(MOST_COUNTED)
        told[scheme] = connection.execute(select(func.count()).select_from(some.subquery())).scalar_one()
    return told


def locked(connection: Connection, document_pair: str) -> Row:
    """The row of a document pair, kept from others until the transaction ends; one that is gone is refused."""
    found = connection.execute(select(_one).where(_one.c.id == document_pair).with_for_update()).mappings().first()
    return there(document_pair, dict(found) if found is not None else None)


def there(document_pair: str, row: Row | None) -> Row:
    """The row, where there is one and its texts were not withdrawn."""
    if row is None:
        raise NotFound(f"there is no document pair {document_pair!r}")
    if row["status"] == WITHDRAWN:
        raise Conflict("these documents were withdrawn; take another pair")
    return row


def refuse_superseded(row: Row) -> None:
    if row["status"] == SUPERSEDED:
        raise Conflict("a later alignment has replaced this document pair; take another one")


def refuse_closed(row: Row) -> None:
    """Refuse a document pair that does not wait for extraction."""
    refuse_superseded(row)
    if row["status"] in (FINISHED, EMPTY):
        raise Conflict("this document pair is finished; open it again to change it")
    if row["status"] == REJECTED:
        raise Conflict("this document pair was rejected; take another one")
    if row["status"] != ACCEPTED and row["method"] in TRIAGED:
        raise Conflict("nobody has accepted this document pair yet; decide about it first")
    if row["method"] == HEADINGS:
        raise Conflict("headings are classified, there is nothing to extract from them")


def documents_of(connection: Connection, row: Row) -> tuple[Document, Document]:
    """The two documents of a document pair."""
    wanted = schema.documents.c.id.in_([row["doc1"], row["doc2"]])
    known = {document.id: document for document in records(connection, Document, wanted)}
    missing = [row[side] for side in ("doc1", "doc2") if row[side] not in known]
    if missing:
        raise NotFound(f"the document {missing[0]!r} of this pair is not here; import it")
    return known[row["doc1"]], known[row["doc2"]]


def part_of(row: Row, one: Document, two: Document) -> Part:
    """The part of both documents that is meant; all of them where none is named."""
    if row["start1"] is None:
        return Part(start1=0, end1=len(one.text), start2=0, end2=len(two.text))
    return Part(**{name: row[name] for name in SPAN})


def _undecided() -> ColumnElement[bool]:
    return or_(_one.c.status == CANDIDATE, _one.c.status.is_(None))


def _with_documents() -> list[ColumnElement[bool]]:
    text = schema.documents
    return [select(text.c.seq).where(text.c.id == _one.c[side]).exists() for side in ("doc1", "doc2")]
