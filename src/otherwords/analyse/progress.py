"""How the work goes: a person's own pace and agreement, and for curators every batch, person and source.

These stand on pages that people look at all day, so none of them counts the whole ledger where an index or a number
that is kept anyway will do. Days are those of UTC, as the ledger writes times.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from statistics import median
from typing import Any

from sqlalchemy import Connection, Select, and_, case, desc, func, literal, select

from otherwords.annotate.standing import stands, superseded, taken_back
from otherwords.errors import LabelError
from otherwords.labels import parse
from otherwords.project import schema

DAYS = 7
RECENT = 100  # judgements that the median of seconds is taken of
PAIRS_A_QUERY = 500
REMOVED = "removed"
Compared = tuple[Any, Any]  # what one person said and what the team agreed on


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast somebody works: what they judged on each of the last days, and the median seconds of a recent pair."""

    days: tuple[tuple[date, int], ...]  # today is the last
    seconds: float | None

    @property
    def today(self) -> int:
        return self.days[-1][1]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often somebody said what the team agreed on; without anything to compare, why there is no figure."""

    compared: int
    full: float | None = None
    base: float | None = None
    reason: str | None = None


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
    agreed = _agreed(connection)
    return _agreement(agreed, [pair for _, pair in _compared(connection, agreed, annotator)])


def _agreed(connection: Connection) -> dict[tuple[str, str | None], Any]:
    """What the team agreed on, by pair and scheme. The kind is spelled out for the sake of a partial index."""
    said = schema.judgements
    consensus = (said.c.kind == literal("consensus", literal_execute=True), said.c.unit == "pair", stands())
    rows = connection.execute(select(said.c.pair, said.c.scheme, said.c.value).where(*consensus).order_by(said.c.seq))
    return {(row.pair, row.scheme): row.value for row in rows}


def _compared(
    connection: Connection, agreed: dict[tuple[str, str | None], Any], annotator: str | None = None
) -> Iterator[tuple[str, Compared]]:
    """Everybody's own judgements of those pairs, or those of one person, each beside what the team agreed on."""
    said = schema.judgements
    alone = [said.c.unit == "pair", said.c.kind == "individual", said.c.annotator.is_not(None), stands()]
    if annotator is not None:
        alone.append(func.coalesce(said.c.annotator, "") == annotator)  # by pair: somebody may have judged everything
    pairs = sorted({pair for pair, _ in agreed})
    for start in range(0, len(pairs), PAIRS_A_QUERY):
        of_these = said.c.pair.in_(pairs[start : start + PAIRS_A_QUERY])
        columns = (said.c.annotator, said.c.pair, said.c.scheme, said.c.value)
        for row in connection.execute(select(*columns).where(of_these, *alone)):
            if (row.pair, row.scheme) in agreed:
                yield row.annotator, (row.value, agreed[row.pair, row.scheme])


def _agreement(agreed: dict[tuple[str, str | None], Any], compared: list[Compared]) -> Agreement:
    if not agreed:
        return Agreement(0, reason="the team has not agreed on any pair yet")
    if not compared:
        return Agreement(0, reason="none of the pairs that the team agreed on was judged by this person before")
    full = sum(mine == team for mine, team in compared)
    base = sum(_base(mine) == _base(team) for mine, team in compared)
    return Agreement(len(compared), full / len(compared), base / len(compared))


def _base(answer: Any) -> Any:
    """A label without its flags; an answer of another scheme as it is."""
    try:
        return parse(answer).base if isinstance(answer, str) else answer
    except LabelError:
        return answer


def batch_states(connection: Connection) -> list[BatchState]:
    """How far every batch is, the first made first: from what takers have done, and the slots that still wait."""
    one, slot, taker = schema.batches, schema.slots, schema.takers
    waiting = select(func.count()).where(slot.c.batch == one.c.id, slot.c.judgement.is_(None)).scalar_subquery()
    people: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for row in connection.execute(select(taker).order_by(taker.c.batch, taker.c.annotator)):
        people[row.batch].append((row.annotator, row.done))
    held = _held(connection)
    states = []
    for row in connection.execute(select(one, waiting.label("waiting")).order_by(one.c.seq)).mappings():
        done = sum(count for _, count in people[row["id"]])
        kept = {name: row[name] for name in ("id", "scheme", "purpose", "asked", "state")}
        slots = done + row["waiting"]
        counts = {"slots": slots, "items": -(-slots // row["asked"]), "done": done, "held": held[row["id"]]}
        states.append(BatchState(**kept, **counts, people=tuple(people[row["id"]]), opened=row["time"]))
    return states


def _held(connection: Connection) -> Counter[str]:
    """How many slots of each batch somebody works on right now."""
    slot, taker = schema.slots, schema.takers
    theirs = and_(slot.c.holder == taker.c.annotator, slot.c.batch == taker.c.batch, slot.c.judgement.is_(None))
    counted = select(taker.c.batch, func.count()).select_from(taker.join(slot, theirs))
    rows = connection.execute(counted.where(slot.c.until > time.time()).group_by(taker.c.batch))
    return Counter({batch: held for batch, held in rows})


def people_states(connection: Connection, today: date | None = None) -> list[PersonState]:
    """What everybody who ever judged has done, by name."""
    counts = _standing(connection)
    said = schema.judgements
    since = (said.c.annotator.in_(sorted(counts)), said.c.time >= (today or _today()).isoformat(), stands())
    new = _by_annotator(connection, select(said.c.annotator, func.count()).where(*since))
    agreed = _agreed(connection)
    compared: dict[str, list[Compared]] = defaultdict(list)
    for name, pair in _compared(connection, agreed):
        compared[name].append(pair)
    states = []
    for name in sorted(counts):
        last, seconds = _recently(connection, name)
        states.append(PersonState(name, counts[name], new[name], last, seconds, _agreement(agreed, compared[name])))
    return states


def _standing(connection: Connection) -> Counter[str]:
    """How many judgements of each person stand: all that an index counts, less the few that were replaced or taken back.

    Only what supersedes something is looked at for that. A null that supersedes nothing, which a file may bring and
    the site never writes, is counted.
    """
    said = schema.judgements
    everything = select(said.c.annotator, func.count())
    replaced = everything.where(said.c.id.in_(select(said.alias().c.supersedes).where(said.alias().c.supersedes > "")))
    back = everything.where(said.c.supersedes > "", taken_back(), ~superseded())
    counts = _by_annotator(connection, everything)
    counts.subtract(_by_annotator(connection, replaced))
    counts.subtract(_by_annotator(connection, back))
    return counts


def _by_annotator(connection: Connection, counted: Select[Any]) -> Counter[str]:
    said = schema.judgements
    rows = connection.execute(counted.where(said.c.annotator.is_not(None)).group_by(said.c.annotator))
    return Counter({annotator: count for annotator, count in rows})


def source_states(connection: Connection) -> list[SourceState]:
    """What has become of every text source, by name. It looks at every pair, so whoever shows it keeps it for a while."""
    one, said = schema.pairs, schema.judgements
    document_pairs: dict[str | None, dict[str, int]] = defaultdict(dict)
    for source, status, count in connection.execute(_document_pairs()):
        document_pairs[source][status or "candidate"] = count
    judged = select(said.c.seq).where(said.c.pair == one.c.id, said.c.unit == "pair", stands()).correlate(one).exists()
    counted = select(one.c.source, func.count(), func.sum(case((judged, 1), else_=0)))
    rows = connection.execute(counted.where(one.c.state.is_distinct_from(REMOVED)).group_by(one.c.source))
    pairs = {source: (count, int(number)) for source, count, number in rows}
    known = sorted({*document_pairs, *pairs}, key=lambda source: (source is None, source))
    return [SourceState(source, document_pairs[source], *pairs.get(source, (0, 0))) for source in known]


def _document_pairs() -> Select[Any]:
    one, document = schema.document_pairs, schema.documents
    both = one.outerjoin(document, document.c.id == one.c.doc1)
    return (
        select(document.c.source, one.c.status, func.count())
        .select_from(both)
        .group_by(document.c.source, one.c.status)
    )
