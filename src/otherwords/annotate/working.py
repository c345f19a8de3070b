"""What a page needs to go on with a batch: the units that were taken, those answered last, and how far one has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, and_, desc, func, select

from otherwords.annotate.batches import Batch
from otherwords.annotate.concealing import Concealing, needed
from otherwords.annotate.pair_labels import labels_of
from otherwords.annotate.taking import Taken
from otherwords.annotate.units import Shown, shown_units
from otherwords.project import schema
from otherwords.project.rows import records
from otherwords.records import Judgement

BLIND = ("check",)


@dataclass(frozen=True, slots=True)
class Task:
    """A unit to be judged, as much of it as an annotator may see, and what they said of it if they did."""

    slot: int
    position: int
    pair: str | None  # nothing in a blind batch, where a name could tell what kind of pair it is
    text1: str
    text2: str
    lang: str | None
    context: bool  # there are documents to be looked at
    until: float | None = None
    judgement: dict[str, Any] | None = None
    present: str | None = None  # the label that it has, where that is what is checked
    texts: list[str] = field(default_factory=list)  # of a group, which has no two


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an annotator has come, and how far all have."""

    mine: int
    for_me: int  # what they have done, and at most what is left for them
    done: int
    asked: int


def tasks(
    connection: Connection, of: Batch, taken: Sequence[Taken], concealing: Concealing | None = None
) -> list[Task]:
    """The pairs of some slots, in the order of the slots; one that was withdrawn since is left out."""
    units = shown_units(connection, of.unit, [one.item for one in taken])
    there = [one for one in taken if one.item in units]
    told = [_task(of, one.slot, one.position, one.item, units[one.item], one.until) for one in there]
    if of.rules.tests is not None:
        return _concealed(told, needed(concealing))
    return _with_labels(connection, of, told) if of.purpose == "qa" else told


def _with_labels(connection: Connection, of: Batch, told: list[Task]) -> list[Task]:
    """Quality control begins with what a pair is said to be by now."""
    labels = labels_of(connection, [one.pair for one in told if one.pair], of.scheme)
    return [replace(one, present=labels[one.pair].label if one.pair in labels else None) for one in told]


def _concealed(told: list[Task], concealing: Concealing) -> list[Task]:
    """Tasks that may be tests: under their handles, in a place that says nothing."""
    return [replace(one, slot=concealing.handle(one.slot), position=place) for place, one in enumerate(told)]


def recent(
    connection: Connection, of: Batch, annotator: str, most: int, concealing: Concealing | None = None
) -> list[Task]:
    """What an annotator answered last in a batch, the latest last; tests are answered once and for all."""
    slots, said = schema.slots, schema.judgements
    answered = and_(slots.c.seq == said.c.meta["slot"].as_integer(), slots.c.judgement == said.c.id)
    mine = (said.c.annotator == annotator, said.c.batch == of.id, slots.c.position >= 0)
    found = select(slots.c.seq, slots.c.position, said).join_from(said, slots, answered).where(*mine)
    latest = found.order_by(desc(said.c.time), desc(said.c.seq)).limit(most)
    rows = [dict(row) for row in connection.execute(latest).mappings()]
    units = shown_units(connection, of.unit, [row["pair"] for row in rows])
    told = ("id", "value", "unsure", "note", "rewrites", "time", "guideline")
    there = [(row, units[row["pair"]]) for row in reversed(rows) if row["pair"] in units]
    shown = [
        _task(of, row["seq"], row["position"], row["pair"], unit, None, {name: row[name] for name in told})
        for row, unit in there
    ]
    return shown if of.rules.tests is None else _concealed(shown, needed(concealing))


def progress(connection: Connection, of: Batch, annotator: str) -> Progress:
    """Counts from what takers did, without counting slots one by one."""
    slots, taker = schema.slots, schema.takers
    found = select(taker.c.annotator, taker.c.done, taker.c.tests).where(taker.c.batch == of.id)
    takers = {name: (done, tests) for name, done, tests in connection.execute(found)}
    done = sum(each for each, _ in takers.values())
    mine, my_tests = takers.get(annotator, (0, 0))
    last = connection.execute(select(func.max(slots.c.position)).where(slots.c.batch == of.id)).scalar()
    items = 0 if last is None else int(last) + 1
    asked = items * of.asked if not of.rules.second_sees else _slots(connection, of)
    left = items * of.asked - done + sum(tests for _, tests in takers.values())
    for_me = min(items, mine - my_tests + left)
    if of.rules.assigned:
        dealt = (slots.c.assigned == annotator, slots.c.batch == of.id)
        for_me = connection.execute(select(func.count()).select_from(slots).where(*dealt)).scalar() or 0
    if (tests := of.rules.tests) is not None:
        for_me += min(len(tests.pairs), for_me // (tests.every - 1))
        asked = max(asked * tests.every // (tests.every - 1), done)
    return Progress(mine, for_me, done, asked)


def _slots(connection: Connection, of: Batch) -> int:
    slots = schema.slots
    return connection.execute(select(func.count()).select_from(slots).where(slots.c.batch == of.id)).scalar_one()


def history(connection: Connection, pair: str, annotators: Sequence[str] | None) -> list[Judgement]:
    """All that was ever said of a pair, also what was taken back, by all or by some."""
    one = schema.judgements
    by = [one.c.annotator.in_(annotators)] if annotators is not None else []
    return list(records(connection, Judgement, one.c.unit == "pair", one.c.pair == pair, *by))


def _task(
    of: Batch,
    slot: int,
    position: int,
    item: str,
    shown: Shown,
    until: float | None,
    judgement: dict[str, Any] | None = None,
) -> Task:
    context = of.rules.context and shown.context
    name = None if of.rules.blind or of.purpose in BLIND or of.unit != "pair" else item
    texts = list(shown.texts)
    return Task(slot, position, name, shown.text1, shown.text2, shown.lang, context, until, judgement, texts=texts)
