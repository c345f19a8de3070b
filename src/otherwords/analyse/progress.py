"""How the work goes: a person's own pace and agreement, and for curators every batch, person and source.

These stand on pages that people look at all day, so none of them counts the whole ledger where an index or a number
that is kept anyway will do. Days are those of UTC, as the ledger writes times.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from statistics import median
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, desc, func, literal, select

from otherwords.analyse.consensus import Agreement, Compared, agreed_on, agreement, compared_with
from otherwords.annotate.standing import stands, superseded, taken_back
from otherwords.project import schema
from otherwords.project.pairing import CANDIDATE

DAYS = 7
RECENT = 100  # judgements that the median of seconds is taken of
REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast somebody works: what they did on each of the last days, and the median seconds of a recent pair.

    All that stands is counted: what was judged, rewritten and decided, and the documents.
    """

    days: tuple[tuple[date, int], ...]  # today is the last
    seconds: float | None

    @property
    def today(self) -> int:
        return self.days[-1][1]


@dataclass(frozen=True, slots=True)
class BatchState:
    """How far a batch is. Slots are the judgements it asks for; those of units that were taken out are not counted."""

    id: str
    scheme: str
    purpose: str
    asked: int
    items: int
    slots: int
    done: int
    held: int
    people: tuple[tuple[str, int], ...]
    state: str
    opened: str


@dataclass(frozen=True, slots=True)
class PersonState:
    """What somebody has done, by kind of work, and how much of all of it today."""

    name: str
    judged: int  # as batches count it: without hidden tests, and a rewrite is not one more
    rewritten: int
    documents: int  # document pairs triaged or extracted from, groups of posts that got a seed
    decided: int  # about what others disagreed on
    today: int
    last: str | None
    seconds: float | None
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class SourceState:
    """What has become of a text source; rewrites are among its pairs."""

    source: str | None
    document_pairs: dict[str, int]
    pairs: int
    rewrites: int
    judged: int


def my_pace(connection: Connection, annotator: str, today: date | None = None) -> Pace:
    """What somebody did today and on the days before; what they took back does not count."""
    said = schema.judgements
    last = today or _today()
    days = [last - timedelta(days=back) for back in reversed(range(DAYS))]
    day = func.substr(said.c.time, 1, 10).label("day")
    mine = (said.c.annotator == annotator, said.c.time >= days[0].isoformat(), stands())
    counts = {row.day: row[1] for row in connection.execute(select(day, func.count()).where(*mine).group_by(day))}
    _, seconds = _recently(connection, annotator)
    return Pace(tuple((one, counts.get(one.isoformat(), 0)) for one in days), seconds)


def _today() -> date:
    return datetime.now(UTC).date()


def _recently(connection: Connection, annotator: str) -> tuple[str | None, float | None]:
    """When somebody judged last, and the median seconds of the pairs among their latest judgements."""
    said = schema.judgements
    mine = (said.c.annotator == annotator, said.c.time.is_not(None))
    latest = select(said.c.time, said.c.unit, said.c.seconds).where(*mine).order_by(desc(said.c.time)).limit(RECENT)
    rows = connection.execute(latest).all()
    seconds = [row.seconds for row in rows if row.unit == "pair" and row.seconds is not None]
    return (rows[0].time if rows else None), (median(seconds) if seconds else None)


def my_agreement(connection: Connection, annotator: str) -> Agreement:
    """How often what somebody said alone is what the team agreed on later (Kanerva et al. 2023, §6.1)."""
    agreed = agreed_on(connection)
    return agreement(agreed, [both for _, both in compared_with(connection, agreed, annotator)])


def batch_states(connection: Connection) -> list[BatchState]:
    """How far every batch is, the first made first: from what takers have done, and the slots that still wait."""
    one, slot = schema.batches, schema.slots
    unanswered = (slot.c.batch == one.c.id, slot.c.judgement.is_(None), slot.c.position >= 0)  # tests are apart
    waiting = select(func.count()).where(*unanswered).scalar_subquery()
    last = select(func.max(slot.c.position)).where(slot.c.batch == one.c.id).scalar_subquery()
    rows = connection.execute(select(one, waiting.label("waiting"), last.label("last")).order_by(one.c.seq)).all()
    held, people = _held(connection), _takers(connection)
    return [_batch_state(row, people[row.id], held[row.id]) for row in rows]


def _batch_state(row: Any, people: list[tuple[str, int]], held: int) -> BatchState:
    done = sum(count for _, count in people)
    slots = done + row.waiting
    return BatchState(
        id=row.id,
        scheme=row.scheme,
        purpose=row.purpose,
        asked=row.asked,
        items=row.last + 1 if row.rules.get("second_sees") and slots else -(-slots // row.asked),
        slots=slots,
        done=done,
        held=held,
        people=tuple(people),
        state=row.state,
        opened=row.time,
    )


def _takers(connection: Connection) -> dict[str, list[tuple[str, int]]]:
    """Who has done how much of each batch."""
    taker = schema.takers
    people: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for row in connection.execute(select(taker).order_by(taker.c.batch, taker.c.annotator)):
        people[row.batch].append((row.annotator, row.done - row.tests))
    return people


def _held(connection: Connection) -> Counter[str]:
    """How many slots of each batch somebody works on right now."""
    slot, taker = schema.slots, schema.takers
    theirs = and_(slot.c.holder == taker.c.annotator, slot.c.batch == taker.c.batch, slot.c.judgement.is_(None))
    counted = select(taker.c.batch, func.count().label("held")).select_from(taker.join(slot, theirs))
    rows = connection.execute(counted.where(slot.c.until > time.time()).group_by(taker.c.batch))
    return Counter({row.batch: row.held for row in rows})


def people_states(connection: Connection, today: date | None = None) -> list[PersonState]:
    """What everybody who ever judged has done, by name. It counts them all: whoever shows it, keeps it for a while."""
    every, untold, apart = _standing(connection), _untold(connection), _apart(connection)
    said = schema.judgements
    now = (said.c.time >= (today or _today()).isoformat(), said.c.meta["test"].as_string().is_(None), stands())
    new = _by(connection, said.c.annotator, said.c.annotator.in_(sorted(every)), *now)
    agreed = agreed_on(connection)
    compared: dict[str, list[Compared]] = defaultdict(list)
    for name, both in compared_with(connection, agreed):
        compared[name].append(both)
    states = []
    for name in sorted(every):
        rewritten, documents, decided = (counts[name] for counts in apart)
        judged = every[name] - untold[name] - rewritten - documents - decided
        last, seconds = _recently(connection, name)
        agrees = agreement(agreed, compared[name])
        states.append(PersonState(name, judged, rewritten, documents, decided, new[name], last, seconds, agrees))
    return states


def _apart(connection: Connection) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """What people rewrote, said of documents and decided; each is few among many, and an index finds it."""
    said = schema.judgements
    who = func.coalesce(said.c.annotator, "")
    return (
        _rewritten(connection, schema.pairs.c.state.is_distinct_from(REMOVED)),
        _by(connection, who, said.c.batch.is_(None), said.c.unit != "pair", stands()),
        _by(connection, who, said.c.kind == literal("consensus", literal_execute=True), stands()),
    )


def _untold(connection: Connection) -> Counter[str]:
    """What is no work to be told: answers to hidden tests, which batches do not count, and rewrites put away."""
    taker = schema.takers
    rows = connection.execute(select(taker.c.annotator, func.sum(taker.c.tests)).group_by(taker.c.annotator))
    tests = Counter({name: int(count) for name, count in rows})
    return tests + _rewritten(connection, schema.pairs.c.state == REMOVED)


def _rewritten(connection: Connection, state: ColumnElement[bool]) -> Counter[str]:
    """The labels that people gave to their own rewrites."""
    said, pair = schema.judgements, schema.pairs
    rewrites = said.c.pair.in_(select(pair.c.id).where(pair.c.rewrite_of > "", state))
    own = said.c.meta["rewrite"].as_string().is_not(None)
    return _by(connection, func.coalesce(said.c.annotator, ""), rewrites, own, stands())


def _standing(connection: Connection) -> Counter[str]:
    """How many judgements of each person stand: all that an index counts, less those replaced or taken back.

    Only what supersedes something is looked at for that. A null that supersedes nothing, which a file may bring and
    the site never writes, is counted.
    """
    said, later = schema.judgements, schema.judgements.alias()
    named = said.c.annotator.is_not(None)
    who = func.coalesce(said.c.annotator, "")  # so that SQLite does not go through everybody's to group these few
    replaced = (
        said.c.id.in_(select(later.c.supersedes).where(later.c.supersedes > "")),
        said.c.supersedes.is_distinct_from(said.c.id),
    )
    counts = _by(connection, said.c.annotator, named)
    counts.subtract(_by(connection, who, named, *replaced))
    counts.subtract(_by(connection, who, named, said.c.supersedes > "", taken_back(), ~superseded()))
    return counts


def _by(connection: Connection, who: ColumnElement[str], *conditions: ColumnElement[bool]) -> Counter[str]:
    rows = connection.execute(select(who, func.count()).where(*conditions).group_by(who))
    return Counter({row[0]: row[1] for row in rows})


def source_states(connection: Connection) -> list[SourceState]:
    """What has become of every text source, by name. It looks at every pair: whoever shows it, keeps it for a while."""
    one, said = schema.pairs, schema.judgements
    judged = select(said.c.seq).where(said.c.pair == one.c.id, said.c.unit == "pair", stands()).correlate(one).exists()
    counted = select(one.c.source, func.count(), func.count(one.c.rewrite_of), func.sum(case((judged, 1), else_=0)))
    rows = connection.execute(counted.where(one.c.state.is_distinct_from(REMOVED)).group_by(one.c.source))
    pairs = {source: (count, rewrites, int(number)) for source, count, rewrites, number in rows}
    document_pairs = _document_pairs(connection)
    known = sorted({*document_pairs, *pairs}, key=lambda source: (source is None, source))
    return [SourceState(source, dict(document_pairs[source]), *pairs.get(source, (0, 0, 0))) for source in known]


def _document_pairs(connection: Connection) -> dict[str | None, Counter[str]]:
    """The document pairs of each source by status; one that has none yet is a candidate."""
    one, document = schema.document_pairs, schema.documents
    grouped = (document.c.source, func.coalesce(one.c.status, CANDIDATE).label("status"))
    both = one.outerjoin(document, document.c.id == one.c.doc1)
    told: dict[str | None, Counter[str]] = defaultdict(Counter)
    for row in connection.execute(select(*grouped, func.count()).select_from(both).group_by(*grouped)):
        told[row[0]][row[1]] = row[2]
    return told
