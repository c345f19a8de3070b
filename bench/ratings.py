"""Intervals of Spearman's correlation of a metric with people: how often the true value lies in them."""

from __future__ import annotations

import time

from bench.simulated_raters import RATERS, SYSTEMS, covered, true_correlation

RUNS, RESAMPLES = 1000, 1000
SOURCES = (30, 100)
FEWEST = 0.93  # of the runs
DEGREES = (0.0, 0.3, 0.6, 0.9)


def run() -> bool:
    """Count the runs for a metric that has nothing to do with people up to one that knows them well."""
    reached = True
    print(f"{SYSTEMS} systems, {RATERS} raters, {RESAMPLES:,} resamples of sources, {RUNS:,} runs")
    for sources in SOURCES:
        for degree in DEGREES:
            begin = time.process_time()
            share = covered(degree, sources, RUNS, RESAMPLES) / RUNS
            spent = 1000 * (time.process_time() - begin) / RUNS
            name = f"{sources:3} sources, Spearman {true_correlation(degree):5.3f}"
            print(f"{name}: in {100 * share:.1f} of 100 intervals, {spent:.0f} ms each", flush=True)
            reached = reached and share >= FEWEST
    return reached
