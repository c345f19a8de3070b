"""Extraction: two documents side by side, any passage of one with any passage of the other (K5).

A document pair is held by one person from the first look until it is finished or found empty; its pairs then go to
whoever extracted them, to be classified (Kanerva et al. 2023, §4). ``extracted_pairs`` lists, adds and changes the
pairs, ``side_by_side`` is what the page shows.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import Connection, func, select, update

from otherwords.annotate.batches import batch as batches
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.documents import decisions, locks, queues
from otherwords.annotate.documents.extracted_pairs import own_pairs
from otherwords.annotate.documents.queues import EMPTY, EXTRACT, FINISHED, UNIT, lock_row, refuse_closed, take_next
from otherwords.errors import Conflict, NotAllowed, Refused
from otherwords.project.ledger import schema
from otherwords.records import Judgement

Outcome = Literal["finished", "empty"]
_STATUS_BEFORE = "was"  # in the meta of a judgement: the status to return to when the document pair is reopened


def next_for_extraction(connection: Connection, annotator: str) -> str | None:
    """The document pair that the annotator has begun, otherwise the next one that waits; held from now on."""
    waits = queues.waits_for_extraction()
    begun = schema.document_pairs.c.id.in_(locks.held_by(EXTRACT, annotator))
    ids = take_next(connection, EXTRACT, annotator, waits & begun)
    ids = ids or take_next(connection, EXTRACT, annotator, waits)
    return ids[0] if ids else None


def open_document_pair(connection: Connection, annotator: str, document_pair: str) -> None:
    """Hold one document pair that waits, whether or not it is the next."""
    refuse_closed(lock_row(connection, document_pair))
    locks.hold(connection, EXTRACT, document_pair, annotator)


def count_finished(connection: Connection, annotator: str) -> int:
    """How many document pairs somebody has finished or found empty."""
    table, judgements = schema.document_pairs, schema.judgements
    decided = (judgements.c.pair == table.c.id, judgements.c.unit == UNIT, judgements.c.scheme == EXTRACT)
    by_them = select(judgements.c.seq).where(*decided, judgements.c.annotator == annotator, is_current()).exists()
    ended = select(func.count()).select_from(table).where(table.c.status.in_((FINISHED, EMPTY)), by_them)
    return int(connection.execute(ended).scalar_one())


def finish(
    connection: Connection,
    annotator: str,
    document_pair: str,
    outcome: Outcome,
    seconds: float | None,
    key: str,
    scheme: str,
) -> Judgement:
    """Record that a document pair yields no more pairs, or none at all; its pairs are classified by ``scheme`` next."""
    if outcome not in (FINISHED, EMPTY):
        raise Refused(f"a document pair is finished or empty, not {outcome!r}", code="unknown-outcome")
    decision = decisions.prepare(annotator, key, UNIT, document_pair, EXTRACT, outcome, seconds)
    row = lock_row(connection, document_pair)
    if sent := decisions.find_sent(connection, decision):
        return sent
    refuse_closed(row)
    locks.renew(connection, EXTRACT, document_pair, annotator)
    pairs = own_pairs(connection, row)
    if outcome == EMPTY and pairs:
        were, them = ("pair was", "it") if len(pairs) == 1 else ("pairs were", "them")
        message = f"{len(pairs)} {were} extracted from these documents; say finished, or remove {them} first"
        raise Conflict(message, code="not-empty")
    if outcome == FINISHED and not pairs:
        message = "nothing was extracted from these documents; if there is nothing to extract, say empty"
        raise Conflict(message, code="nothing-extracted")
    last = _last_decision(connection, document_pair)
    stored = decisions.store(connection, decision, last.id if last else None, {_STATUS_BEFORE: row["status"]})
    _set_status(connection, document_pair, outcome)
    locks.release(connection, EXTRACT, document_pair, annotator)
    judged = decisions.decided_items(connection, "pair", [pair["id"] for pair in pairs])
    if unjudged := [(pair["id"], pair["meta"]["annotator"]) for pair in pairs if pair["id"] not in judged]:
        batches.assign_to_extractors(connection, unjudged, scheme)
    return stored


def reopen(
    connection: Connection, annotator: str, document_pair: str, key: str, on_behalf: str | None = None
) -> Judgement:
    """Reopen a document pair that one has finished; a curator names the person who will go on."""
    decision = decisions.prepare(annotator, key, UNIT, document_pair, EXTRACT, None)
    row = lock_row(connection, document_pair)
    if sent := decisions.find_sent(connection, decision):
        return sent
    last = _last_decision(connection, document_pair)
    if row["status"] not in (FINISHED, EMPTY) or last is None:
        raise Conflict("this document pair is not finished", code="not-finished")
    holder = on_behalf or annotator
    if last.annotator != holder:
        raise NotAllowed("only whoever finished a document pair reopens it; ask a curator", code="not-your-documents")
    pairs = [pair["id"] for pair in own_pairs(connection, row)]
    judged = decisions.decided_items(connection, "pair", pairs)
    if pairs and len(judged) == len(pairs):
        raise Conflict("all pairs of these documents were judged; there is nothing left to change", code="all-judged")
    stored = decisions.store(connection, decision, last.id, {"for": holder} if on_behalf else {})
    _set_status(connection, document_pair, last.meta.get(_STATUS_BEFORE))
    locks.hold(connection, EXTRACT, document_pair, holder)
    if unjudged := [pair for pair in pairs if pair not in judged]:
        batches.remove_unanswered(connection, unjudged)
    return stored


def _last_decision(connection: Connection, document_pair: str) -> Judgement | None:
    """The last decision about a document pair, whoever made it."""
    earlier = decisions.load_all(connection, UNIT, document_pair, EXTRACT)
    return earlier[-1] if earlier else None


def _set_status(connection: Connection, document_pair: str, status: str | None) -> None:
    table = schema.document_pairs
    connection.execute(update(table).where(table.c.id == document_pair).values(status=status))
