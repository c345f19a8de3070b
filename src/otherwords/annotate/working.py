"""What a page needs to go on with a batch: the units that were taken, those answered last, and how far one has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, desc, func, select

from otherwords.annotate.batches import Batch
from otherwords.annotate.taking import Taken
from otherwords.project import schema
from otherwords.project.rows import dicts, record_of_row, records
from otherwords.records import Judgement, Pair

BLIND = ("check",)


@dataclass(frozen=True, slots=True)
class Task:
    """A pair to be judged, as much of it as an annotator may see, and what they said of it if they did."""

    slot: int
    position: int
    pair: str | None  # nothing in a blind batch, where a name could tell what kind of pair it is
    text1: str
    text2: str
    lang: str | None
    context: bool  # there are documents to be looked at
    until: float | None = None
    judgement: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an annotator has come, and how far all have."""

    mine: int
    for_me: int
    done: int
    asked: int


def tasks(connection: Connection, of: Batch, taken: Sequence[Taken]) -> list[Task]:
    """The pairs of some slots, in the order of the slots; one that was withdrawn since is left out."""
    pairs = _pairs(connection, [one.item for one in taken])
    return [_task(of, one.slot, one.position, pairs[one.item], one.until) for one in taken if one.item in pairs]


def recent(connection: Connection, of: Batch, annotator: str, most: int) -> list[Task]:
    """What an annotator answered last in a batch, the latest last."""
    slots, said = schema.slots, schema.judgements
    answered = and_(slots.c.seq == said.c.meta["slot"].as_integer(), slots.c.judgement == said.c.id)
    mine = (said.c.annotator == annotator, said.c.batch == of.id)
    found = select(slots.c.seq, slots.c.position, said).join_from(said, slots, answered).where(*mine)
    latest = found.order_by(desc(said.c.time), desc(said.c.seq)).limit(most)
    rows = [dict(row) for row in connection.execute(latest).mappings()]
    pairs = _pairs(connection, [row["pair"] for row in rows])
    told = ("id", "value", "unsure", "note", "rewrites", "time", "guideline")
    return [
        _task(of, row["seq"], row["position"], pairs[row["pair"]], None, {name: row[name] for name in told})
        for row in reversed(rows)
        if row["pair"] in pairs
    ]


def progress(connection: Connection, of: Batch, annotator: str) -> Progress:
    """Counts from what takers did, without counting slots one by one."""
    slots, takers = schema.slots, schema.takers
    done = {
        row.annotator: row.done
        for row in connection.execute(select(takers.c.annotator, takers.c.done).where(takers.c.batch == of.id))
    }
    last = connection.execute(select(func.max(slots.c.position)).where(slots.c.batch == of.id)).scalar()
    items = 0 if last is None else int(last) + 1
    for_me = items
    if of.rules.assigned:
        mine = (slots.c.assigned == annotator, slots.c.batch == of.id)
        for_me = connection.execute(select(func.count()).select_from(slots).where(*mine)).scalar() or 0
    return Progress(done.get(annotator, 0), for_me, sum(done.values()), items * of.asked)


def history(connection: Connection, pair: str, annotators: Sequence[str] | None) -> list[Judgement]:
    """All that was ever said of a pair, also what was taken back, by all or by some."""
    one = schema.judgements
    by = [one.c.annotator.in_(annotators)] if annotators is not None else []
    return list(records(connection, Judgement, one.c.unit == "pair", one.c.pair == pair, *by))


def _pairs(connection: Connection, names: Sequence[str]) -> dict[str, Pair]:
    if not names:
        return {}
    return {row["id"]: record_of_row(Pair, row) for row in dicts(connection.execute(_THERE, {"names": list(names)}))}


_pair = schema.pairs
_THERE = select(_pair).where(
    _pair.c.id.in_(bindparam("names", expanding=True)), _pair.c.state.is_(None), _pair.c.text1 != ""
)


def _task(
    of: Batch, slot: int, position: int, pair: Pair, until: float | None, judgement: dict[str, Any] | None = None
) -> Task:
    context = of.rules.context and pair.doc1 is not None and pair.doc2 is not None
    name = None if of.purpose in BLIND else pair.id
    return Task(slot, position, name, pair.text1, pair.text2, pair.lang, context, until, judgement)
