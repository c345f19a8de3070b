"""Disagreements: the judgements of each pair of a batch side by side, the worst disagreement first.

Each pair of a batch is a case, with the judgements that the batch asked for and the decision about it, if any. A case
is complete when all judgements are in. Only then can people disagree about it.

A batch may have a million judgements, so what only counts or chooses cases reads their outlines: the values alone, row
by row. Who gave which answer is read for the cases that somebody looks at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, TypeVar, get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, Text, cast, literal, select

from otherwords.annotate.batches.batch import Batch
from otherwords.annotate.current_judgements import NULL, is_current
from otherwords.annotate.schemes.distance import canonical_json, severity
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks, row_dicts

CaseFilter = Literal["disagreements", "unsure", "decided"]
CASE_FILTERS: tuple[CaseFilter, ...] = get_args(CaseFilter)
_ANSWER_COLUMNS = ("id", "annotator", "value", "unsure", "note", "rewrites", "seconds", "time")
_DECISION_COLUMNS = ("id", "pair", "annotator", "value", "note", "time", "meta")
ROWS_AT_A_TIME = 10_000
MOST_COMBINATIONS = 50_000  # of answers that are kept with how far they are apart


@dataclass(frozen=True, slots=True)
class AnnotatorAnswer:
    """One person's judgement of a pair."""

    id: str
    annotator: str | None
    value: Any
    unsure: bool
    note: str | None
    rewrites: list[list[str]]
    seconds: float | None
    time: str | None


@dataclass(frozen=True, slots=True)
class TeamDecision:
    """What the team decided about a pair, and who recorded it."""

    id: str
    annotator: str | None
    value: Any
    note: str | None
    time: str | None
    adopted: str | None  # the judgement that was adopted, if one was


@dataclass(frozen=True, slots=True)
class CaseOutline:
    """A pair of a batch and how far apart its judgements there are."""

    pair: str
    position: int
    values: tuple[Any, ...]
    complete: bool
    disagreeing: bool
    unsure: bool  # somebody is
    severity: float  # 0 if all agree
    decided: bool  # by the team


@dataclass(frozen=True, slots=True)
class Case:
    """A pair of a batch with all its judgements there."""

    pair: str
    position: int
    opinions: tuple[AnnotatorAnswer, ...]
    complete: bool
    disagreeing: bool
    unsure: bool  # somebody is
    severity: float  # 0 if all agree
    decision: TeamDecision | None = None

    @property
    def values(self) -> tuple[Any, ...]:
        return tuple(opinion.value for opinion in self.opinions)

    @property
    def decided(self) -> bool:
        return self.decision is not None


AnyCase = TypeVar("AnyCase", CaseOutline, Case)


@dataclass(frozen=True, slots=True)
class Resolution:
    """How far the adjudication of a batch is."""

    pairs: int
    complete: int
    agreed: int  # complete, and several people gave the same answer
    disagreeing: int  # complete, and they did not
    decided: int  # by the team, agreeing or not
    waiting: int  # disagreeing, and not decided
    unsure: int  # agreed, but somebody was unsure, and not decided


def cases(connection: Connection, batch: Batch, scheme: Scheme) -> list[Case]:
    """The pairs of a batch, in its order."""
    return cases_of(connection, batch, case_outlines(connection, batch, scheme))


def case_outlines(connection: Connection, batch: Batch, scheme: Scheme) -> Iterator[CaseOutline]:
    """The outlines of the pairs of a batch, in its order; equal answers to many pairs are compared once."""
    slots, judgements = schema.slots, schema.judgements
    columns = (slots.c.item, slots.c.position, cast(judgements.c.value, Text).label("value"), judgements.c.unsure)
    rows = connection.execute(_slots_with_judgements(batch, *columns).execution_options(yield_per=ROWS_AT_A_TIME))
    decided = {row.pair for row in connection.execute(_decisions(batch, judgements.c.pair))}
    compare = _Comparison(scheme)
    with rows:
        for (pair, position), of_pair in groupby(rows, key=lambda row: (row.item, row.position)):
            answers = [(row.value, row.unsure) for row in of_pair]
            given = tuple(value or NULL for value, unsure in answers if unsure is not None)
            values, disagreeing, severity = compare(given)
            complete, unsure = len(given) == len(answers), any(unsure for _, unsure in answers)
            apart = (disagreeing, unsure, severity) if complete else (False, unsure, 0.0)
            yield CaseOutline(pair, position, values, complete, *apart, pair in decided)


def cases_of(connection: Connection, batch: Batch, outlines: Iterable[CaseOutline]) -> list[Case]:
    """The cases of these outlines, in their order, with everybody's answers and the decision of the team."""
    slots, judgements = schema.slots, schema.judgements
    columns = [slots.c.item, *(judgements.c[name] for name in _ANSWER_COLUMNS)]
    found = []
    for block in in_blocks(outlines):
        opinions: dict[str, list[AnnotatorAnswer]] = {outline.pair: [] for outline in block}
        here = slots.c.position.in_([outline.position for outline in block])
        for item, *answer in connection.execute(_slots_with_judgements(batch, *columns).where(here)):
            if answer[0] is not None:
                opinions[item].append(AnnotatorAnswer(*answer))
        decisions = _decisions_on(connection, batch, opinions)
        for outline in block:
            states = (outline.complete, outline.disagreeing, outline.unsure, outline.severity)
            answers = tuple(opinions[outline.pair])
            found.append(Case(outline.pair, outline.position, answers, *states, decisions.get(outline.pair)))
    return found


def _slots_with_judgements(batch: Batch, *columns: ColumnElement[Any]) -> Select[Any]:
    """These columns of the slots of a batch and of the judgements in them, in the order of the batch."""
    slots, judgements = schema.slots, schema.judgements
    joined = slots.outerjoin(judgements, judgements.c.id == slots.c.judgement)
    own = (slots.c.batch == batch.id, slots.c.position >= 0)  # hidden tests have negative positions
    return select(*columns).select_from(joined).where(*own).order_by(slots.c.position, slots.c.number)


class _Comparison:
    """How far answers are apart, computed once for each combination of answers: many pairs share few of them."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme
        self._known: dict[tuple[str, ...], tuple[tuple[Any, ...], bool, float]] = {}

    def __call__(self, answers: tuple[str, ...]) -> tuple[tuple[Any, ...], bool, float]:
        """Answers as JSON as values, whether they differ at all, and how far."""
        known = self._known.get(answers)
        if known is None:
            if len(self._known) >= MOST_COMBINATIONS:
                self._known.clear()
            known = self._known[answers] = self._compared(answers)
        return known

    def _compared(self, answers: tuple[str, ...]) -> tuple[tuple[Any, ...], bool, float]:
        values = tuple(msgspec.json.decode(answer) for answer in answers)
        distinct = {canonical_json(value): value for value in values}
        if len(distinct) < 2:
            return values, False, 0.0
        return values, True, round(severity(self._scheme, list(distinct.values())), 4)


def _decisions(batch: Batch, *columns: ColumnElement[Any]) -> Select[Any]:
    """The current decisions of a batch. The kind is spelled out for the sake of a partial index."""
    judgements = schema.judgements
    consensus = judgements.c.kind == literal("consensus", literal_execute=True)
    own = (consensus, judgements.c.batch == batch.id, is_current())
    return select(*columns).where(*own).order_by(judgements.c.seq)


def _decisions_on(connection: Connection, batch: Batch, pairs: Collection[str]) -> dict[str, TeamDecision]:
    """The current decision about each of some pairs of a batch that has one."""
    judgements = schema.judgements
    statement = _decisions(batch, *(judgements.c[name] for name in _DECISION_COLUMNS))
    found = row_dicts(connection.execute(statement.where(judgements.c.pair.in_(pairs))))
    return {row.pop("pair"): TeamDecision(adopted=row.pop("meta").get("adopted"), **row) for row in found}


def select_cases(found: Iterable[AnyCase], show: CaseFilter = "disagreements") -> list[AnyCase]:
    """The cases to look at, the worst first; equally bad ones are in the order of the batch."""
    if show not in CASE_FILTERS:
        raise Refused(f"{show!r} is not one of {', '.join(CASE_FILTERS)}", code="unknown-queue")
    return sorted((case for case in found if _queue(case) == show), key=lambda case: (-case.severity, case.position))


def _queue(case: CaseOutline | Case) -> CaseFilter | None:
    """The queue that a case is in, if it is in one."""
    if case.decided:
        return "decided"
    if case.disagreeing:
        return "disagreements"
    return "unsure" if case.complete and case.unsure else None


class CaseTally:
    """Counts cases that pass by on their way to whoever chooses among them: a long batch need not be kept for that."""

    def __init__(self) -> None:
        self._counts: Counter[str | None] = Counter()

    def counting(self, found: Iterable[AnyCase]) -> Iterator[AnyCase]:
        for case in found:
            self._counts[_queue(case)] += 1
            self._counts["pairs"] += 1
            self._counts["complete"] += case.complete
            self._counts["disagreeing"] += case.disagreeing
            self._counts["agreed"] += case.complete and not case.disagreeing and len(case.values) > 1
            yield case

    @property
    def settled(self) -> Resolution:
        """How many of the cases that have passed are in which state."""
        counts = self._counts
        return Resolution(
            pairs=counts["pairs"],
            complete=counts["complete"],
            agreed=counts["agreed"],
            disagreeing=counts["disagreeing"],
            decided=counts["decided"],
            waiting=counts["disagreements"],
            unsure=counts["unsure"],
        )


def settled(found: Iterable[AnyCase]) -> Resolution:
    """How many of the cases are in which state."""
    tally = CaseTally()
    for _ in tally.counting(found):
        pass
    return tally.settled
