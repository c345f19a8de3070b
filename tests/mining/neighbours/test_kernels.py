"""The kernels of the search: every kind of instructions gives the integers that numpy gives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from otherwords import _kernels
from otherwords.mining.neighbours.quantised import NO_ID, empty_lists, key_ids, key_scores

BEST = _kernels.instructions()


@pytest.fixture(params=range(BEST + 1))
def level(request: pytest.FixtureRequest) -> Iterator[int]:
    yield _kernels.instructions(request.param)
    _kernels.instructions(BEST)


@pytest.mark.parametrize(("dtype", "most"), [(np.int8, 127), (np.int16, 700)])
@pytest.mark.parametrize(("rows1", "rows2", "stride"), [(1, 1, 64), (6, 64, 128), (13, 131, 64), (7, 65, 384)])
@pytest.mark.parametrize("shift", [0, 1])
def test_products_of_all_rows(
    level: int, dtype: type[np.int8], most: int, rows1: int, rows2: int, stride: int, shift: int
) -> None:
    generator = np.random.default_rng([rows1, rows2, shift])
    one, two = (generator.integers(-most, most + 1, (rows, stride)).astype(dtype) for rows in (rows1, rows2))
    one[0] = -most  # the ends of the range
    two[0] = most
    squares1, squares2 = (np.square(rows.astype(np.int64)).sum(axis=1).astype(np.int32) * shift for rows in (one, two))
    lists1, locks1 = empty_lists(rows1, rows2)
    lists2, locks2 = empty_lists(rows2, rows2)
    _kernels.join_rows(
        one.itemsize,
        stride,
        rows2,
        shift,
        0,
        (one, 0, rows1, np.arange(rows1) + 1_000, squares1, None, lists1, locks1),
        (two, 0, rows2, None, squares2, None, lists2, locks2),
    )
    products = one.astype(np.int64) @ two.T.astype(np.int64)
    scores = products * (1 << shift) - squares1[:, None] - squares2[None]
    for row in range(rows1):
        order = np.lexsort((np.arange(rows2), -scores[row]))
        assert np.array_equal(key_ids(lists1[row]), order)
        assert np.array_equal(key_scores(lists1[row]), scores[row][order])
    for row in range(rows2):
        assert key_scores(lists2[row])[0] == scores[:, row].max()
    assert level == _kernels.instructions()


def test_a_list_keeps_the_best_once_and_of_equal_ones_the_lowest_id(level: int) -> None:
    matrix = np.ones((100, 64), np.int8)
    lists, locks = empty_lists(100, 5)
    side = (matrix, 0, 100, None, None, None, lists, locks)
    for _ in range(2):
        _kernels.join_rows(1, 64, 5, 0, 0, side, side)
    assert key_ids(lists[50]).tolist() == [0, 1, 2, 3, 4]
    assert key_ids(lists[2]).tolist() == [0, 1, 3, 4, 5]
    assert not locks.any()


@pytest.mark.parametrize("rule", [1, 2])
def test_groups(rule: int) -> None:
    generator = np.random.default_rng(3)
    matrix = generator.integers(-20, 20, (90, 64)).astype(np.int8)
    groups = generator.integers(3, size=90).astype(np.int32)
    lists, locks = empty_lists(90, 4)
    side = (matrix, 0, 90, None, None, groups, lists, locks)
    _kernels.join_rows(1, 64, 4, 0, rule, side, side)
    scores = matrix.astype(np.int64) @ matrix.T.astype(np.int64)
    allowed = (groups[:, None] == groups[None]) == (rule == 1)
    scores[~allowed | np.eye(90, dtype=bool)] = -(2**31)
    assert np.array_equal(key_scores(lists), -np.sort(-scores, axis=1)[:, :4])


def test_a_round_looks_at_neighbours_of_neighbours(level: int) -> None:
    generator = np.random.default_rng(4)
    matrix = generator.integers(-50, 50, (60, 64)).astype(np.int8)
    lists, locks = empty_lists(60, 8)
    snapshot = np.full((60, 8), NO_ID, np.uint32)
    snapshot[:, 0] = (np.arange(60) + 1) % 60
    side = (matrix, 0, 60, None, None, None, lists, locks)
    _kernels.refine_lists(64, 8, 0, 0, side, snapshot, 8, 8, 8, None, 0, None, 0, 60)
    wide = matrix.astype(np.int64)
    for row in range(60):
        scores = {(row + step) % 60: int(wide[row] @ wide[(row + step) % 60]) for step in (-2, 2)}
        assert dict(zip(key_ids(lists[row]).tolist()[:2], key_scores(lists[row]).tolist()[:2], strict=True)) == scores
        assert not lists[row, 2:].any()


def test_a_round_compares_nothing_twice() -> None:
    matrix = np.random.default_rng(4).integers(-50, 50, (60, 64)).astype(np.int8)
    lists, locks = empty_lists(60, 8)
    snapshot = np.full((60, 8), NO_ID, np.uint32)
    lists[:, 0] = 2**32 - 1 - (np.arange(60, dtype=np.uint64) + 1) % 60 + 2**63  # the next row is the only neighbour
    side = (matrix, 0, 60, None, None, None, lists, locks)
    before = lists.copy()
    probes = np.zeros((60, 2), np.int32)  # all in one cell
    _kernels.snapshot_lists(lists, 8, 8, 0, 60, snapshot)
    _kernels.refine_lists(64, 8, 0, 0, side, snapshot, 8, 8, 8, probes, 2, np.ones(60, np.uint8), 0, 60)
    assert np.array_equal(lists, before)
    _kernels.snapshot_lists(lists, 8, 8, 0, 60, snapshot)
    assert np.array_equal(snapshot[:, 0], ((np.arange(60) + 1) % 60) | 2**31)  # looked at before
    assert (snapshot[:, 1:] == NO_ID).all()
    _kernels.refine_lists(64, 8, 0, 0, side, snapshot, 8, 8, 8, None, 0, None, 0, 60)
    assert np.array_equal(lists, before)


@pytest.mark.parametrize("rows", [1, 6, 64, 65, 200])
def test_pairs_within_a_cell_are_compared_once(rows: int, level: int) -> None:
    matrix = np.random.default_rng(rows).integers(-50, 50, (rows + 9, 64)).astype(np.int8)
    starts, probing = np.array([0, rows]), np.arange(rows + 9, dtype=np.int32)
    results = []
    for within in (0, 1):
        lists, locks = empty_lists(rows + 9, 8)
        side = (matrix, 0, rows + 9, None, None, None, lists, locks)
        _kernels.join_cells(64, 8, 0, 0, side, starts, np.array([0, rows + 9]), probing, 0, 1, within)
        results.append(lists)
    assert np.array_equal(*results)


def test_rows_that_probe_a_cell() -> None:
    generator = np.random.default_rng(6)
    probes = generator.integers(5, size=(40, 3)).astype(np.int32)
    first, stop = generator.integers(2, size=40).astype(np.uint8), generator.integers(2, 4, size=40).astype(np.uint8)
    starts, rows = np.empty(6, np.int64), np.empty(120, np.int32)
    _kernels.probing_rows(probes, 3, first, stop, 5, starts, rows)
    for cell in range(5):
        expected = [
            row
            for rank in range(3)
            for row in range(40)
            if first[row] <= rank < stop[row] and probes[row, rank] == cell
        ]
        assert rows[starts[cell] : starts[cell + 1]].tolist() == expected
    with pytest.raises(ValueError, match="known cells"):
        _kernels.probing_rows(probes, 3, first, stop, 4, starts, rows)


def test_half_precision_numbers_become_whole_ones(level: int) -> None:
    numbers = np.arange(2**16, dtype=np.uint16).view(np.float16)
    numbers = numbers[np.isfinite(numbers)].reshape(-1, 32)[:, :23]  # an odd number, more than one register
    numbers = np.ascontiguousarray(numbers)
    halves = _kernels.halves_open([numbers[:100], numbers[100:]], 23)
    rows = np.arange(len(numbers))
    squares = np.empty(len(numbers))
    _kernels.halves_squares(halves, 0, len(numbers), squares)
    assert squares == pytest.approx(np.square(numbers.astype(np.float64)).sum(axis=1), rel=1e-12)
    for factor in (1.0, 127.0, 3e4):
        out = np.empty((len(numbers), 64), np.int16)
        _kernels.halves_quantise(halves, rows, np.full(len(rows), factor, np.float32), 2, 64, out)
        scaled = numbers.astype(np.float32) * np.float32(factor)
        assert np.array_equal(out[:, :23], np.clip(np.rint(scaled), -32767, 32767).astype(np.int16))
        assert not out[:, 23:].any()


def test_wrong_arrays_are_refused() -> None:
    matrix = np.zeros((4, 64), np.int8)
    lists, locks = empty_lists(4, 2)
    side = (matrix, 0, 4, None, None, None, lists, locks)
    with pytest.raises(ValueError, match="elements"):
        _kernels.join_rows(1, 64, 2, 0, 0, side, (matrix, 0, 5, None, None, None, None, None))
    with pytest.raises(ValueError, match="stride"):
        _kernels.join_rows(1, 63, 2, 0, 0, side, side)
    with pytest.raises(ValueError, match="groups"):
        _kernels.join_rows(1, 64, 2, 0, 1, side, side)
    starts = np.array([0, 2, 4])
    with pytest.raises(ValueError, match="no row"):
        _kernels.join_cells(64, 2, 0, 0, side, starts, starts, np.array([0, 1, 2, 4], np.int32), 0, 2, 0)
    with pytest.raises(ValueError, match="rising"):
        _kernels.join_cells(64, 2, 0, 0, side, starts[::-1].copy(), starts, np.zeros(4, np.int32), 0, 2, 0)
    halves = _kernels.halves_open([np.zeros((3, 8), np.float16)], 8)
    with pytest.raises(ValueError, match="rows"):
        _kernels.halves_quantise(halves, np.array([3]), np.ones(1, np.float32), 1, 64, np.zeros(64, np.int8))
