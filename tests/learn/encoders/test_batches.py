"""Batches: no cluster twice in one, every pair once an epoch as far as its cluster allows it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.learn.encoders.batches import batch_count, cluster_batches, collisions


@given(st.lists(st.integers(0, 12), min_size=4, max_size=80), st.integers(2, 5), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_no_batch_holds_two_rows_of_a_cluster(numbers: list[int], size: int, epoch: int) -> None:
    rows = [(number,) for number in numbers]
    batches, left = cluster_batches(rows, size, 7, epoch)
    placed = [row for batch in batches for row in batch]
    assert all(collisions(rows[row] for row in batch) == 0 for batch in batches)
    assert len(set(placed)) == len(placed) == len(rows) - left
    assert all(2 <= len(batch) <= size for batch in batches)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(21, 40)), min_size=4, max_size=60), st.integers(2, 6))
@settings(max_examples=40, deadline=None)
def test_rows_with_several_clusters_do_not_meet_either(rows: list[tuple[int, ...]], size: int) -> None:
    batches, _ = cluster_batches(rows, size, 0, 0)
    assert all(collisions(rows[row] for row in batch) == 0 for batch in batches)


def test_everything_has_its_place_where_clusters_are_small() -> None:
    rows = [(number // 3,) for number in range(300)]
    batches, left = cluster_batches(rows, 16, 0, 0)
    assert left == 0
    assert sorted(map(len, batches))[1:] == [16] * 18  # and one of 12


def test_a_large_cluster_takes_turns() -> None:
    """One pair of it in every batch, others in the next epoch; without the order by need, the last would be lost."""
    rows = [(0,)] * 30 + [(number,) for number in range(1, 61)]
    epochs = [cluster_batches(rows, 4, 0, epoch) for epoch in range(2)]
    for batches, _ in epochs:
        assert sum(row < 30 for batch in batches for row in batch) == len(batches)
        assert len(batches) == batch_count(np.array([30, *[1] * 60]), 4)
    taken = [{row for batch in batches for row in batch if row < 30} for batches, _ in epochs]
    assert taken[0] != taken[1]


def test_seed_and_epoch_decide() -> None:
    rows = [(number,) for number in range(40)]
    assert cluster_batches(rows, 8, 1, 0) == cluster_batches(rows, 8, 1, 0)
    assert cluster_batches(rows, 8, 1, 0) != cluster_batches(rows, 8, 1, 1)
    assert cluster_batches(rows, 8, 1, 0) != cluster_batches(rows, 8, 2, 0)


@pytest.mark.parametrize(
    ("batch", "expected"), [([(1,), (2,)], 0), ([(1,), (1,)], 1), ([(1, 2), (2, 3), (3, 1)], 3), ([], 0)]
)
def test_collisions_are_counted(batch: list[tuple[int, ...]], expected: int) -> None:
    assert collisions(batch) == expected
