"""The clock between two versions, and lines by time."""

from __future__ import annotations

import random

import numpy as np
import pytest

from otherwords.align.clock import Clock, estimate
from otherwords.align.timed import line_times, timed_pairs
from tests.align.script import Version, utterances, version

SAID = utterances(500, seed=11)


def starts(made: Version) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([start for _, start, _ in made.cues], np.float64)


@pytest.mark.parametrize("drift", [1.0, 25 / 23.976, 23.976 / 25, 24 / 23.976, 29.97 / 23.976, 1.0173, 0.9871])
@pytest.mark.parametrize("offset", [-15_000.0, 0.0, 3_210.0, 95_000.0])
def test_drift_and_offset_are_found(drift: float, offset: float) -> None:
    one = version(SAID, 1, width=40, omitted=0.05, jitter=120)
    two = version(SAID, 2, width=25, omitted=0.15, jitter=120, split_cues=0.5, drift=drift, offset=offset)
    clock = estimate(starts(one), starts(two))
    assert clock is not None
    assert clock.drift == pytest.approx(drift, rel=1e-3)
    assert clock.offset_ms == pytest.approx(offset, abs=300)


def test_a_version_of_the_second_half_only() -> None:
    one = version(SAID, 1, width=40, jitter=100)
    two = version(SAID[250:], 2, width=30, jitter=100, offset=-SAID[250].start)
    clock = estimate(starts(one), starts(two))
    assert clock is not None
    assert clock.offset_ms == pytest.approx(-SAID[250].start, abs=300)
    assert clock.drift == pytest.approx(1, rel=1e-3)


def test_a_short_film_is_enough() -> None:
    said = SAID[:60]
    clock = estimate(starts(version(said, 1, width=40, jitter=100)), starts(version(said, 2, width=30, offset=5e3)))
    assert clock is not None
    assert clock.offset_ms == pytest.approx(5_000, abs=300)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("count", [30, 100, 500])
def test_two_films_have_no_common_clock(seed: int, count: int) -> None:
    one = starts(version(utterances(count, seed=seed), 1, width=40))
    two = starts(version(utterances(count, seed=1000 + seed), 1, width=40))
    assert estimate(one, two) is None


def test_damaged_times_do_not_harm() -> None:
    rng = random.Random(5)
    one, two = starts(version(SAID, 1, width=40)), starts(version(SAID, 2, width=40, offset=2_000))
    two = np.sort(np.append(two, [rng.uniform(0, two[-1]) for _ in range(100)]))
    two = np.append(two, 1e12)
    clock = estimate(one, two)
    assert clock is not None
    assert clock.offset_ms == pytest.approx(2_000, abs=300)


def test_too_few_cues() -> None:
    few = np.array([start for _, start, _ in version(SAID[:29], 1, width=200).cues], np.float64)
    assert estimate(few, few) is None


def test_the_lines_of_a_cue_share_its_time_by_their_length() -> None:
    times = line_times(["four", "nine char", "x"], [[0, 1_000, 2_500], [2, 3_000, 4_000]])
    assert times.starts.tolist() == [1_000, 1_500, 3_000]
    assert times.ends.tolist() == [1_500, 2_500, 4_000]
    assert times.cues.tolist() == [1_000, 3_000]


def test_overlapping_cues_end_where_the_next_begins_and_equal_ones_share() -> None:
    times = line_times(["a", "b", "c", "d"], [[0, 0, 900], [1, 500, 600], [2, 500, 700], [3, 800, 800]])
    assert times.starts.tolist() == [0, 500, 600, 800]
    assert times.ends.tolist() == [500, 600, 700, 801]


def test_lines_are_together_for_half_the_time_of_the_shorter() -> None:
    one = line_times(["a", "b"], [[0, 0, 1_000], [1, 1_000, 4_000]])
    two = line_times(["a", "b", "c"], [[0, 10_000, 11_400], [1, 11_400, 12_000], [2, 13_600, 14_600]])
    # The first of the second version runs 0.4 s into the second line; the last hangs over its end by 0.6 s.
    assert timed_pairs(one, two, Clock(1.0, 10_000.0)) == [(0, 0), (1, 1)]
    assert timed_pairs(one, two, Clock(1.0, 10_200.0)) == [(0, 0), (1, 1), (1, 2)]
