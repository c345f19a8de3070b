"""What a number of a paper comes to on the data at hand, and what sampling explains where only a part of them is here.

Every number of a part is a ratio of two sums over clusters (pairs of a film, phenomena of a pair). The interval of 95 %
is that of a ratio estimator for clusters drawn at random, with the correction for a finite population: of a part that
is nearly all of the data it is narrow. A part that was not drawn at random may lie outside.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from otherwords.measures.intervals import NORMAL

FEWEST_CLUSTERS = 2
Term = tuple[str, float, float]  # a cluster, and what it adds to the numerator and to the denominator


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What an item comes to on the data at hand, in the unit that the paper prints."""

    number: float
    n: int  # units that it is over
    unit: str = "pairs"
    whole: int | None = None  # how many of them the paper has, where there may be more or fewer here
    low: float | None = None  # of a part of the data: what sampling explains
    high: float | None = None
    note: str = ""  # what only the data at hand say
    because: str = ""  # in what these data differ from the paper's

    @property
    def partial(self) -> bool:
        """Whether only a part of what the paper has is here."""
        return self.whole is not None and self.n < self.whole

    @property
    def larger(self) -> bool:
        """Whether more is here than the paper has."""
        return self.whole is not None and self.n > self.whole


def ratio_value(
    terms: Iterable[Term], n: int, whole: int | None = None, scale: float = 1.0, unit: str = "pairs"
) -> Recomputed | None:
    """The ratio of the two sums times ``scale``; with an interval where ``n`` of ``whole`` units are here."""
    numerators: defaultdict[str, float] = defaultdict(float)
    denominators: defaultdict[str, float] = defaultdict(float)
    for cluster, numerator, denominator in terms:
        numerators[cluster] += numerator
        denominators[cluster] += denominator
    total = math.fsum(denominators.values())
    if not total:
        return None
    ratio, clusters = math.fsum(numerators.values()) / total, len(denominators)
    if whole is None or n >= whole or clusters < FEWEST_CLUSTERS:
        return Recomputed(scale * ratio, n, unit, whole)
    squares = math.fsum((numerators[name] - ratio * denominators[name]) ** 2 for name in denominators)
    variance = squares * clusters / (clusters - 1) / total**2 * (1 - n / whole)
    margin = NORMAL * math.sqrt(variance)
    least = -math.inf if min(numerators.values()) < 0 else 0.0
    return Recomputed(scale * ratio, n, unit, whole, scale * max(least, ratio - margin), scale * (ratio + margin))


def count_value(counts: Iterable[tuple[str, float]], n: int, whole: int | None, unit: str = "pairs") -> Recomputed:
    """A count, as a cluster and a number for each unit; of a part, what it comes to for all if the rest is alike."""
    rows = list(counts)
    count = math.fsum(number for _, number in rows)
    value = ratio_value(((cluster, number, 1.0) for cluster, number in rows), n, whole, float(whole or 0), unit)
    if whole is None or n >= whole or value is None:
        return Recomputed(count, n, unit, whole)
    note = f"{count:,.0f} here, {value.number:,.0f} if the rest is alike"
    return Recomputed(value.number, n, unit, whole, value.low, value.high, note)


def share_value(hits: int, units: int, n: int, whole: int | None) -> Recomputed | None:
    """Per cent of ``units`` that are hit, where ``n`` of ``whole`` pairs are here."""
    return ratio_value(((str(place), float(place < hits), 1.0) for place in range(units)), n, whole, 100.0)


def among(hits: int, n: int, whole: int | None, unit: str = "pairs") -> Recomputed:
    """A count of units that are alike but for being hit or not, each of which is a cluster of its own."""
    return count_value(((str(place), float(place < hits)) for place in range(n)), n, whole, unit)
