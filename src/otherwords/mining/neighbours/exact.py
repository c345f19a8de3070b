"""All pairs of rows of a small pool, and chosen rows against the whole of a large one.

The pairs of a very small pool are compared in 16 bits. Up to about twice as many rows are compared in 8 bits, which
takes a third of the time; what is near by these is then scored in 16 bits, as in a search by cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.engine import Progress
from otherwords.mining.neighbours.quantised import CHUNK, Ints, Keys, QuantisedRows, empty_lists, slots_for

EXACT_ROWS = 30_000  # up to so many all pairs in 16 bits take less time than cells
BYTE_ROWS = 65_536  # up to so many all pairs in 8 bits take little more, and find nearly everything
BLOCK = 1_024


@dataclass(frozen=True, slots=True)
class RowProducts:
    """All rows in 16 or 8 bits, and their lists."""

    rows: QuantisedRows
    matrix: NDArray[np.int16] | NDArray[np.int8]
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
        shape = (self.matrix.itemsize, self.rows.stride, self.lists.shape[1], self.rows.shift, self.rows.rule)
        _kernels.join_rows(*shape, side1, side2)

    def join_all(self, progress: Progress | None) -> None:
        """All rows with each other."""
        count, blocks = len(self.matrix), list(_block_pairs(len(self.matrix)))
        for done, _ in enumerate(self.rows.options.engine.map(self.join, blocks), 1):
            if progress is not None:
                progress(count * done // len(blocks), count)


def all_neighbours(rows: QuantisedRows, slots: int, progress: Progress | None = None) -> Keys:
    """For every row the keys of its nearest, from the nearest on."""
    matrix = np.empty((rows.rows, rows.stride), np.int16)
    for start in range(0, rows.rows, CHUNK):
        matrix[start : start + CHUNK] = rows.words(np.arange(start, min(start + CHUNK, rows.rows)))
    pairs = RowProducts(rows, matrix, rows.squares(matrix), *empty_lists(rows.rows, slots))
    pairs.join_all(progress)
    return pairs.lists


def neighbours_in_bytes(rows: QuantisedRows, progress: Progress | None = None) -> Keys:
    """For every row the keys of those that are its nearest by 8 bits, some more than asked for, in the order of 16."""
    scale, ids = rows.bytes_scale(), np.arange(rows.rows)
    matrix = rows.bytes(ids, scale)
    pairs = RowProducts(rows, matrix, rows.squares(matrix), *empty_lists(rows.rows, slots_for(rows.options.k)))
    pairs.join_all(progress)
    lists = pairs.lists

    def rescore(start: int) -> None:
        rows.rescore(lists, ids, ids, start, min(start + CHUNK, rows.rows))

    for _ in rows.options.engine.map(rescore, range(0, rows.rows, CHUNK)):
        pass
    return lists


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
