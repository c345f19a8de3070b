"""Which range a score falls into, with whole numbers where a measure is a ratio of them.

Ranges are closed on the left, and the highest value has a range of its own: for ten, Suzuki et al.'s
eleven [0, 0.1) … [0.9, 1.0), [1, 1] (2017, Table 1). A quotient of floats lands on either side of an
edge, and more than half of that corpus lies exactly on one, so a ratio is cut by 10·numerator //
denominator. Scores that are floats from the start (cosine, BLEU) are compared with the float next to
each edge, and one that misses an edge by no more than rounding does counts as on it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from otherwords.measures import Measure
from otherwords.measures.columns import Integers, Texts
from otherwords.measures.ratio import RatioMeasure

ROUNDING = 1e-12  # of the highest score; some thousand times what a formula here loses


def bin_of(numerator: npt.ArrayLike, denominator: npt.ArrayLike, bins: int = 10) -> Integers:
    """The range of numerator / denominator, from 0 to ``bins``; exact."""
    places: Integers = bins * np.asarray(numerator, np.int64) // np.asarray(denominator, np.int64)
    return places


def bin_of_score(scores: npt.ArrayLike, bins: int = 10, highest: float = 1.0) -> Integers:
    """The range of scores that are floats, from 0 to ``bins``."""
    edges = highest * np.arange(1, bins + 1) / bins
    places: Integers = np.searchsorted(edges - ROUNDING * highest, np.asarray(scores, np.float64), side="right")
    return places


def bin_scores(measure: Measure, texts1: Texts, texts2: Texts, bins: int = 10) -> Integers:
    """The range of every pair by a measure, as exact as that measure allows."""
    if isinstance(measure, RatioMeasure):
        ratio = measure.ratio(texts1, texts2)
        return bin_of(ratio.numerator, ratio.denominator, bins)
    return bin_of_score(measure.scores(texts1, texts2), bins, measure.range[1])


def range_names(bins: int = 10, highest: float = 1.0) -> list[str]:
    """How the ranges are written: ``[0.0, 0.1)`` … ``[1.0, 1.0]``."""
    edges = [_edge(highest * place / bins) for place in range(bins + 1)]
    return [f"[{low}, {high})" for low, high in pairwise(edges)] + [f"[{edges[-1]}, {edges[-1]}]"]


def _edge(value: float) -> str:
    short = f"{value:.4g}"
    return short if "." in short or "e" in short else f"{short}.0"
