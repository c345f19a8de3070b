"""Tiles of similarity and confidence and the share of negatives in each (Kanerva et al. 2023, Figure 7)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from otherwords.measures.bins import bin_of_score
from otherwords.measures.intervals import wilson
from otherwords.mining.harvest.precision import Interval

TILES = 5  # in each direction: steps of 0.2 in Figure 7


class AnnotatedPoint(msgspec.Struct, frozen=True):
    """An annotated pair: where it lies, and on which side it is."""

    similarity: float
    confidence: float
    positive: bool


class Tile(msgspec.Struct, frozen=True, kw_only=True):
    """A tile, from the lower bounds up to the next; the shares have intervals by Wilson."""

    similarity: float
    confidence: float
    n: int
    negatives: int
    negative: Interval
    positive: Interval


def make_tiles(points: Sequence[AnnotatedPoint], steps: int = TILES) -> list[Tile]:
    """The tiles that have pairs, by similarity and then confidence; the highest values are in the last tiles."""
    counts: dict[tuple[int, int], list[int]] = {}
    for point in points:
        place = _step(point.similarity, steps), _step(point.confidence, steps)
        counts.setdefault(place, [0, 0])[point.positive] += 1
    return [
        Tile(
            similarity=round(row / steps, 4),
            confidence=round(column / steps, 4),
            n=negatives + positives,
            negatives=negatives,
            negative=Interval(*wilson(negatives, negatives + positives)),
            positive=Interval(*wilson(positives, negatives + positives)),
        )
        for (row, column), (negatives, positives) in sorted(counts.items())
    ]


def _step(value: float, steps: int) -> int:
    return max(0, min(int(bin_of_score(value, steps)), steps - 1))
