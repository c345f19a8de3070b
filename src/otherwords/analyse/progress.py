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

from sqlalchemy import ColumnElement, Connection, and_, case, desc, func, select

from otherwords.analyse.consensus import Agreement, Compared, agreed_on, agreement, compared_with
from otherwords.annotate.standing import stands, superseded, taken_back
from otherwords.project import schema
from otherwords.project.pairing import CANDIDATE

DAYS = 7
RECENT = 100  # judgements that the median of seconds is taken of
REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast somebody works: what they judged on each of the last days, and the median seconds of a recent pair."""

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
    """What somebody has done."""

    name: str
    judgements: int
    today: int
    last: str | None
    seconds: float | None
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class SourceState:
    """What has become of a text source."""

    source: str | None
    document_pairs: dict[str, int]
    pairs: int
    judged: int


def my_pace(connection: Connection, annotator: str, today: date | None = None) -> Pace:
    """What somebody judged today and on the days before; what they took back does not count."""
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
    counts = _standing(connection)
    said = schema.judgements
    since = (said.c.annotator.in_(sorted(counts)), said.c.time >= (today or _today()).isoformat(), stands())
    new = _by(connection, said.c.annotator, *since)
    agreed = agreed_on(connection)
    compared: dict[str, list[Compared]] = defaultdict(list)
    for name, both in compared_with(connection, agreed):
        compared[name].append(both)
    states = []
    for name in sorted(counts):
        last, seconds = _recently(connection, name)
        states.append(PersonState(name, counts[name], new[name], last, seconds, agreement(agreed, compared[name])))
    return states


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
    counted = select(one.c.source, func.count(), func.sum(case((judged, 1), else_=0)))
    rows = connection.execute(counted.where(one.c.state.is_distinct_from(REMOVED)).group_by(one.c.source))
    pairs = {source: (count, int(number)) for source, count, number in rows}
    document_pairs = _document_pairs(connection)
    known = sorted({*document_pairs, *pairs}, key=lambda source: (source is None, source))
    return [SourceState(source, dict(document_pairs[source]), *pairs.get(source, (0, 0))) for source in known]


def _document_pairs(connection: Connection) -> dict[str | None, Counter[str]]:
    """The document pairs of each source by status; one that has none yet is a candidate."""
    one, document = schema.document_pairs, schema.documents
    grouped = (document.c.source, func.coalesce(one.c.status, CANDIDATE).label("status"))
    both = one.outerjoin(document, document.c.id == one.c.doc1)
    told: dict[str | None, Counter[str]] = defaultdict(Counter)
    for row in connection.execute(select(*grouped, func.count()).select_from(both).group_by(*grouped)):
        told[row[0]][row[1]] = row[2]
    return told
