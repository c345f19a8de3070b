"""Spearman's correlation with an interval over resampled clusters of observations.

The outputs of several systems for one source belong together, so sources are drawn, not outputs. Ranks are those of the
resample: an observation that is drawn twice is there twice, and equal values share the mean of their ranks.

Resamples of few clusters vary less than samples do, and their variance is not known exactly. So the percentile interval
is made wider by what a t interval is wider than a normal one (Hesterberg 2015, "What teachers should know about the
bootstrap", on percentile intervals of small samples), on Fisher's scale, where a correlation spreads evenly.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from otherwords.measures.agreement.codes import Ints
from otherwords.measures.agreement.resampling import Bootstrap, Estimate, Weights, estimates
from otherwords.measures.columns import Floats
from otherwords.measures.intervals import NORMAL

NEARLY_1 = 1 - 1e-6  # Fisher's scale ends nowhere


def spearman(first: Floats, second: Floats, clusters: Ints, bootstrap: Bootstrap) -> Estimate:
    """The correlation of two columns; observations without one of the values are left out.

    ``clusters`` are numbers of what the observations belong to. Without a difference in one of the columns there is no
    correlation.
    """
    known = np.isfinite(first) & np.isfinite(second)
    if not known.any():
        return Estimate(None)
    places = [np.unique(column[known], return_inverse=True)[1] for column in (first, second)]
    found, cluster = np.unique(clusters[known], return_inverse=True)

    def formula(weights: Weights) -> Floats:
        return _rank_correlation(places[0], places[1], weights[cluster].astype(np.float64))[None, :]

    [drawn] = estimates(formula, np.ones(len(found), np.int64), bootstrap)
    return _widened(drawn, len(found))


def _widened(drawn: Estimate, clusters: int) -> Estimate:
    """The interval as wide as so many clusters ask for."""
    if drawn.value is None or drawn.low is None or drawn.high is None or clusters < 2:
        return drawn
    middle, low, high = (math.atanh(max(-NEARLY_1, min(end, NEARLY_1))) for end in (drawn.value, drawn.low, drawn.high))
    wider = _t_quantile(clusters - 1) / NORMAL * math.sqrt(clusters / (clusters - 1))
    low, high = (math.tanh(middle + wider * (end - middle)) for end in (low, high))
    # Resamples have more ties than the sample: of few clusters, all of them can lie on one side of its own value.
    return replace(drawn, low=min(low, drawn.value), high=max(high, drawn.value))


def _t_quantile(degrees: int) -> float:
    """Student's quantile for the level of intervals, by the first terms of its expansion around the normal one."""
    first, second = (NORMAL**3 + NORMAL) / 4, (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / 96
    return NORMAL + first / degrees + second / degrees**2


def _rank_correlation(first: Ints, second: Ints, weights: Floats) -> Floats:
    """The correlation of ranks, one for each column of weights."""
    total = weights.sum(axis=0)
    apart = [_mean_ranks(places, weights) - total / 2 for places in (first, second)]
    shared = (weights * apart[0] * apart[1]).sum(axis=0)
    spread = np.sqrt((weights * apart[0] ** 2).sum(axis=0) * (weights * apart[1] ** 2).sum(axis=0))
    undefined = np.full_like(shared, np.nan)
    correlation: Floats = np.divide(shared, spread, out=undefined, where=spread > 1e-9)
    return np.clip(correlation, -1.0, 1.0)


def _mean_ranks(places: Ints, weights: Floats) -> Floats:
    """The rank of each observation less a half, equal values sharing the mean of theirs."""
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=-1))
    sizes = np.add.reduceat(weights[order], starts, axis=0)
    ranks: Floats = (np.cumsum(sizes, axis=0) - sizes / 2)[places]
    return ranks
