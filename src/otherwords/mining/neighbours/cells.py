"""Cells around pivots: spherical k-means on a sample, the nearest pivots of every row, and cells of a bounded size.

Everything is done in whole numbers, so that the cells are the same on any number of threads. Rows of a cell are
numbered one after the other, which keeps what is compared close together in memory. A cell with too many rows, as of
many copies of one sentence, is cut into parts; a row that only probes it is joined with one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.engine import Engine
from otherwords.mining.neighbours.quantised import CHUNK, NO_ID, Ints, QuantisedRows, empty_lists, key_ids

CELLS_PER_ROOT = 4.0  # pivots for the square root of the number of rows
SAMPLE_PER_PIVOT = 16  # rows from which pivots are made
ITERATIONS = 3
MOST_IN_CELL = 2_048


@dataclass(frozen=True, slots=True)
class Pivots:
    """Pivots in 8 bits, and what is subtracted from products with them."""

    matrix: NDArray[np.int8]
    squares: NDArray[np.int32] | None
    shift: int

    def nearest(self, matrix: NDArray[np.int8], count: int) -> NDArray[np.int32]:
        """The numbers of the nearest pivots of rows, the nearest first."""
        lists, locks = empty_lists(len(matrix), count)
        nobody = np.full(len(matrix), NO_ID)
        side1 = (matrix, 0, len(matrix), nobody, None, None, lists, locks)
        side2 = (self.matrix, 0, len(self.matrix), None, self.squares, None, None, None)
        _kernels.join_rows(1, matrix.shape[1], count, self.shift, 0, side1, side2)
        return key_ids(lists).astype(np.int32)

    def nearest_of_all(
        self, matrix: NDArray[np.int8], count: int, engine: Engine, step: Callable[[int], None] | None = None
    ) -> NDArray[np.int32]:
        """As ``nearest``, for many rows on several threads."""
        starts = range(0, len(matrix), CHUNK)
        out = np.empty((len(matrix), count), np.int32)
        chunks = engine.map(lambda start: self.nearest(matrix[start : start + CHUNK], count), starts)
        for start, found in zip(starts, chunks, strict=True):
            out[start : start + CHUNK] = found
            if step is not None:
                step(len(found))
        return out


def pivot_count(rows: int) -> int:
    """How many pivots a pool of this size has."""
    return max(1, min(rows, round(CELLS_PER_ROOT * math.sqrt(rows))))


def find_pivots(rows: QuantisedRows, matrix: NDArray[np.int8], length: float) -> Pivots:
    """Pivots by k-means on a sample of the rows; for cosines all have the same length."""
    count = pivot_count(len(matrix))
    generator = np.random.default_rng(rows.options.seed)
    size = min(len(matrix), count * SAMPLE_PER_PIVOT)
    sample = matrix[np.sort(generator.choice(len(matrix), size, replace=False))]
    pivots = _pivots(rows, sample[np.sort(generator.choice(size, count, replace=False))])
    for _ in range(ITERATIONS):
        nearest = pivots.nearest_of_all(sample, 1, rows.options.engine)[:, 0]
        pivots = _pivots(rows, _centres(sample, nearest, pivots.matrix, None if rows.shift else length))
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


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows in the order of their cells; ``probes`` are the cells around the nearest pivots of each row."""

    order: Ints  # ids of the rows
    starts: Ints  # the first row of each cell, and the end
    probes: NDArray[np.int32]  # cells of each row, in the new order; the first is its own

    def probing(self, first: int, stop: int) -> tuple[Ints, NDArray[np.int32]]:
        """The rows that probe each cell with one of their probes from ``first`` to ``stop``, and where they start."""
        chosen = self.probes[:, first:stop]
        flat = chosen.T.ravel()  # nearest probes first: lists fill early with what stays in them
        order = np.argsort(flat, kind="stable")
        counts = np.bincount(flat, minlength=len(self.starts) - 1)
        return np.concatenate([[0], np.cumsum(counts)]), (order % len(chosen)).astype(np.int32)


def make_cells(nearest: NDArray[Any], pivots: int, most: int = MOST_IN_CELL) -> Cells:
    """Cells of at most so many rows from the nearest pivots of every row."""
    own = nearest[:, 0]
    order = np.argsort(own, kind="stable")
    counts = np.bincount(own, minlength=pivots)
    parts = np.maximum(1, -(-counts // most))
    widths = np.maximum(1, -(-counts // parts))
    first_part = np.concatenate([[0], np.cumsum(parts)[:-1]])
    pivot_starts = np.concatenate([[0], np.cumsum(counts)])
    sorted_own = own[order]
    position = np.arange(len(own)) - pivot_starts[sorted_own]
    probes = np.empty(nearest.shape, np.int32)
    for rank in range(nearest.shape[1]):
        pivot = nearest[order, rank]
        # Rows that come from elsewhere are dealt out to the parts.
        part = position // widths[pivot] if rank == 0 else np.arange(len(own)) % parts[pivot]
        probes[:, rank] = first_part[pivot] + part
    cells = int(parts.sum())
    starts = np.concatenate([[0], np.cumsum(np.bincount(probes[:, 0], minlength=cells))])
    return Cells(order, starts, probes)
