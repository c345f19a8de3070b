"""The recall of lists: what counts as found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from otherwords.mining.neighbours.quantised import Keys
from otherwords.mining.neighbours.recall import RecallSample, row_recall


def keys(*lists: list[tuple[int, int]]) -> Keys:
    """Lists of (score, id), as the kernels write them."""
    longest = max(len(entries) for entries in lists)
    out: NDArray[np.uint64] = np.zeros((len(lists), longest), np.uint64)
    for row, entries in enumerate(lists):
        for at, (score, id) in enumerate(entries):
            out[row, at] = (score + 2**31) << 32 | (2**32 - 1 - id)
    return out


def test_what_is_as_near_as_the_last_true_neighbour_is_found() -> None:
    truth = keys([(9, 1), (7, 2), (7, 3)], [(5, 1), (4, 2), (3, 3)], [(1, 1)], [])
    found = keys([(9, 1), (7, 8), (7, 9)], [(5, 1), (3, 3), (2, 7)], [(0, 5)], [])
    assert row_recall(truth, found).tolist() == [1.0, 2 / 3, 0.0, 1.0]


def test_the_interval_is_that_of_the_rows() -> None:
    truth = keys(*[[(9, 1), (8, 2)]] * 100)
    found = keys(*[[(9, 1), (1, 3)]] * 100)
    estimate = RecallSample(np.arange(100), truth, 3).estimate(found)
    assert (estimate.share, estimate.rows, estimate.seed) == (0.5, 100, 3)
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (0.4038, 0.5962)
