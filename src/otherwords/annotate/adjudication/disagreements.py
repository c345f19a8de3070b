"""Disagreements: the judgements of each pair of a batch side by side, the worst disagreement first.

Each pair of a batch is a case, with the judgements that the batch asked for and the decision about it, if any. A case
is complete when all judgements are in. Only then can people disagree about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from sqlalchemy import Connection, literal, select

from otherwords.annotate.batches.batch import Batch
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.schemes.distance import canonical_json, severity
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_dicts

CaseFilter = Literal["disagreements", "unsure", "decided"]
CASE_FILTERS: tuple[CaseFilter, ...] = get_args(CaseFilter)
_ANSWER_COLUMNS = ("id", "annotator", "value", "unsure", "note", "rewrites", "seconds", "time")
_DECISION_COLUMNS = ("id", "pair", "annotator", "value", "note", "time", "meta")


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


@dataclass(frozen=True, slots=True)
class Resolution:
    """How far the adjudication of a batch is."""

    pairs: int
    complete: int
    agreed: int  # complete, and all gave the same answer
    disagreeing: int  # complete, and they did not
    decided: int  # by the team, agreeing or not
    waiting: int  # disagreeing, and not decided
    unsure: int  # agreed, but somebody was unsure, and not decided


@dataclass(slots=True)
class _PairJudgements:
    position: int
    asked: int = 0
    opinions: list[AnnotatorAnswer] = field(default_factory=list)


def cases(connection: Connection, batch: Batch, scheme: Scheme) -> list[Case]:
    """The pairs of a batch, in its order."""
    slots, judgements = schema.slots, schema.judgements
    columns = [slots.c.item, slots.c.position, *(judgements.c[name] for name in _ANSWER_COLUMNS)]
    joined = slots.outerjoin(judgements, judgements.c.id == slots.c.judgement)
    own = (slots.c.batch == batch.id, slots.c.position >= 0)  # hidden tests have negative positions
    rows = select(*columns).select_from(joined).where(*own).order_by(slots.c.position, slots.c.number)
    pairs: dict[str, _PairJudgements] = {}
    for item, position, *answer in connection.execute(rows):
        pair = pairs.setdefault(item, _PairJudgements(position))
        pair.asked += 1
        if answer[0] is not None:
            pair.opinions.append(AnnotatorAnswer(*answer))
    decisions = _decisions(connection, batch.id)
    compare = _Comparison(scheme)
    found = []
    for item, pair in pairs.items():
        complete = len(pair.opinions) == pair.asked
        disagreeing, apart = compare([opinion.value for opinion in pair.opinions]) if complete else (False, 0.0)
        unsure = any(opinion.unsure for opinion in pair.opinions)
        states = (complete, disagreeing, unsure, apart)
        found.append(Case(item, pair.position, tuple(pair.opinions), *states, decisions.get(item)))
    return found


class _Comparison:
    """How far answers are apart, computed once for each set of answers: many pairs share few sets."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme
        self._known: dict[frozenset[str], float] = {}

    def __call__(self, answers: Sequence[Any]) -> tuple[bool, float]:
        """Whether they differ at all, and how far."""
        distinct = {answer if isinstance(answer, str) else canonical_json(answer): answer for answer in answers}
        if len(distinct) < 2:
            return False, 0.0
        key = frozenset(distinct)
        if key not in self._known:
            self._known[key] = round(severity(self._scheme, list(distinct.values())), 4)
        return True, self._known[key]


def _decisions(connection: Connection, batch: str) -> dict[str, TeamDecision]:
    """The current decisions of a batch, by pair. The kind is spelled out for the sake of a partial index."""
    judgements = schema.judgements
    consensus = judgements.c.kind == literal("consensus", literal_execute=True)
    columns = [judgements.c[name] for name in _DECISION_COLUMNS]
    rows = select(*columns).where(consensus, judgements.c.batch == batch, is_current()).order_by(judgements.c.seq)
    found = row_dicts(connection.execute(rows))
    return {row.pop("pair"): TeamDecision(adopted=row.pop("meta").get("adopted"), **row) for row in found}


def select_cases(found: Iterable[Case], show: CaseFilter = "disagreements") -> list[Case]:
    """The cases to look at, the worst first; equally bad ones are in the order of the batch."""
    conditions = {
        "disagreements": lambda case: case.disagreeing and case.decision is None,
        "unsure": lambda case: case.complete and case.unsure and not case.disagreeing and case.decision is None,
        "decided": lambda case: case.decision is not None,
    }
    if show not in conditions:
        raise Refused(f"{show!r} is not one of {', '.join(CASE_FILTERS)}", code="unknown-queue")
    return sorted(filter(conditions[show], found), key=lambda case: (-case.severity, case.position))


def settled(found: Sequence[Case]) -> Resolution:
    """How many of the cases are in which state."""
    complete = [case for case in found if case.complete]
    disagreeing = sum(case.disagreeing for case in complete)
    return Resolution(
        pairs=len(found),
        complete=len(complete),
        agreed=len(complete) - disagreeing,
        disagreeing=disagreeing,
        decided=len(select_cases(found, "decided")),
        waiting=len(select_cases(found)),
        unsure=len(select_cases(found, "unsure")),
    )
