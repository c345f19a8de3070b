"""Cells around pivots: spherical k-means on a sample, the nearest pivots of every row, and cells of a bounded size.

Everything is done in whole numbers, so that the cells are the same on any number of threads. Rows of a cell are
numbered one after the other, which keeps what is compared close together in memory. A cell with too many rows, as of
many copies of one sentence, is cut into parts; a row that only probes it is joined with one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.engine import Engine
from otherwords.mining.neighbours.quantised import NO_ID, Ints, QuantisedRows, empty_lists, key_ids

CELLS_PER_ROOT = 16.0  # pivots for the square root of the number of rows
ROWS_PER_CELL = 50  # at least
SAMPLE_PER_PIVOT = 6  # rows from which pivots are made
ITERATIONS = 3
MOST_IN_CELL = 2_048
LEAST_BELOW = 1_000  # pivots from which on they have some above them
ABOVE, ABOVE_FOR_ONE = 16, 4  # of those above, how many are looked at below; and where only the nearest is wanted
NEAREST_FIRST = 2  # of those above
LEAST_SHARE = 16  # where more than this part of the pivots is wanted, all are looked at
ROWS_PER_TASK = 8_192

Counts: TypeAlias = NDArray[np.uint8]  # of probes, by row
Places: TypeAlias = NDArray[np.integer[Any]]  # of rows, in the order of their cells


@dataclass(frozen=True, slots=True)
class Pivots:
    """Pivots in 8 bits, and what is subtracted from products with them.

    Many of them have pivots of their own, ``above``, and come in their order; a row is then compared only with those
    whose own ones are near to it.
    """

    matrix: NDArray[np.int8]
    squares: NDArray[np.int32] | None
    shift: int
    above: Pivots | None = None
    starts: Ints | None = None  # the first pivot below each one above, and the end

    def nearest(self, matrix: NDArray[np.int8], count: int) -> NDArray[np.int32]:
        """The numbers of the nearest pivots of rows, the nearest first."""
        slots = count if count < 8 else -(-count // 8) * 8  # such lists are filled faster
        lists, locks = empty_lists(len(matrix), slots)
        nobody = np.full(len(matrix), NO_ID)
        rows = (matrix, 0, len(matrix), nobody, None, None, lists, locks)
        for start, stop, chosen in self._near(matrix, count):
            pivots = (self.matrix, start, stop, None, self.squares, None, None, None)
            _kernels.join_rows(1, matrix.shape[1], slots, self.shift, 0, rows, pivots, chosen)
        short = np.flatnonzero(lists[:, count - 1] == 0).astype(np.int32)
        if len(short):  # too few pivots were below those above
            pivots = (self.matrix, 0, len(self.matrix), None, self.squares, None, None, None)
            _kernels.join_rows(1, matrix.shape[1], slots, self.shift, 0, rows, pivots, short)
        return key_ids(lists[:, :count]).astype(np.int32)

    def _near(self, matrix: NDArray[np.int8], count: int) -> Iterator[tuple[int, int, NDArray[np.int32] | None]]:
        """Ranges of pivots, and the rows to compare with each; None for all rows."""
        if self.above is None or self.starts is None or count > len(self.matrix) // LEAST_SHARE:
            yield 0, len(self.matrix), None
            return
        above = len(self.above.matrix)
        looked_at = min(above, ABOVE_FOR_ONE if count == 1 else ABOVE)
        near = self.above.nearest(matrix, looked_at)
        # Lists that begin with what is nearest change less often afterwards.
        for first, stop in ((0, min(NEAREST_FIRST, looked_at)), (min(NEAREST_FIRST, looked_at), looked_at)):
            none = np.zeros(len(matrix), np.uint8)
            ends, rows = probing_rows(near, none + np.uint8(first), none + np.uint8(stop), above)
            for number, (start, end) in enumerate(pairwise(ends)):
                if start < end:
                    yield int(self.starts[number]), int(self.starts[number + 1]), rows[start:end]

    def nearest_of_all(
        self, matrix: NDArray[np.int8], count: int, engine: Engine, step: Callable[[int], None] | None = None
    ) -> NDArray[np.int32]:
        """As ``nearest``, for many rows on several threads."""
        starts = range(0, len(matrix), ROWS_PER_TASK)
        out = np.empty((len(matrix), count), np.int32)
        chunks = engine.map(lambda start: self.nearest(matrix[start : start + ROWS_PER_TASK], count), starts)
        for start, found in zip(starts, chunks, strict=True):
            out[start : start + ROWS_PER_TASK] = found
            if step is not None:
                step(len(found))
        return out

    def with_above(self, rows: QuantisedRows, length: float) -> Pivots:
        """The same pivots in the order of pivots above them."""
        if len(self.matrix) < LEAST_BELOW:
            return self
        above = _means(rows, self.matrix, round(math.sqrt(len(self.matrix))), length)
        own = above.nearest(self.matrix, 1)[:, 0]
        order = np.argsort(own, kind="stable")
        starts = np.searchsorted(own[order], np.arange(len(above.matrix) + 1))
        ordered = _pivots(rows, self.matrix[order])
        return Pivots(ordered.matrix, ordered.squares, self.shift, above, starts)


def pivot_count(rows: int) -> int:
    """How many pivots a pool of this size has."""
    return max(1, min(rows // ROWS_PER_CELL, round(CELLS_PER_ROOT * math.sqrt(rows))))


def find_pivots(rows: QuantisedRows, scale: float) -> Pivots:
    """Pivots by k-means on a sample of the rows; for cosines all have the same length."""
    count = pivot_count(rows.rows)
    size = min(rows.rows, count * SAMPLE_PER_PIVOT)
    chosen = np.random.default_rng(rows.options.seed).choice(rows.rows, size, replace=False)
    length = scale * math.sqrt(rows.unit)
    return _means(rows, rows.bytes(np.sort(chosen), scale), count, length).with_above(rows, length)


def _means(rows: QuantisedRows, sample: NDArray[np.int8], count: int, length: float) -> Pivots:
    generator = np.random.default_rng(rows.options.seed)
    pivots = _pivots(rows, sample[np.sort(generator.choice(len(sample), count, replace=False))])
    for _ in range(ITERATIONS):
        below = pivots.with_above(rows, length)
        nearest = below.nearest_of_all(sample, 1, rows.options.engine)[:, 0]
        pivots = _pivots(rows, _centres(sample, nearest, below.matrix, None if rows.shift else length))
    return pivots


def _pivots(rows: QuantisedRows, matrix: NDArray[np.int8]) -> Pivots:
    return Pivots(matrix, rows.squares(matrix), rows.shift)


def _centres(
    sample: NDArray[np.int8], nearest: NDArray[np.int32], before: NDArray[np.int8], length: float | None
) -> NDArray[np.int8]:
    """The middle of the rows of each pivot, scaled to a length where one is given; a pivot without rows stays."""
    order = np.argsort(nearest, kind="stable")
    present, starts = np.unique(nearest[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    out = before.copy()
    for pivot, start, end in zip(present, starts, ends, strict=True):
        total = sample[order[start:end]].sum(axis=0, dtype=np.int64).astype(np.float64)
        size = float(end - start) if length is None else math.sqrt(float(total @ total)) / length
        if size > 0:
            out[pivot] = np.clip(np.rint(total / size), -127, 127).astype(np.int8)
    return out


@dataclass(frozen=True)
class CellLayout:
    """Which cells there are, from the number of rows whose nearest pivot each is: a pivot with many has several."""

    counts: Ints
    most: int = MOST_IN_CELL

    @cached_property
    def firsts(self) -> Ints:
        """The first cell of each pivot, and the end."""
        return np.concatenate([[0], np.cumsum(np.maximum(1, -(-self.counts // self.most)))])

    @cached_property
    def pivot_starts(self) -> Ints:
        """The first row of each pivot, in the order of the cells, and the end."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    def cells(self, nearest: NDArray[np.int32], place: Places) -> NDArray[np.int32]:
        """The cells around the nearest pivots of rows at these places, the first being that which a row is in."""
        own = nearest[:, 0]
        parts = self.firsts[own + 1] - self.firsts[own]
        widths = np.maximum(1, -(-self.counts[own] // parts))
        out = self.dealt(nearest, place)
        out[:, 0] = self.firsts[own] + (place - self.pivot_starts[own]) // widths
        return out

    def dealt(self, pivots: NDArray[np.int32], place: Places) -> NDArray[np.int32]:
        """The cells of pivots; rows that come from elsewhere are dealt out to the parts of a pivot."""
        parts = self.firsts[pivots + 1] - self.firsts[pivots]
        return (self.firsts[pivots] + place[:, None] % parts).astype(np.int32)

    def further(self, known: NDArray[np.int32], nearest: NDArray[np.int32], place: Places) -> NDArray[np.int32]:
        """The cells that are known, and others around the nearest pivots, of which there are more."""
        width = known.shape[1]
        pivots = np.searchsorted(self.firsts, known, side="right") - 1
        others = nearest[:, width:].copy()
        differ = np.flatnonzero((nearest[:, :width] != pivots).any(axis=1))
        repeated = (nearest[differ, :, None] == pivots[differ, None, :]).any(axis=2)
        kept = np.argsort(repeated, axis=1, kind="stable")[:, : others.shape[1]]
        others[differ] = np.take_along_axis(nearest[differ], kept, axis=1)
        return np.concatenate([known, self.dealt(others, place)], axis=1)


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows in the order of their cells; ``probes`` are the cells around the nearest pivots of each row."""

    order: Ints  # ids of the rows
    starts: Ints  # the first row of each cell, and the end
    probes: NDArray[np.int32]  # cells of each row, in the new order; the first is its own
    layout: CellLayout


def probing_rows(probes: NDArray[np.int32], first: Counts, stop: Counts, cells: int) -> tuple[Ints, NDArray[np.int32]]:
    """Where the rows that probe each cell with their probes from ``first`` to ``stop`` start, and these rows."""
    starts = np.empty(cells + 1, np.int64)
    rows = np.empty(int(stop.sum(dtype=np.int64) - first.sum(dtype=np.int64)), np.int32)
    _kernels.probing_rows(probes, probes.shape[1], first, stop, cells, starts, rows)
    return starts, rows


def further_probes(
    pivots: Pivots,
    layout: CellLayout,
    matrix: NDArray[np.int8],
    probes: NDArray[np.int32],
    place: Places,
    count: int,
) -> NDArray[np.int32]:
    """The first probes of rows at these places, and more of them."""
    return layout.further(probes, pivots.nearest(matrix, count), place)


def make_cells(nearest: NDArray[np.int32], pivots: int, most: int = MOST_IN_CELL) -> Cells:
    """Cells of at most so many rows from the nearest pivots of every row."""
    own = nearest[:, 0]
    order = np.argsort(own, kind="stable")
    layout = CellLayout(np.bincount(own, minlength=pivots), most)
    probes = np.empty(nearest.shape, np.int32)
    for start in range(0, len(own), ROWS_PER_TASK):
        block = nearest[order[start : start + ROWS_PER_TASK]]
        probes[start : start + len(block)] = layout.cells(block, np.arange(start, start + len(block)))
    counts = np.bincount(probes[:, 0], minlength=layout.firsts[-1])
    return Cells(order, np.concatenate([[0], np.cumsum(counts)]), probes, layout)
