"""Scores of a ranking by probability: the area under the ROC curve, and what every threshold would give.

Both are functions of how many positives and negatives have each value, so they need no loop over pairs, and a sample of
units is another set of weights. Suzuki et al. (2017, Figure 4) draw such a curve for word overlap, without a model
(:mod:`otherwords.analyse.findings.overlap_ranges` has it by whole ranges); here it is one of any values.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords.learn.metrics.counts import Floats, Ints, quotient
from otherwords.measures.agreement.resampling import Bootstrap, Estimate, Weights, divide, estimates

Flags = NDArray[np.bool_]
STEPS = 11  # thresholds 0, 0.1 … 1 (Suzuki et al. 2017, Figure 4)


class ThresholdPoint(msgspec.Struct, frozen=True):
    """What calling every pair with at least this value a paraphrase would give."""

    threshold: float
    accuracy: float
    precision: float
    recall: float
    f1: float


def area_under_curve(values: Floats, positive: Flags) -> float | None:
    """The chance that a positive has a higher value than a negative, ties counting half; None without either."""
    return _area(values, positive, None, Bootstrap(replicates=0)).value


def area_with_interval(values: Floats, positive: Flags, units: Ints | None, bootstrap: Bootstrap) -> Estimate:
    """The area under the ROC curve with its interval; units are drawn, not pairs."""
    return _area(values, positive, units, bootstrap)


def _area(values: Floats, positive: Flags, units: Ints | None, bootstrap: Bootstrap) -> Estimate:
    rows = np.arange(len(values)) if units is None else units
    order = np.argsort(values, kind="stable")
    _, starts = np.unique(values[order], return_index=True)
    rows, yes = rows[order], positive[order][:, None]

    def formula(weights: Weights) -> Floats:
        pairs = weights.astype(np.float64)[rows]
        positives = np.add.reduceat(pairs * yes, starts, axis=0)
        negatives = np.add.reduceat(pairs * ~yes, starts, axis=0)
        below = np.cumsum(negatives, axis=0) - negatives
        twice = (positives * (2 * below + negatives)).sum(axis=0)
        return divide(twice, 2 * positives.sum(axis=0) * negatives.sum(axis=0))[None, :]

    [estimate] = estimates(formula, np.ones(int(rows.max(initial=-1)) + 1, np.int64), bootstrap)
    return estimate


def threshold_counts(values: Floats, positive: Flags, thresholds: Floats) -> tuple[Ints, Ints]:
    """For each threshold, how many positives and how many negatives have at least that value."""
    sides = [np.sort(values[side]) for side in (positive, ~positive)]
    hits, false = (len(side) - np.searchsorted(side, thresholds, side="left") for side in sides)
    return hits.astype(np.int64), false.astype(np.int64)


def threshold_curve(values: Floats, positive: Flags, thresholds: Sequence[float] | None = None) -> list[ThresholdPoint]:
    """The scores of each threshold; by default of 0, 0.1 … 1."""
    points = np.linspace(0, 1, STEPS) if thresholds is None else np.asarray(thresholds, np.float64)
    scores = threshold_scores(values, positive, points)
    return [ThresholdPoint(*(float(value) for value in row)) for row in zip(points, *scores, strict=True)]


def threshold_scores(values: Floats, positive: Flags, thresholds: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Accuracy, precision, recall and F1 of the positives at each threshold."""
    hits, false = threshold_counts(values, positive, thresholds)
    yes = np.full(len(thresholds), positive.sum())
    no = len(values) - yes
    return (
        quotient(hits + no - false, np.full(len(thresholds), float(len(values)))),
        quotient(hits, hits + false),
        quotient(hits, yes),
        quotient(2 * hits, hits + false + yes),
    )
