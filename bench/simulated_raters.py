"""Simulated raters and a metric whose correlation with them is known, in memory.

Outputs of several systems have a quality, part of which all outputs for a source share. A metric follows the quality to
a degree; three raters see it with noise of their own and give whole numbers from 1 to 5. The true correlation is that
of a very large sample of the same kind.
"""

from __future__ import annotations

import os

import numpy as np

from otherwords.measures.agreement.codes import Ints
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.columns import Floats
from otherwords.measures.correlation import spearman

SYSTEMS, RATERS = 3, 3
LARGE = 200_000  # sources: the true correlation is exact to about 0.002
SHARED, OWN, RATER = 0.6, 0.8, 0.7  # standard deviations of the quality and of what a rater sees


def simulated(random: np.random.Generator, sources: int, degree: float) -> tuple[Floats, Floats, Ints]:
    """The scores of a metric, the mean ratings, and the source of each output."""
    shape = (sources, SYSTEMS)
    quality = (
        SHARED * random.normal(size=(sources, 1)) + OWN * random.normal(size=shape) + np.linspace(-0.3, 0.3, SYSTEMS)
    )
    metric = degree * quality + np.sqrt(1 - degree**2) * random.normal(size=shape)
    seen = 3 + quality[:, :, None] + RATER * random.normal(size=(*shape, RATERS))
    ratings = np.clip(np.rint(seen), 1, 5).mean(axis=2)
    return metric.ravel(), ratings.ravel(), np.repeat(np.arange(sources), SYSTEMS)


def true_correlation(degree: float) -> float:
    """The correlation of the metric with the mean of three raters."""
    value = spearman(*simulated(np.random.default_rng(1), LARGE, degree), Bootstrap(0)).value
    assert value is not None
    return value


def covered(degree: float, sources: int, runs: int, resamples: int) -> int:
    """In how many runs the interval has the true correlation in it."""
    true, hits = true_correlation(degree), 0
    for run in range(runs):
        drawn = simulated(np.random.default_rng([sources, round(100 * degree), run]), sources, degree)
        found = spearman(*drawn, Bootstrap(resamples, run))
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= true <= found.high
    return hits


def run() -> bool:
    """How often intervals hold the true correlation; the target is 93 of 100."""
    runs, reached = int(os.environ.get("RUNS", "1000")), True
    print("| correlation | sources | intervals with it, of 100 |\n|---:|---:|---:|")
    for degree in (0.0, 0.5, 0.9):
        for sources in (30, 100, 200):
            share = 100 * covered(degree, sources, runs, 500) / runs
            reached &= share >= 93
            print(f"| {true_correlation(degree):.2f} | {sources} | {share:.1f} |", flush=True)
    return reached
