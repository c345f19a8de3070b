"""What sampling explains where only a part of a paper's data is here: ratios over clusters, with an interval of 95 %.

Every number of a part is a ratio of two sums over clusters (pairs of a film, phenomena of a pair). The interval is that
of a ratio estimator for clusters drawn at random, with the correction for a finite population: of a part that is nearly
all of the data it is narrow. A part that was not drawn at random may lie outside; then that is said, and no more.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from otherwords.analyse.reproduce.item import Value
from otherwords.measures.intervals import NORMAL

FEWEST_CLUSTERS = 2
Term = tuple[str, float, float]  # a cluster, and what it adds to the part and to the whole


def ratio_value(
    terms: Iterable[Term], n: int, of: int | None = None, scale: float = 1.0, unit: str = "pairs"
) -> Value | None:
    """The ratio of the two sums times ``scale``; with an interval where ``n`` of ``of`` units are here."""
    parts: defaultdict[str, float] = defaultdict(float)
    wholes: defaultdict[str, float] = defaultdict(float)
    for cluster, part, whole in terms:
        parts[cluster] += part
        wholes[cluster] += whole
    total = math.fsum(wholes.values())
    if not total:
        return None
    ratio = math.fsum(parts.values()) / total
    if of is None or n >= of or len(wholes) < FEWEST_CLUSTERS:
        return Value(scale * ratio, n, unit, of)
    clusters = len(wholes)
    squares = math.fsum((parts[name] - ratio * wholes[name]) ** 2 for name in wholes)
    variance = squares * clusters / (clusters - 1) / total**2 * (1 - n / of)
    margin = NORMAL * math.sqrt(variance)
    least = -math.inf if min(parts.values()) < 0 else 0.0
    return Value(scale * ratio, n, unit, of, scale * max(least, ratio - margin), scale * (ratio + margin))


def count_value(counts: Iterable[tuple[str, float]], n: int, of: int | None, unit: str = "pairs") -> Value:
    """A count, as a cluster and a number for each unit; of a part, what it comes to for all if the rest is alike."""
    rows = list(counts)
    count = math.fsum(part for _, part in rows)
    if of is None or n >= of or not n:
        return Value(count, n, unit, of)
    value = ratio_value(((cluster, part, 1.0) for cluster, part in rows), n, of, of, unit)
    if value is None:
        return Value(count, n, unit, of)
    note = f"{count:,.0f} here, {value.number:,.0f} if the rest is alike"
    return Value(value.number, n, unit, of, value.low, value.high, note)


def share_value(hits: int, units: int, n: int, of: int | None) -> Value | None:
    """Per cent of ``units`` that are hit, where ``n`` of ``of`` pairs are here."""
    return ratio_value(((str(place), float(place < hits), 1.0) for place in range(units)), n, of, 100.0)


def among(hits: int, n: int, of: int | None, unit: str = "pairs") -> Value:
    """A count of units that are alike but for being hit or not, each of which is a cluster of its own."""
    return count_value(((str(place), float(place < hits)) for place in range(n)), n, of, unit)
