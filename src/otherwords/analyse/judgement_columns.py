"""Judgements as columns of numbers, one table for each scheme and unit.

A million judgements by a few annotators with a few labels take little memory this way.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from otherwords.records import Judgement, Pair

PRODUCTION, AGREEMENT = "production", "agreement"


@dataclass(slots=True)
class TypeJudgements:
    """Whole judgements that list phenomena, and the pairs whose texts they do not carry."""

    judgements: list[Judgement] = field(default_factory=list)
    pairs: dict[str, Pair] = field(default_factory=dict)


@dataclass(slots=True)
class JudgementTable:
    """The judgements of one scheme and unit, one row each; ``units``, ``annotators`` and ``values`` hold indexes.

    Each distinct value is stored once. The annotator of a consensus is None. If the table is ``anonymous``, nobody
    knows who voted: the votes of each unit are numbered, and these numbers say nothing about people.
    """

    units: list[int] = field(default_factory=list)
    annotators: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    batches: list[str | None] = field(default_factory=list)
    times: list[str | None] = field(default_factory=list)
    unit_index: dict[str, int] = field(default_factory=dict)
    annotator_index: dict[str | None, int] = field(default_factory=dict)
    value_index: dict[Any, int] = field(default_factory=dict)
    distinct_values: list[Any] = field(default_factory=list)
    typed: TypeJudgements = field(default_factory=TypeJudgements)
    purposes: list[str | None] = field(default_factory=list)
    anonymous: bool = False
    votes: Counter[str] = field(default_factory=Counter)  # of each unit, if anonymous
    by_models: list[tuple[str, str, Any]] = field(default_factory=list)  # unit, model, value: apart from all people

    def add(
        self,
        unit: str,
        annotator: str | None,
        value: Any,
        batch: str | None = None,
        time: str | None = None,
        purpose: str | None = None,
    ) -> None:
        """Append a judgement."""
        if self.anonymous:
            self.votes[unit] += 1
            annotator = f"anonymous vote {self.votes[unit]}"
        self.units.append(self.unit_index.setdefault(unit, len(self.unit_index)))
        self.annotators.append(self.annotator_index.setdefault(annotator, len(self.annotator_index)))
        key = value if type(value) is str else msgspec.json.encode(value)
        index = self.value_index.setdefault(key, len(self.value_index))
        if index == len(self.distinct_values):
            self.distinct_values.append(value)
        self.values.append(index)
        self.batches.append(batch)
        self.times.append(time)
        self.purposes.append(purpose)

    def with_models(self) -> JudgementTable:
        """The same judgements with those of models among them, each under its name."""
        table = JudgementTable()
        units, annotators = list(self.unit_index), list(self.annotator_index)
        for unit, annotator, value in zip(self.units, self.annotators, self.values, strict=True):
            table.add(units[unit], annotators[annotator], self.distinct_values[value])
        for unit_name, model, answer in self.by_models:
            table.add(unit_name, model, answer)
        return table

    @property
    def models(self) -> list[str]:
        """The models that judged."""
        return sorted({model for _, model, _ in self.by_models})

    @property
    def known_purposes(self) -> tuple[str, ...]:
        """What the judgements that can be compared were made for, as far as that is known.

        A unit that one person judged adds nothing to any coefficient, whatever it was judged for.
        """
        team = self.annotator_index.get(None, -1)
        rows = zip(self.units, self.annotators, self.purposes, strict=True)
        own = [(unit, annotator, purpose) for unit, annotator, purpose in rows if annotator != team]
        people = Counter(unit for unit, _ in {(unit, annotator) for unit, annotator, _ in own})
        compared = {purpose for unit, _, purpose in own if purpose and people[unit] > 1}
        return tuple(sorted(compared or {purpose for *_, purpose in own if purpose}))

    def without_earlier(self) -> JudgementTable:
        """Without judgements for production of units that two people judged for agreement."""
        team = self.annotator_index.get(None, -1)
        people: dict[int, set[int]] = {}
        for unit, annotator, purpose in zip(self.units, self.annotators, self.purposes, strict=True):
            if purpose == AGREEMENT and annotator != team:
                people.setdefault(unit, set()).add(annotator)
        doubled = {unit for unit, names in people.items() if len(names) > 1}
        units, annotators = list(self.unit_index), list(self.annotator_index)
        pairs = {units[unit] for unit in doubled}
        typed = [
            judgement
            for judgement in self.typed.judgements
            if judgement.kind == "consensus" or judgement.purpose != PRODUCTION or judgement.pair not in pairs
        ]
        table = JudgementTable(typed=TypeJudgements(typed, self.typed.pairs), by_models=self.by_models)
        columns = (self.units, self.annotators, self.values, self.batches, self.times, self.purposes)
        for unit, annotator, value, batch, time, purpose in zip(*columns, strict=True):
            if annotator == team or purpose != PRODUCTION or unit not in doubled:
                table.add(units[unit], annotators[annotator], self.distinct_values[value], batch, time, purpose)
        return table if len(table.units) < len(self.units) else self


class TableKey(NamedTuple):
    """What the judgements of a table have in common."""

    scheme: str | None
    unit: str
    anonymous: bool = False


JudgementTables = dict[TableKey, JudgementTable]


def table_for(tables: JudgementTables, scheme: str | None, unit: str, *, anonymous: bool = False) -> JudgementTable:
    """The table of that scheme and unit, which is added if there is none."""
    key = TableKey(scheme, unit, anonymous)
    if key not in tables:
        tables[key] = JudgementTable(anonymous=anonymous)
    return tables[key]
