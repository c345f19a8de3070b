"""The clock between two versions, and lines by time."""

from __future__ import annotations

import random

import numpy as np
import pytest

from otherwords.align.lines.clock import Clock, estimate
from otherwords.align.lines.timed import line_times, timed_pairs
from tests.align.script import Version, utterances, version

SPOKEN = utterances(500, seed=11)


def starts(subtitles: Version) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([start for _, start, _ in subtitles.cues], np.float64)


@pytest.mark.parametrize("drift", [1.0, 25 / 23.976, 23.976 / 25, 24 / 23.976, 29.97 / 23.976, 1.0173, 0.9871])
@pytest.mark.parametrize("offset", [-15_000.0, 0.0, 3_210.0, 95_000.0])
def test_drift_and_offset_are_found(drift: float, offset: float) -> None:
    version1 = version(SPOKEN, 1, width=40, omitted=0.05, jitter=120)
    version2 = version(SPOKEN, 2, width=25, omitted=0.15, jitter=120, split_cues=0.5, drift=drift, offset=offset)
    clock = estimate(starts(version1), starts(version2))
    assert clock is not None
    assert clock.drift == pytest.approx(drift, rel=1e-3)
    assert clock.offset_ms == pytest.approx(offset, abs=300)


def test_a_version_of_the_second_half_only() -> None:
    version1 = version(SPOKEN, 1, width=40, jitter=100)
    version2 = version(SPOKEN[250:], 2, width=30, jitter=100, offset=-SPOKEN[250].start)
    clock = estimate(starts(version1), starts(version2))
    assert clock is not None
    assert clock.offset_ms == pytest.approx(-SPOKEN[250].start, abs=300)
    assert clock.drift == pytest.approx(1, rel=1e-3)


def test_a_short_film_is_enough() -> None:
    spoken = SPOKEN[:60]
    clock = estimate(starts(version(spoken, 1, width=40, jitter=100)), starts(version(spoken, 2, width=30, offset=5e3)))
    assert clock is not None
    assert clock.offset_ms == pytest.approx(5_000, abs=300)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("count", [30, 100, 500])
def test_two_films_have_no_common_clock(seed: int, count: int) -> None:
    starts1 = starts(version(utterances(count, seed=seed), 1, width=40))
    starts2 = starts(version(utterances(count, seed=1000 + seed), 1, width=40))
    assert estimate(starts1, starts2) is None


def test_damaged_times_do_not_harm() -> None:
    rng = random.Random(5)
    starts1, starts2 = starts(version(SPOKEN, 1, width=40)), starts(version(SPOKEN, 2, width=40, offset=2_000))
    starts2 = np.sort(np.append(starts2, [rng.uniform(0, starts2[-1]) for _ in range(100)]))
    starts2 = np.append(starts2, 1e12)
    clock = estimate(starts1, starts2)
    assert clock is not None
    assert clock.offset_ms == pytest.approx(2_000, abs=300)


def test_too_few_cues() -> None:
    few = np.array([start for _, start, _ in version(SPOKEN[:29], 1, width=200).cues], np.float64)
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
    times1 = line_times(["a", "b"], [[0, 0, 1_000], [1, 1_000, 4_000]])
    times2 = line_times(["a", "b", "c"], [[0, 10_000, 11_400], [1, 11_400, 12_000], [2, 13_600, 14_600]])
    # The first of the second version runs 0.4 s into the second line; the last hangs over its end by 0.6 s.
    assert timed_pairs(times1, times2, Clock(1.0, 10_000.0)) == [(0, 0), (1, 1)]
    assert timed_pairs(times1, times2, Clock(1.0, 10_200.0)) == [(0, 0), (1, 1), (1, 2)]
