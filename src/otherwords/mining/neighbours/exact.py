"""Exact neighbours: all pairs of rows for a small pool, and chosen rows against the whole of a large one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.engine import Progress
from otherwords.mining.neighbours.quantised import CHUNK, Ints, Keys, QuantisedRows, empty_lists

EXACT_ROWS = 30_000  # below this all pairs take less time than cells
BLOCK = 1_024


@dataclass(frozen=True, slots=True)
class RowProducts:
    """All rows in 16 bits and their lists."""

    rows: QuantisedRows
    matrix: NDArray[np.int16]
    squares: NDArray[np.int32] | None
    lists: Keys
    locks: NDArray[np.uint8]

    def join(self, blocks: tuple[int, int]) -> None:
        """Two blocks of rows with each other, or one with itself."""
        side1, side2 = (
            (
                self.matrix,
                start,
                min(start + BLOCK, len(self.matrix)),
                None,
                self.squares,
                self.rows.groups,
                self.lists,
                self.locks,
            )
            for start in blocks
        )
        _kernels.join_rows(2, self.rows.stride, self.lists.shape[1], self.rows.shift, self.rows.rule, side1, side2)


def all_neighbours(rows: QuantisedRows, slots: int, progress: Progress | None = None) -> Keys:
    """For every row the keys of its nearest, from the nearest on."""
    matrix = np.empty((rows.rows, rows.stride), np.int16)
    for start in range(0, rows.rows, CHUNK):
        matrix[start : start + CHUNK] = rows.words(np.arange(start, min(start + CHUNK, rows.rows)))
    pairs = RowProducts(rows, matrix, rows.squares(matrix), *empty_lists(rows.rows, slots))
    blocks = list(_block_pairs(rows.rows))
    for done, _ in enumerate(rows.options.engine.map(pairs.join, blocks), 1):
        if progress is not None:
            progress(rows.rows * done // len(blocks), rows.rows)
    return pairs.lists


def _block_pairs(rows: int) -> Iterator[tuple[int, int]]:
    for start1 in range(0, rows, BLOCK):
        yield from ((start1, start2) for start2 in range(start1, rows, BLOCK))


def search(rows: QuantisedRows, chosen: Ints, slots: int) -> Keys:
    """For chosen rows the keys of their nearest among all, which are read once."""
    queries = rows.words(chosen)
    squares = rows.squares(queries)
    lists, locks = empty_lists(len(chosen), slots)
    groups = None if rows.groups is None else rows.groups[chosen]

    def join(start: int) -> None:
        ids = np.arange(start, min(start + CHUNK, rows.rows))
        block = rows.words(ids)
        block_groups = None if rows.groups is None else rows.groups[ids]
        _kernels.join_rows(
            2,
            rows.stride,
            slots,
            rows.shift,
            rows.rule,
            (queries, 0, len(chosen), chosen, squares, groups, lists, locks),
            (block, 0, len(ids), ids, rows.squares(block), block_groups, None, None),
        )

    for _ in rows.options.engine.map(join, range(0, rows.rows, CHUNK)):
        pass
    return lists
