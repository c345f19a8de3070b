"""Thresholds that the pairs themselves suggest: the values between which all but a small share of them lie.

Values are counted after rounding, so that memory does not grow with the corpus: to four digits behind the point, those
above ten to two. Bounds have a digit less and are rounded outwards, so that they keep what they are meant to keep.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from otherwords.acquire.filters.rule import BoundedValue
from otherwords.acquire.filters.selected import BlockDecisions, SelectedRules

QUANTILES = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
BARS = 20  # of a histogram
LARGE = 10.0  # values above it have two digits less


@dataclass(frozen=True, slots=True)
class ValueBar:
    """How many pairs have a value from ``low`` to below ``high``; the last bar includes its end."""

    low: float
    high: float
    pairs: int


@dataclass(frozen=True, slots=True)
class ThresholdProposal:
    """A value of a rule: its quantiles, a histogram, and bounds that would cut off a share at either end."""

    rule: str  # as the user spelled it
    value: str  # what it is
    pairs: int
    quantiles: dict[str, float]
    low: float | None  # None where the rule has no such bound for this value
    high: float | None
    rejects: int  # pairs that these bounds would reject
    histogram: list[ValueBar] = field(default_factory=list)

    @property
    def spec(self) -> str:
        """The rule with these bounds and its other parameters."""
        name, _, rest = self.rule.partition(":")
        others = [part for part in rest.split(",") if part and part.partition("=")[0].strip() not in ("min", "max")]
        bounds = {"min": self.low, "max": self.high}
        return f"{name}:" + ",".join(
            [*others, *(f"{key}={value:g}" for key, value in bounds.items() if value is not None)]
        )


class Values:
    """The values of all rules that have bounds, counted."""

    def __init__(self, rules: SelectedRules) -> None:
        self._rules = {rule.name: rule for rule in rules.rules if rule.bounded}
        self._counts: dict[tuple[str, int], Counter[float]] = {}

    def add(self, decisions: BlockDecisions) -> None:
        for name in self._rules:
            for number, columns in enumerate((decisions.values, decisions.high_values)):
                if (values := columns.get(name)) is None:
                    continue
                known = values[~np.isnan(values)]
                rounded = np.where(np.abs(known) > LARGE, np.round(known, 2), np.round(known, 4))
                distinct, numbers = np.unique(rounded, return_counts=True)
                counts = self._counts.setdefault((name, number), Counter())
                counts.update(dict(zip(distinct.tolist(), numbers.tolist(), strict=True)))

    def proposals(self, share: float) -> list[ThresholdProposal]:
        """A proposal for every value; at most ``share`` of the pairs lies beyond each bound."""
        return [
            _proposal(name, value, sorted(self._counts[name, number].items()), share)
            for name, rule in self._rules.items()
            for number, value in enumerate(rule.bounded)
            if self._counts.get((name, number))
        ]


def _proposal(rule: str, value: BoundedValue, counts: Sequence[tuple[float, int]], share: float) -> ThresholdProposal:
    values, numbers = np.array([value for value, _ in counts]), np.array([count for _, count in counts])
    ends = np.cumsum(numbers)
    total = int(ends[-1])

    def quantile(part: float) -> float:
        """The lowest value that at least this part of the pairs does not exceed."""
        return float(values[min(int(np.searchsorted(ends, part * total - 1e-9)), len(values) - 1)])

    # The bounds are included, so that no more than the share of the pairs lies strictly beyond either.
    low = _outwards(values[min(int(np.searchsorted(ends, share * total, side="right")), len(values) - 1)], math.floor)
    high = _outwards(quantile(1 - share), math.ceil)
    rejects = 0
    if "min" in value.bounds:
        rejects += int(numbers[values < low].sum())
    if "max" in value.bounds:
        rejects += int(numbers[values > high].sum())
    return ThresholdProposal(
        rule,
        value.meaning,
        total,
        {f"{100 * part:g}%": quantile(part) for part in QUANTILES},
        low if "min" in value.bounds else None,
        high if "max" in value.bounds else None,
        rejects,
        _histogram(values, numbers),
    )


def _outwards(value: float, whole: Callable[[float], int]) -> float:
    """A bound with one digit behind the point less than the value, rounded down or up."""
    unit = 10 if abs(value) > LARGE else 1000
    return whole(round(float(value) * unit, 6)) / unit


def _histogram(values: np.ndarray, numbers: np.ndarray) -> list[ValueBar]:
    first, last = float(values[0]), float(values[-1])
    edges = np.linspace(first, last if last > first else first + 1.0, BARS + 1)
    sums, _ = np.histogram(values, edges, weights=numbers)
    return [
        ValueBar(float(low), float(high), int(pairs))
        for low, high, pairs in zip(edges[:-1], edges[1:], sums, strict=True)
    ]
