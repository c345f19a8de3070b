"""Which range a score falls into, computed in whole numbers where a measure is a ratio of them.

Ranges are closed on the left, and the highest value has a range of its own: for ten, Suzuki et al.'s eleven [0, 0.1)
… [0.9, 1.0), [1, 1] (2017, Table 1). A quotient of floats lands on either side of an edge, and more than half of that
corpus lies exactly on one, so the range of a ratio is 10·numerator // denominator. Scores that are floats from the
start (cosine, BLEU) are compared with the float next to each edge, and one that misses an edge by no more than
rounding error counts as on it.
"""

from __future__ import annotations

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


def range_names(bins: int = 10, highest: float = 1.0) -> list[str]:
    """The ranges as text: ``[0.0, 0.1)`` … ``[1.0, 1.0]``."""
    short = [f"{highest * place / bins:.4g}" for place in range(bins + 1)]
    edges = [edge if "." in edge or "e" in edge else f"{edge}.0" for edge in short]
    return [f"[{low}, {high})" for low, high in pairwise(edges)] + [f"[{edges[-1]}, {edges[-1]}]"]
