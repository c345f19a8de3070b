"""Unique pairs of lists, and their margins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.options import NeighbourOptions
from otherwords.mining.neighbours.pairs import mean_scores, ratio_margins, unique_pairs
from tests.errors import raises
from tests.mining.neighbours.vectors import clustered, stored


def test_every_pair_comes_once(tmp_path: Path) -> None:
    lists = nearest_neighbours(stored(tmp_path / "vectors", clustered(150)), tmp_path / "out", NeighbourOptions(k=4))
    expected = {
        (min(row, other), max(row, other)): score
        for row, (ids, scores) in enumerate(zip(lists.ids.tolist(), lists.scores.tolist(), strict=True))
        for other, score in zip(ids, scores, strict=True)
    }
    found = [row for block in unique_pairs(lists) for row in zip(block.rows1, block.rows2, block.scores, strict=True)]
    assert len(found) == len(expected)
    assert {(int(row1), int(row2)): float(score) for row1, row2, score in found} == expected
    for block in unique_pairs(lists, rows_per_block=13):
        middle = (lists.scores[block.rows1].mean(axis=1) + lists.scores[block.rows2].mean(axis=1)) / 2
        assert block.margins == pytest.approx(block.scores / middle, rel=1e-5)
        assert len(block) == len(block.rows1)


def test_pairs_of_some_rows_after_the_other_are_all_pairs(tmp_path: Path) -> None:
    lists = nearest_neighbours(stored(tmp_path / "vectors", clustered(90)), tmp_path / "out", NeighbourOptions(k=3))
    parts = [block for rows in (range(40), range(40, 90)) for block in unique_pairs(lists, rows, 20)]
    whole = list(unique_pairs(lists, rows_per_block=20))
    assert [block.rows1.tolist() for block in parts] == [block.rows1.tolist() for block in whole]


def test_margins_of_rows_without_near_neighbours() -> None:
    scores = np.array([0.8, 0.5, 0.1], np.float32)
    found = ratio_margins(scores, np.array([0.5, 0.0, -0.1]), np.array([0.3, 0.0, 0.0]))
    assert found == pytest.approx([2.0, 0.0, 0.0])


def test_a_row_without_neighbours(tmp_path: Path) -> None:
    lists = nearest_neighbours(stored(tmp_path / "vectors", clustered(1)), tmp_path / "out")
    assert mean_scores(lists, np.array([0])).tolist() == [0.0]
    assert [len(block) for block in unique_pairs(lists)] == [0]


def test_margins_are_for_cosines(tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(20))
    with raises("margin-metric"):
        mean_scores(nearest_neighbours(store, tmp_path / "out", NeighbourOptions(metric="euclidean")), np.arange(20))
