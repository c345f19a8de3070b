"""Precision: exact cases, an independent oracle, and intervals that hold."""

from __future__ import annotations

import numpy as np
import pytest

from otherwords.measures.intervals import clopper_pearson
from otherwords.mining.harvest.precision import RegionStratum, classical, prediction_powered
from otherwords.mining.harvest.search import choose_region, region_paths
from tests.errors import raises

SPLITS = 100
FEWEST_HITS = 93


@pytest.mark.parametrize(("part", "whole"), [(1, 10), (9.3, 10), (480.2, 500), (2500, 5000)])
def test_the_exact_interval_is_that_of_scipy(part: float, whole: float) -> None:
    beta = pytest.importorskip("scipy.stats").beta
    expected = (part / whole, beta.ppf(0.025, part, whole - part + 1), beta.ppf(0.975, part + 1, whole - part))
    assert clopper_pearson(part, whole) == pytest.approx(expected, abs=1e-9)


def test_strata_are_weighted_by_their_population() -> None:
    strata = [RegionStratum(900, [True] * 10), RegionStratum(100, [False] * 10), RegionStratum(50, [])]
    assert classical(strata).estimate == pytest.approx(0.9)


def test_one_stratum_has_the_exact_interval() -> None:
    right = [True] * 18 + [False] * 2
    found, small = (classical([RegionStratum(size, right)]) for size in (10**9, 20))
    assert (found.estimate, found.low, found.high) == pytest.approx(clopper_pearson(18, 20), abs=1e-6)
    assert (small.estimate, small.low, small.high) == pytest.approx(clopper_pearson(9, 10))


def test_no_width_is_never_zero() -> None:
    found = classical([RegionStratum(500, [True] * 8), RegionStratum(500, [True] * 8)])
    assert (found.estimate, found.high) == (1.0, 1.0)
    assert 0.7 < found.low < 0.9


def test_a_model_that_is_right_narrows_the_interval_and_one_that_knows_nothing_does_not() -> None:
    rng = np.random.default_rng(0)
    right = rng.random(200) < 0.8
    good = RegionStratum(10_000, right.tolist(), np.where(right, 0.9, 0.1).tolist(), 0.74)
    blind = RegionStratum(10_000, right.tolist(), [0.5] * 200, 0.5)
    powered, plain = prediction_powered([good]), classical([good])
    assert powered is not None
    assert powered.high - powered.low < 0.2 * (plain.high - plain.low)
    assert prediction_powered([blind]) == plain
    assert prediction_powered([RegionStratum(10, [True])]) is None


def test_intervals_cover_the_truth_where_strata_are_unequal() -> None:
    rng = np.random.default_rng(5)
    sizes = (5000 * np.exp(-np.arange(20) / 3)).astype(int) + 30
    right = [rng.random(size) < (0.97 if place else 0.85) for place, size in enumerate(sizes)]
    confidence = [np.clip(0.3 * side + 0.6 * rng.random(len(side)), 0, 1) for side in right]
    truth = sum(side.sum() for side in right) / sizes.sum()
    hits = np.zeros(2)
    for _ in range(SPLITS):
        strata = []
        for side, scores in zip(right, confidence, strict=True):
            rows = rng.choice(len(side), 17, replace=False)
            strata.append(RegionStratum(len(side), side[rows].tolist(), scores[rows].tolist(), float(scores.mean())))
        powered = prediction_powered(strata)
        assert powered is not None
        hits += [found.low <= truth <= found.high for found in (classical(strata), powered)]
    assert (hits >= FEWEST_HITS).all(), hits


def test_the_largest_region_that_passes_is_chosen() -> None:
    paths = region_paths("negative", "p_negative")
    sizes = [len(path) for path in paths]
    assert len(set(map(str, paths[1]))) == sizes[1]
    good = [[RegionStratum(100_000 + place, [True] * 200)] for place in range(10)]
    bad = [[RegionStratum(1_000_000, [True] * 100 + [False] * 100)] for _ in range(sum(sizes) - 10)]
    choice = choose_region(paths, [*good, *bad], 0.95)
    assert choice.place == 9
    assert choice.precision.low >= 0.95


def test_a_precision_out_of_reach_says_what_can_be_reached() -> None:
    paths = region_paths("positive", "p_positive")
    count = sum(map(len, paths))
    with raises("precision-not-reached", match="the best is 'p_positive >= 0.999' with 0.900"):
        choose_region(paths, [[RegionStratum(100_000, [True] * 180 + [False] * 20)]] * count, 0.95)
    with raises("precision-not-reached", match="even if all are right"):
        choose_region(paths, [[RegionStratum(100_000, [True] * 5)]] * count, 0.95)
