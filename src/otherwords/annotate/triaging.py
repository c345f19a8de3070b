"""Triage: a person's quick yes or no to a document pair, before anybody extracts pairs from it (K3).

Out come document pairs that wait, each with the first sentences of both documents, held for the annotator; in come
decisions. What was said is a judgement like any other and is never changed; the state of the document pair follows
from the last one that stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, update

from otherwords.annotate import holding
from otherwords.annotate.decisions import NOUN, check_saying, decisions, said_before, say, that_stand
from otherwords.annotate.extracted import of_this
from otherwords.annotate.once import id_of
from otherwords.annotate.passages import inside_cluster
from otherwords.annotate.queues import (
    ACCEPTED,
    EMPTY,
    EXTRACT,
    FINISHED,
    REJECTED,
    TRIAGE,
    TRIAGED,
    UNIT,
    Row,
    locked,
    refuse_superseded,
    take_next,
    waits_for_triage,
)
from otherwords.errors import Conflict, Refused
from otherwords.project import schema
from otherwords.project.pairing import CANDIDATE
from otherwords.project.project import now
from otherwords.project.rows import records
from otherwords.records import Document, DocumentPair, Judgement
from otherwords.text import pack

STATES = {"accept": ACCEPTED, "reject": REJECTED}
MOST_AT_ONCE = 50
MOST_CHARACTERS = 600  # of each document; enough to tell whether both are about the same
_LOOKED_AT = 2 * MOST_CHARACTERS
Decision = Literal["accept", "reject", "undo"]


@dataclass(frozen=True, slots=True)
class Opening:
    """The first sentences of a document, or of the part of it that is meant; ``cut`` where more follows."""

    id: str
    text: str
    cut: bool
    title: str | None
    source: str | None
    lang: str | None
    time: str | None


@dataclass(frozen=True, slots=True)
class Undecided:
    """A document pair as triage shows it."""

    id: str
    method: str | None
    group: str | None
    similarity: float | None
    round: int
    one: Opening
    two: Opening


def next_for_triage(connection: Connection, annotator: str, most: int, method: str | None = None) -> list[Undecided]:
    """The next document pairs that wait for a decision, in their order of arrival, held for the annotator."""
    if method is not None and method not in TRIAGED:
        raise Refused(f"pairs of {method} go to extraction without triage; triaged are: {', '.join(TRIAGED)}")
    waits = waits_for_triage(*([method] if method else []))
    held = take_next(connection, TRIAGE, annotator, waits, max(1, min(most, MOST_AT_ONCE)))
    pairs = list(records(connection, DocumentPair, schema.document_pairs.c.id.in_(held)))
    names = {name for pair in pairs for name in (pair.doc1, pair.doc2)}
    documents = {text.id: text for text in records(connection, Document, schema.documents.c.id.in_(names))}
    return [_undecided(pair, documents) for pair in pairs]


def _undecided(pair: DocumentPair, documents: dict[str, Document]) -> Undecided:
    one, two, part = documents[pair.doc1], documents[pair.doc2], pair.part
    return Undecided(
        id=pair.id,
        method=pair.method,
        group=pair.group,
        similarity=pair.similarity,
        round=pair.round,
        one=_opening(one, *((part.start1, part.end1) if part else (0, len(one.text)))),
        two=_opening(two, *((part.start2, part.end2) if part else (0, len(two.text)))),
    )


def _opening(document: Document, start: int, end: int) -> Opening:
    text, cut = first_sentences(document.text[start:end], document.lang)
    title = document.meta.get("title")
    return Opening(document.id, text, cut, str(title) if title else None, document.source, document.lang, document.time)


def first_sentences(text: str, lang: str | None, most: int = MOST_CHARACTERS) -> tuple[str, bool]:
    """As many whole sentences as fit, or where these are few as many words; and whether that is not all."""
    text = text.strip()
    if len(text) <= most:
        return text, False
    ends = [end for _, end in pack(lang).sentences(text[:_LOOKED_AT]) if end <= most]
    if ends and ends[-1] >= most // 2:
        return text[: ends[-1]], True
    blank = max(text.rfind(space, 0, most + 1) for space in " \n\t\u3000")
    if blank >= most // 2:
        return text[:blank].rstrip(), True
    end = most
    while end > 0 and inside_cluster(text, end):
        end -= 1
    return text[: end or most], True


def decide(
    connection: Connection,
    annotator: str,
    document_pair: str,
    decision: Decision,
    reason: str | None,
    seconds: float | None,
    key: str,
) -> Judgement:
    """Say that a document pair is worth the work, or that it is not and why; or take that back."""
    if decision != "undo" and decision not in STATES:
        raise Refused(f"a document pair is accepted or rejected: {decision!r} is neither accept, reject nor undo")
    check_saying(seconds, reason)
    row = locked(connection, document_pair)
    value, note = (None if decision == "undo" else decision), reason or None
    if before := said_before(connection, annotator, key, TRIAGE, document_pair, value, note):
        return before
    told = decisions(connection, UNIT, document_pair, TRIAGE)
    _check(connection, annotator, row, decision, that_stand(told))
    holding.hold(connection, TRIAGE, document_pair, annotator)
    said = Judgement(
        id=id_of(NOUN, annotator, key),
        unit=UNIT,
        pair=document_pair,
        annotator=annotator,
        scheme=TRIAGE,
        value=value,
        note=note,
        seconds=seconds,
        time=now(),
        supersedes=next((one.id for one in reversed(told) if one.annotator == annotator), None),
    )
    said = say(connection, said)
    _project(connection, document_pair, that_stand([*told, said]))
    if decision != "undo":  # who takes a decision back wants to look again
        holding.release(connection, TRIAGE, document_pair, annotator)
    return said


def _check(connection: Connection, annotator: str, row: Row, decision: Decision, stands: list[Judgement]) -> None:
    refuse_superseded(row)
    if _begun(connection, row):
        raise Conflict("somebody has begun to extract pairs from this; the decision stays")
    last = stands[-1] if stands else None
    theirs = last is not None and last.annotator != annotator
    if theirs and (decision == "undo" or not holding.has(connection, TRIAGE, row["id"], annotator)):
        raise Conflict("somebody else has decided about this since; take another one")
    if last is None and decision == "undo":
        raise Conflict("there is no decision of yours to take back")


def _begun(connection: Connection, row: Row) -> bool:
    if row["status"] in (FINISHED, EMPTY) or holding.holder_of(connection, EXTRACT, row["id"]) is not None:
        return True
    return bool(of_this(connection, row))


def _project(connection: Connection, document_pair: str, stands: list[Judgement]) -> None:
    """Give the document pair the state that the last decision says."""
    state: dict[str, Any] = {"status": CANDIDATE, "reason": None, "seconds": None}
    if stands:
        last = stands[-1]
        state = {"status": STATES[last.value], "reason": last.note, "seconds": last.seconds}
    one = schema.document_pairs
    connection.execute(update(one).where(one.c.id == document_pair).values(**state))
