"""Thresholds that the pairs themselves suggest: the values between which all but a small share of them lie.

Values are counted after rounding, so that memory does not grow with the corpus: whole numbers as they are, others to
three digits behind the point, scores that go to 100 to one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from otherwords.acquire.filters.selected import BlockDecisions, SelectedRules

QUANTILES = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
BARS = 20  # of a histogram


@dataclass(frozen=True, slots=True)
class ValueBar:
    """How many pairs have a value from ``low`` to below ``high``; the last bar includes its end."""

    low: float
    high: float
    pairs: int


@dataclass(frozen=True, slots=True)
class ThresholdProposal:
    """The values of a rule: their quantiles, a histogram, and bounds that would cut off a share at either end."""

    rule: str
    value: str  # what it is
    pairs: int
    quantiles: dict[str, float]
    low: float
    high: float
    below: int  # pairs that the low bound would reject
    above: int
    histogram: list[ValueBar] = field(default_factory=list)

    @property
    def spec(self) -> str:
        """A rule with these bounds."""
        return f"{self.rule}:min={self.low:g},max={self.high:g}"


class Values:
    """The values of all rules that have bounds, counted."""

    def __init__(self, rules: SelectedRules) -> None:
        self._rules = {rule.name: rule for rule in rules.rules if rule.bounded}
        self._counts: dict[str, Counter[float]] = {name: Counter() for name in self._rules}

    def add(self, decisions: BlockDecisions) -> None:
        for name, counts in self._counts.items():
            values = decisions.values.get(name)
            if values is None:
                continue
            known = values[~np.isnan(values)]
            digits = 1 if len(known) and np.abs(known).max() > 10 else 3
            distinct, numbers = np.unique(np.round(known, digits), return_counts=True)
            counts.update(dict(zip(distinct.tolist(), numbers.tolist(), strict=True)))

    def proposals(self, share: float) -> list[ThresholdProposal]:
        """A proposal for every rule; ``share`` of the pairs, at most, lies beyond each bound."""
        return [
            _proposal(name.partition(":")[0], rule.bounded, sorted(self._counts[name].items()), share)
            for name, rule in self._rules.items()
            if self._counts[name]
        ]


def _proposal(rule: str, meaning: str, counts: Sequence[tuple[float, int]], share: float) -> ThresholdProposal:
    values, numbers = np.array([value for value, _ in counts]), np.array([count for _, count in counts])
    ends = np.cumsum(numbers)
    total = int(ends[-1])

    def quantile(part: float) -> float:
        """The lowest value that at least this part of the pairs does not exceed."""
        return float(values[min(int(np.searchsorted(ends, part * total - 1e-9)), len(values) - 1)])

    # The bounds are included, so that no more than the share of the pairs lies strictly beyond either.
    low = float(values[min(int(np.searchsorted(ends, share * total, side="right")), len(values) - 1)])
    high = quantile(1 - share)
    below, above = int(numbers[values < low].sum()), int(numbers[values > high].sum())
    quantiles = {f"{100 * part:g}%": quantile(part) for part in QUANTILES}
    return ThresholdProposal(rule, meaning, total, quantiles, low, high, below, above, _histogram(values, numbers))


def _histogram(values: np.ndarray, numbers: np.ndarray) -> list[ValueBar]:
    first, last = float(values[0]), float(values[-1])
    edges = np.linspace(first, last if last > first else first + 1.0, BARS + 1)
    sums, _ = np.histogram(values, edges, weights=numbers)
    return [
        ValueBar(float(low), float(high), int(pairs))
        for low, high, pairs in zip(edges[:-1], edges[1:], sums, strict=True)
    ]
