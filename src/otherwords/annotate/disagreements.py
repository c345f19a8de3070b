"""Disagreements: what people said of the pairs of a batch, side by side, the worst first.

In goes a batch, out come its pairs as cases, each with the judgements that the batch asked for and what was decided
about it since. A case is complete when all of them are in. Only then can people disagree about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from sqlalchemy import Connection, literal, select

from otherwords.annotate.batches import Batch
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.severity import severity, spelled
from otherwords.annotate.standing import stands
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.rows import dicts

Show = Literal["disagreements", "unsure", "decided"]
SHOWS: tuple[Show, ...] = get_args(Show)
_SAID = ("id", "annotator", "value", "unsure", "note", "rewrites", "seconds", "time")
_DECIDED = ("id", "pair", "annotator", "value", "note", "time", "meta")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person said of a pair."""

    id: str
    annotator: str | None
    value: Any
    unsure: bool
    note: str | None
    rewrites: list[list[str]]
    seconds: float | None
    time: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the team decided about a pair, and who wrote that down."""

    id: str
    annotator: str | None
    value: Any
    note: str | None
    time: str | None
    adopted: str | None  # the judgement that was taken over, if one was


@dataclass(frozen=True, slots=True)
class Case:
    """A pair of a batch with all that was said of it there."""

    pair: str
    position: int
    opinions: tuple[Opinion, ...]
    complete: bool
    disagreeing: bool
    unsure: bool  # somebody is
    severity: float  # 0 where all say the same
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """How far the adjudication of a batch is."""

    pairs: int
    complete: int
    agreed: int  # complete, and all said the same
    disagreeing: int  # complete, and they did not
    decided: int  # by the team, agreeing or not
    waiting: int  # disagreeing, and not decided
    unsure: int  # agreed, but somebody was unsure, and not decided


@dataclass(slots=True)
class _Said:
    position: int
    asked: int = 0
    opinions: list[Opinion] = field(default_factory=list)


def cases(connection: Connection, of: Batch, scheme: Scheme) -> list[Case]:
    """The pairs of a batch, in its order."""
    slot, said = schema.slots, schema.judgements
    columns = [slot.c.item, slot.c.position, *(said.c[name] for name in _SAID)]
    both = slot.outerjoin(said, said.c.id == slot.c.judgement)
    mine = (slot.c.batch == of.id, slot.c.position >= 0)  # hidden tests lie before the first
    rows = select(*columns).select_from(both).where(*mine).order_by(slot.c.position, slot.c.number)
    found: dict[str, _Said] = {}
    for item, position, *told in connection.execute(rows):
        one = found.get(item)
        if one is None:
            one = found[item] = _Said(position)
        one.asked += 1
        if told[0] is not None:
            one.opinions.append(Opinion(*told))
    decisions = decisions_in(connection, of.id)
    apart = _Apart(scheme)
    return [_case(apart, pair, one, decisions.get(pair)) for pair, one in found.items()]


class _Apart:
    """How far answers are apart, worked out once for each set of them: there are few among many pairs."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme
        self._known: dict[frozenset[str], float] = {}

    def __call__(self, answers: Sequence[Any]) -> tuple[bool, float]:
        """Whether they differ at all, and how far."""
        by_spelling = {one if isinstance(one, str) else spelled(one): one for one in answers}
        if len(by_spelling) < 2:
            return False, 0.0
        name = frozenset(by_spelling)
        if name not in self._known:
            self._known[name] = round(severity(self._scheme, list(by_spelling.values())), 4)
        return True, self._known[name]


def _case(apart: _Apart, pair: str, said: _Said, decision: Decision | None) -> Case:
    complete = len(said.opinions) == said.asked
    disagreeing, severity = apart([one.value for one in said.opinions]) if complete else (False, 0.0)
    unsure = any(one.unsure for one in said.opinions)
    return Case(pair, said.position, tuple(said.opinions), complete, disagreeing, unsure, severity, decision)


def decisions_in(connection: Connection, batch: str) -> dict[str, Decision]:
    """What was decided in a batch and stands, by pair. The kind is spelled out for the sake of a partial index."""
    said = schema.judgements
    consensus = (said.c.kind == literal("consensus", literal_execute=True), said.c.batch == batch, stands())
    rows = select(*(said.c[name] for name in _DECIDED)).where(*consensus).order_by(said.c.seq)
    return {row["pair"]: _decision(row) for row in dicts(connection.execute(rows))}


def _decision(row: dict[str, Any]) -> Decision:
    told = {name: row[name] for name in ("id", "annotator", "value", "note", "time")}
    return Decision(**told, adopted=row["meta"].get("adopted"))


def queue(found: Iterable[Case], show: Show = "disagreements") -> list[Case]:
    """The cases that are to be looked at, the worst first; what is as bad as the other comes in the batch's order."""
    wanted = {
        "disagreements": lambda one: one.disagreeing and one.decision is None,
        "unsure": lambda one: one.complete and one.unsure and not one.disagreeing and one.decision is None,
        "decided": lambda one: one.decision is not None,
    }
    if show not in wanted:
        raise Refused(f"{show!r} is not one of {', '.join(SHOWS)}")
    return sorted(filter(wanted[show], found), key=lambda one: (-one.severity, one.position))


def settled(found: Sequence[Case]) -> Settled:
    """How many of the cases are where."""
    complete = [one for one in found if one.complete]
    disagreeing = sum(one.disagreeing for one in complete)
    return Settled(
        pairs=len(found),
        complete=len(complete),
        agreed=len(complete) - disagreeing,
        disagreeing=disagreeing,
        decided=len(queue(found, "decided")),
        waiting=len(queue(found)),
        unsure=len(queue(found, "unsure")),
    )
