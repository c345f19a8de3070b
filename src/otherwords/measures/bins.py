"""Which range a score falls into, computed in whole numbers where a measure is a ratio of them.

Ranges are closed on the left, and the highest value has a range of its own: for ten, Suzuki et al.'s eleven [0, 0.1)
… [0.9, 1.0), [1, 1] (2017, Table 1). A quotient of floats lands on either side of an edge, and more than half of that
corpus lies exactly on one, so the range of a ratio is 10·numerator // denominator. Scores that are floats from the
start (cosine, BLEU) are compared with the float next to each edge, and one that misses an edge by no more than
rounding error counts as on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from otherwords.measures import Measure
from otherwords.measures.columns import Integers, Texts
from otherwords.measures.ratio import RatioMeasure

ROUNDING = 1e-12  # of the highest score; about a thousand times the rounding error of the formulas here


def bin_of(numerator: npt.ArrayLike, denominator: npt.ArrayLike, bins: int = 10) -> Integers:
    """The range of numerator / denominator, from 0 to ``bins``; exact."""
    bin_numbers: Integers = bins * np.asarray(numerator, np.int64) // np.asarray(denominator, np.int64)
    return bin_numbers


def bin_of_score(scores: npt.ArrayLike, bins: int = 10, highest: float = 1.0) -> Integers:
    """The range of float scores, from 0 to ``bins``."""
    edges = highest * np.arange(1, bins + 1) / bins
    bin_numbers: Integers = np.searchsorted(edges - ROUNDING * highest, np.asarray(scores, np.float64), side="right")
    return bin_numbers


def bin_scores(measure: Measure, texts1: Texts, texts2: Texts, bins: int = 10) -> Integers:
    """The range of every pair under a measure, as exact as that measure allows."""
    if isinstance(measure, RatioMeasure):
        ratio = measure.ratio(texts1, texts2)
        return bin_of(ratio.numerator, ratio.denominator, bins)
    return bin_of_score(measure.scores(texts1, texts2), bins, measure.range[1])


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges between edges, each closed on the left; if the last edge is the highest score, it has a range of its own.

    The edges are exact, so that a ratio of whole numbers that lies on one is in the range above it.
    """

    edges: tuple[Fraction, ...]
    highest: Fraction

    @classmethod
    def equal(cls, count: int, highest: float = 1.0, lowest: float = 0.0) -> Ranges:
        """So many ranges of the same width from 0 up, and the highest score; scores below 0 are in the first."""
        top = Fraction(highest)
        edges = [top * place / count for place in range(count + 1)]
        return cls((min(Fraction(lowest), edges[0]), *edges[1:]), top)

    @property
    def names(self) -> list[str]:
        """The ranges as text: ``[0.0, 0.1)`` … ``[1.0, 1.0]``."""
        edges = [f"{float(edge):.4g}" for edge in self.edges]
        spelled = [edge if "." in edge or "e" in edge else f"{edge}.0" for edge in edges]
        names = [f"[{low}, {high})" for low, high in pairwise(spelled)]
        return [*names, f"[{spelled[-1]}, {spelled[-1]}]"] if self.edges[-1] == self.highest else names

    def places(self, measure: Measure, texts1: Texts, texts2: Texts) -> Integers:
        """The range of every pair under a measure, from 0; -1 for a score outside all of them."""
        if isinstance(measure, RatioMeasure):
            ratio = measure.ratio(texts1, texts2)
            reached = [ratio.numerator * edge.denominator >= edge.numerator * ratio.denominator for edge in self.edges]
        else:
            scores, error = measure.scores(texts1, texts2), ROUNDING * float(self.highest)
            reached = [scores >= float(edge) - error for edge in self.edges]
        places: Integers = np.array(reached).sum(axis=0) - 1
        places[places >= len(self.names)] = -1
        return places


def range_names(bins: int = 10, highest: float = 1.0, lowest: float = 0.0) -> list[str]:
    """The ranges as text: ``[0.0, 0.1)`` … ``[1.0, 1.0]``."""
    return Ranges.equal(bins, highest, lowest).names
