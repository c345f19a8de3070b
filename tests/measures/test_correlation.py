"""Spearman's correlation: exact values with ties, resampling by cluster, intervals that hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from bench.simulated_raters import covered, simulated

from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.correlation import spearman

NO_INTERVAL = Bootstrap(0)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 400], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 1 - 6 * 4 / (5 * 24)),  # 1 - 6 Σd² / n(n² - 1)
        ([1, 1, 2, 2], [1, 2, 1, 2], 0.0),
        ([1, 1, 2, 3], [1, 2, 3, 4], 4.5 / np.sqrt(4.5 * 5)),  # ranks 1.5 1.5 3 4
        ([1, 1, 1], [1, 2, 3], None),
        ([1, 2, np.nan, 4], [1, 2, 3, 4], 1.0),
        ([np.nan], [1], None),
    ],
)
def test_values(first: list[float], second: list[float], expected: float | None) -> None:
    columns = np.array(first, np.float64), np.array(second, np.float64)
    found = spearman(*columns, np.arange(len(first)), NO_INTERVAL).value
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-12))


def test_clusters_are_drawn_whole() -> None:
    """Ten copies of every observation in its cluster say no more than one."""
    random = np.random.default_rng(0)
    first, second = random.normal(size=30), random.normal(size=30)
    alone = spearman(first, second, np.arange(30), Bootstrap(200))
    copies = [np.repeat(column, 10) for column in (first, second, np.arange(30))]
    again = spearman(copies[0], copies[1], copies[2].astype(np.int64), Bootstrap(200))
    assert (again.value, again.low, again.high) == pytest.approx((alone.value, alone.low, alone.high))


def test_the_order_of_observations_is_nothing() -> None:
    metric, ratings, sources = simulated(np.random.default_rng(3), 20, 0.5)
    order = np.random.default_rng(4).permutation(len(metric))
    found = spearman(metric, ratings, sources, Bootstrap(100))
    assert spearman(metric[order], ratings[order], sources[order], Bootstrap(100)) == found


def test_intervals_cover_a_known_correlation() -> None:
    assert 0.93 <= covered(0.6, sources=50, runs=400, resamples=200) / 400 <= 0.98


def test_few_clusters_make_a_wide_interval() -> None:
    """Six sources tell less than sixty."""
    few, many = (
        spearman(column, column + 0.6 * random.normal(size=size), np.arange(size), Bootstrap(200))
        for size, random in ((6, np.random.default_rng(1)), (60, np.random.default_rng(1)))
        for column in [np.arange(size) / size * 3]
    )
    assert few.low is not None
    assert few.high is not None
    assert many.low is not None
    assert many.high is not None
    assert -1 <= few.low <= many.low < many.high <= few.high <= 1
