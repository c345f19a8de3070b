"""Extraction: two documents side by side, any passage of one with any passage of the other (K5).

A document pair is held by one person from the first look until it is finished or found empty; its pairs then go to
whoever extracted them, to be classified. ``extracted`` knows the pairs, ``changing`` adds and changes them,
``side_by_side`` is what the page shows. Kanerva et al. 2023, §4.
"""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import Connection, update

from otherwords.annotate import batches, holding
from otherwords.annotate.changing import add_pair, edit_pair, remove_pair, restore_pair
from otherwords.annotate.decisions import NOUN, check_saying, decided, decisions, said_before, say
from otherwords.annotate.extracted import of_this
from otherwords.annotate.once import id_of
from otherwords.annotate.queues import (
    EMPTY,
    EXTRACT,
    FINISHED,
    UNIT,
    begun,
    locked,
    refuse_closed,
    take_next,
    waits_for_extraction,
)
from otherwords.annotate.side_by_side import document_pair_view
from otherwords.errors import Conflict, NotAllowed, Refused
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.records import Judgement

__all__ = [
    "add_pair",
    "document_pair_view",
    "edit_pair",
    "finish",
    "next_for_extraction",
    "open_document_pair",
    "remove_pair",
    "reopen",
    "restore_pair",
]
Outcome = Literal["finished", "empty"]
_WAS = "was"  # in the meta of a judgement: the state before, for whoever opens the document pair again


def next_for_extraction(connection: Connection, annotator: str) -> str | None:
    """The document pair that the annotator has begun, else the next one that waits; it is held from now on."""
    waits = waits_for_extraction()
    found = take_next(connection, EXTRACT, annotator, waits & begun(EXTRACT, annotator))
    found = found or take_next(connection, EXTRACT, annotator, waits)
    return found[0] if found else None


def open_document_pair(connection: Connection, annotator: str, document_pair: str) -> None:
    """Hold one document pair that waits, whichever is next."""
    refuse_closed(locked(connection, document_pair))
    holding.hold(connection, EXTRACT, document_pair, annotator)


def finish(
    connection: Connection,
    annotator: str,
    document_pair: str,
    outcome: Outcome,
    seconds: float | None,
    key: str,
    scheme: str,
) -> Judgement:
    """Say that a document pair yields no more, or nothing at all; its pairs go on to be classified by ``scheme``."""
    if outcome not in (FINISHED, EMPTY):
        raise Refused(f"a document pair is finished or empty, not {outcome!r}")
    check_saying(seconds)
    row = locked(connection, document_pair)
    if before := said_before(connection, annotator, key, EXTRACT, document_pair, outcome):
        return before
    refuse_closed(row)
    holding.renew(connection, EXTRACT, document_pair, annotator)
    pairs = of_this(connection, row)
    if outcome == EMPTY and pairs:
        raise Conflict(f"{len(pairs)} pairs were extracted from this; say finished, or remove them first")
    if outcome == FINISHED and not pairs:
        raise Conflict("nothing was extracted from this; if there is nothing to extract, say empty")
    said = _judgement(connection, annotator, document_pair, key, outcome, {_WAS: row["status"]}, seconds)
    _set_status(connection, document_pair, outcome)
    holding.release(connection, EXTRACT, document_pair, annotator)
    judged = decided(connection, "pair", [pair["id"] for pair in pairs])
    made = [(pair["id"], pair["meta"]["annotator"]) for pair in pairs if pair["id"] not in judged]
    if made:
        batches.hand_over(connection, made, scheme)
    return said


def reopen(
    connection: Connection, annotator: str, document_pair: str, key: str, on_behalf: str | None = None
) -> Judgement:
    """Go on with a document pair that one has finished; a curator names the person who will go on."""
    row = locked(connection, document_pair)
    if before := said_before(connection, annotator, key, EXTRACT, document_pair, None):
        return before
    last = next(iter(reversed(decisions(connection, UNIT, document_pair, EXTRACT))), None)
    if row["status"] not in (FINISHED, EMPTY) or last is None:
        raise Conflict("this document pair is not finished")
    whose = on_behalf or annotator
    if last.annotator != whose:
        raise NotAllowed("only who finished a document pair opens it again; ask a curator")
    pairs = [pair["id"] for pair in of_this(connection, row)]
    judged = decided(connection, "pair", pairs)
    if pairs and len(judged) == len(pairs):
        raise Conflict("all pairs of this were judged already; there is nothing left to change")
    said = _judgement(connection, annotator, document_pair, key, None, {"for": whose} if on_behalf else {})
    _set_status(connection, document_pair, last.meta.get(_WAS))
    holding.hold(connection, EXTRACT, document_pair, whose)
    if open_pairs := [pair for pair in pairs if pair not in judged]:
        batches.take_out(connection, open_pairs)
    return said


def _judgement(
    connection: Connection,
    annotator: str,
    document_pair: str,
    key: str,
    value: Outcome | None,
    meta: dict[str, Any],
    seconds: float | None = None,
) -> Judgement:
    """Put down what was said; it supersedes what was said last, whoever that was."""
    told = decisions(connection, UNIT, document_pair, EXTRACT)
    said = Judgement(
        id=id_of(NOUN, annotator, key),
        unit=UNIT,
        pair=document_pair,
        annotator=annotator,
        scheme=EXTRACT,
        value=value,
        seconds=seconds,
        time=now(),
        supersedes=told[-1].id if told else None,
        meta=meta,
    )
    return say(connection, said)


def _set_status(connection: Connection, document_pair: str, status: str | None) -> None:
    one = schema.document_pairs
    connection.execute(update(one).where(one.c.id == document_pair).values(status=status))
