"""Triage: a person's quick yes or no to a document pair, before anybody extracts pairs from it (K3).

An annotator gets document pairs that wait, each with the first sentences of both documents. A decision is a judgement
like any other and is never changed; the status of the document pair follows from the last current one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, update

from otherwords.annotate.documents import decisions, locks, queues
from otherwords.annotate.documents.extracted_pairs import own_pairs
from otherwords.annotate.documents.passages import inside_cluster
from otherwords.annotate.documents.queues import ACCEPTED, EXTRACT, REJECTED, TRIAGE, TRIAGED, UNIT, Row
from otherwords.errors import Conflict, Refused
from otherwords.project.document_pairs import CANDIDATE
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.records import Document, DocumentPair, Judgement
from otherwords.text import pack

STATES = {"accept": ACCEPTED, "reject": REJECTED}
MAX_TASKS = 50
MAX_OPENING = 600  # of each document; enough to see whether both are about the same
_CHARACTERS_READ = 2 * MAX_OPENING
Decision = Literal["accept", "reject", "undo"]


@dataclass(frozen=True, slots=True)
class DocumentOpening:
    """The first sentences of a document, or of the part that a document pair covers; ``cut`` if more follows."""

    id: str
    text: str
    cut: bool
    title: str | None
    source: str | None
    lang: str | None
    time: str | None


@dataclass(frozen=True, slots=True)
class TriageTask:
    """A document pair as triage shows it."""

    id: str
    method: str | None
    group: str | None
    similarity: float | None
    round: int
    one: DocumentOpening
    two: DocumentOpening


def next_for_triage(connection: Connection, annotator: str, most: int, method: str | None = None) -> list[TriageTask]:
    """The next document pairs that wait for a decision, in their order of arrival, held for the annotator."""
    if method is not None and method not in TRIAGED:
        message = f"pairs of {method} go to extraction without triage; triaged are: {', '.join(TRIAGED)}"
        raise Refused(message, code="method-not-triaged")
    waits = queues.waits_for_triage(*([method] if method else []))
    held = queues.take_next(connection, TRIAGE, annotator, waits, max(1, min(most, MAX_TASKS)))
    pairs = list(read_records(connection, DocumentPair, schema.document_pairs.c.id.in_(held)))
    names = {name for pair in pairs for name in (pair.doc1, pair.doc2)}
    documents = {text.id: text for text in read_records(connection, Document, schema.documents.c.id.in_(names))}
    tasks = []
    for pair in pairs:
        doc1, doc2, part = documents[pair.doc1], documents[pair.doc2], pair.part
        opening1 = _opening(doc1, *((part.start1, part.end1) if part else (0, len(doc1.text))))
        opening2 = _opening(doc2, *((part.start2, part.end2) if part else (0, len(doc2.text))))
        tasks.append(TriageTask(pair.id, pair.method, pair.group, pair.similarity, pair.round, opening1, opening2))
    return tasks


def _opening(document: Document, start: int, end: int) -> DocumentOpening:
    text, cut = first_sentences(document.text[start:end], document.lang)
    title = str(document.meta["title"]) if document.meta.get("title") else None
    return DocumentOpening(document.id, text, cut, title, document.source, document.lang, document.time)


def first_sentences(text: str, lang: str | None, most: int = MAX_OPENING) -> tuple[str, bool]:
    """As many whole sentences as fit, or words if too few sentences fit; and whether the text was cut."""
    text = text.strip()
    if len(text) <= most:
        return text, False
    ends = [end for _, end in pack(lang).sentences(text[:_CHARACTERS_READ]) if end <= most]
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
    """Accept or reject a document pair, with a reason, or take that back."""
    if decision != "undo" and decision not in STATES:
        message = f"a document pair is accepted or rejected: {decision!r} is neither accept, reject nor undo"
        raise Refused(message, code="unknown-decision")
    value = None if decision == "undo" else decision
    judgement = decisions.prepare(annotator, key, UNIT, document_pair, TRIAGE, value, seconds, reason or None)
    row = queues.lock_row(connection, document_pair)
    if sent := decisions.find_sent(connection, judgement):
        return sent
    earlier = decisions.load_all(connection, UNIT, document_pair, TRIAGE)
    _check(connection, annotator, row, decision, decisions.in_force(earlier))
    locks.hold(connection, TRIAGE, document_pair, annotator)
    stored = decisions.store(connection, judgement, decisions.last_of(annotator, earlier))
    current = decisions.in_force([*earlier, stored])  # the last of these gives the document pair its status
    status, reason, seconds = CANDIDATE, None, None
    if current:
        status, reason, seconds = STATES[current[-1].value], current[-1].note, current[-1].seconds
    changed = update(schema.document_pairs).where(schema.document_pairs.c.id == document_pair)
    connection.execute(changed.values(status=status, reason=reason, seconds=seconds))
    if decision != "undo":  # somebody who takes a decision back wants to look again
        locks.release(connection, TRIAGE, document_pair, annotator)
    return stored


def _check(connection: Connection, annotator: str, row: Row, decision: Decision, current: list[Judgement]) -> None:
    queues.refuse_superseded(row)
    ended = row["status"] in (queues.FINISHED, queues.EMPTY)
    if ended or locks.holder_of(connection, EXTRACT, row["id"]) is not None or own_pairs(connection, row):
        raise Conflict("somebody has begun to extract pairs here; the decision stays", code="extraction-begun")
    by_others = bool(current) and current[-1].annotator != annotator
    if by_others and (decision == "undo" or not locks.has(connection, TRIAGE, row["id"], annotator)):
        message = "somebody else has decided about this document pair in the meantime; take another one"
        raise Conflict(message, code="decided-meanwhile")
    if not current and decision == "undo":
        raise Conflict("you have no decision to take back", code="nothing-to-take-back")
