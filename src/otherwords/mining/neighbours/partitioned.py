"""Neighbours of a large pool: products within cells, then rounds in which rows look at the neighbours of their
neighbours.

In each cell the rows that have it among their nearest pivots are compared with the rows that are in it, and both keep
what is near. Lists are sets of the best, by score and then by number, so the order of cells does not matter; a round
reads the lists as they were before it. This follows the winners of the SISAP challenges, who build for all rows at
once what an index would be asked row by row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.mining.neighbours.cells import (
    ROWS_PER_TASK,
    Cells,
    Counts,
    Pivots,
    find_pivots,
    further_probes,
    make_cells,
    probing_rows,
)
from otherwords.mining.neighbours.quantised import (
    CHUNK,
    NO_ID,
    Ints,
    Keys,
    QuantisedRows,
    empty_lists,
    key_scores,
    slots_for,
    stride,
)

PROBES = 16  # of every row at first
GROWTH = 1.5  # of the probes of all rows while far too little is found
SPARSE_SHARE = 0.25  # of the rows: those with the most distant neighbours, which are found the least
SPARSE_GROWTH = 2.0  # of their probes
FAR_SHARE = 0.8  # of the wanted recall: where less is found after rounds, all rows get more probes
MOST_PROBES = 96  # of all rows
MOST_SPARSE_PROBES = 255  # of sparse rows
DEEP_ROWS = 131_072  # rows whose further probes are in memory at a time
DEEP_BYTES = 4 * 4 * MOST_SPARSE_PROBES  # of such a row: its probes, and the rows of each cell
ROUNDS = 2  # after every enlargement of the probes
LOOKED_AT = 15  # neighbours, and neighbours of each, that a row looks at in a round
CELLS_PER_TASK = 16
PARTS = 4  # of vectors that do not stay in memory, one of which is held while neighbours in it are scored

Step = Callable[[int], None]  # takes how many rows are done


def bytes_needed(rows: int, dimension: int, k: int) -> int:
    """The memory of a search beyond the vectors themselves, at its peak."""
    slots = slots_for(k)
    making_cells = 4 * 2 * PROBES + 8 * 3
    searching = 8 * slots + 4 * slots + 4 * PROBES + 8 * 3
    whole = rows * (stride(dimension) + max(making_cells, searching))
    return whole + min(rows, DEEP_ROWS) * DEEP_BYTES + (64 << 20)


class ProbeCounts:
    """How many probes of all rows and of sparse ones were joined, and how many to take next."""

    def __init__(self, most: int) -> None:
        self.most, self.most_sparse = min(MOST_PROBES, most), min(MOST_SPARSE_PROBES, most)
        self.all = 0
        self.sparse = 0

    @property
    def exhausted(self) -> bool:
        return self.all >= self.most

    def grow(self, low: bool) -> bool:
        """Raise the probes of all rows if far too little was found, else of sparse rows; whether of all."""
        everywhere = low or self.all == 0 or self.sparse == self.most_sparse
        if everywhere:
            self.all = min(self.most, math.ceil(GROWTH * self.all) if self.all else PROBES)
            self.sparse = max(self.sparse, self.all)
        else:
            self.sparse = min(self.most_sparse, math.ceil(SPARSE_GROWTH * self.sparse))
        return everywhere


def sparsest(scores: NDArray[np.int32]) -> NDArray[np.bool_]:
    """The rows whose last neighbours are the most distant, from the scores of these."""
    place = int(SPARSE_SHARE * len(scores))
    chosen: NDArray[np.bool_] = scores <= np.partition(scores, place)[place]
    return chosen


@dataclass
class PartitionedSearch:
    """A search that can be taken further with more probes and rounds."""

    rows: QuantisedRows
    matrix: NDArray[np.int8]  # in the order of the cells
    pivots: Pivots
    cells: Cells
    place: Ints  # where the row with each id is
    groups: NDArray[np.int32] | None
    squares: NDArray[np.int32] | None
    lists: Keys
    locks: NDArray[np.uint8]
    snapshot: NDArray[np.uint32] | None = None  # of the lists before the last round
    sparse: NDArray[np.bool_] | None = None  # which rows need more probes

    def __post_init__(self) -> None:
        self.counts = ProbeCounts(len(self.pivots.matrix))
        self.limits: Counts = np.zeros(len(self.matrix), np.uint8)  # probes of each row that were joined

    def _side(self) -> _kernels.Side:
        return self.matrix, 0, len(self.matrix), None, self.squares, self.groups, self.lists, self.locks

    def probe(self, low: bool, step: Step) -> None:
        """Join the rows of cells with those that probe them, with more probes than before."""
        before, limits = self.limits, self.limits.copy()
        if self.counts.grow(low):
            limits[:] = np.maximum(limits, self.counts.all)
        else:
            if self.sparse is None:
                self.sparse = sparsest(key_scores(self.lists[:, self.rows.options.k - 1]))
            limits[self.sparse] = self.counts.sparse
        if not before.any():  # lists that begin with the rows of their own cells change less often afterwards
            own = np.ones_like(before)
            self._join(before, own)
            before = own
        self._join(before, limits)
        self.limits = limits
        step(len(self.matrix))

    def _join(self, before: Counts, limits: Counts) -> None:
        """Join rows with the cells of their probes from ``before`` to ``limits``."""
        probes, cells = self.cells.probes, len(self.cells.starts) - 1
        width = probes.shape[1]
        self._join_probing(*probing_rows(probes, np.minimum(before, width), np.minimum(limits, width), cells))
        deep = np.flatnonzero(limits > np.maximum(before, width)).astype(np.int32)
        for start in range(0, len(deep), DEEP_ROWS):
            rows = deep[start : start + DEEP_ROWS]
            found = self._further_probes(rows, int(limits[rows].max()))
            starts, numbers = probing_rows(found, np.maximum(before[rows], np.uint8(width)), limits[rows], cells)
            self._join_probing(starts, rows[numbers])

    def _join_probing(self, starts: Ints, probing: NDArray[np.int32]) -> None:
        count = len(self.cells.starts) - 1
        shape = (self.rows.stride, self.lists.shape[1], self.rows.shift, self.rows.rule)

        def join(cell: int) -> None:
            last = min(cell + CELLS_PER_TASK, count)
            _kernels.join_cells(*shape, self._side(), self.cells.starts, starts, probing, cell, last, 1)

        if len(probing):
            for _ in self.rows.options.engine.map(join, range(0, count, CELLS_PER_TASK)):
                pass

    def _further_probes(self, rows: NDArray[np.int32], wanted: int) -> NDArray[np.int32]:
        """The first probes of rows and more of them."""
        found = np.empty((len(rows), wanted), np.int32)

        def find(start: int) -> None:
            part = rows[start : start + CHUNK]
            found[start : start + CHUNK] = further_probes(
                self.pivots, self.cells.layout, self.matrix[part], self.cells.probes[part], part, wanted
            )

        for _ in self.rows.options.engine.map(find, range(0, len(rows), CHUNK)):
            pass
        return found

    def refine(self, step: Step) -> None:
        """A round: every row looks at neighbours of its neighbours that it was not compared with before."""
        slots = self.lists.shape[1]
        looked_at = min(LOOKED_AT, slots)
        if self.snapshot is None:
            self.snapshot = np.full(self.lists.shape, NO_ID, np.uint32)
        snapshot, probes = self.snapshot, self.cells.probes
        shape = (self.rows.stride, slots, self.rows.shift, self.rows.rule)
        starts = range(0, len(snapshot), CHUNK)

        def keep(start: int) -> None:
            _kernels.snapshot_lists(self.lists, slots, looked_at, start, min(start + CHUNK, len(snapshot)), snapshot)

        def look(start: int) -> int:
            stop = min(start + CHUNK, len(snapshot))
            compared = (probes, probes.shape[1], self.limits)
            _kernels.refine_lists(*shape, self._side(), snapshot, slots, looked_at, looked_at, *compared, start, stop)
            return stop - start

        for _ in self.rows.options.engine.map(keep, starts):
            pass
        for rows in self.rows.options.engine.map(look, starts):
            step(rows)

    def exact(self, chosen: Ints) -> Keys:
        """The lists of rows with these ids, with ids and exact scores."""
        lists = self.lists_of(chosen)
        self.rows.rescore(lists, self.cells.order, chosen, 0, len(chosen))
        return lists

    def finish(self, step: Step) -> None:
        """Put ids and exact scores into all lists; the search cannot go on after this."""
        self.snapshot = None
        self.matrix = np.empty((0, self.rows.stride), np.int8)  # without it more of the files stays in memory

        if self.rows.scattered:
            self.lists = self._rescored_in_parts(step)
            return

        def rescore(start: int) -> int:
            stop = min(start + CHUNK, len(self.lists))
            self.rows.rescore(self.lists, self.cells.order, self.cells.order, start, stop)
            return stop - start

        for rows in self.rows.options.engine.map(rescore, range(0, len(self.lists), CHUNK)):
            step(rows)

    def _rescored_in_parts(self, step: Step) -> Keys:
        """The lists with ids and exact scores, where the vectors do not stay in memory: one part of them is held at a
        time, and all rows are read in their order to be compared with their neighbours in it."""
        count, order, slots = len(self.lists), self.cells.order, self.lists.shape[1]
        exact = np.zeros_like(self.lists)
        parts = range(0, count, -(-count // PARTS))

        def compare(start: int) -> None:
            ids = np.arange(start, min(start + CHUNK, count))
            places = self.place[ids]
            lists = self.lists[places]
            self.rows.read_ahead(ids)
            _kernels.halves_rescore(
                self.rows.halves, self.rows.factors, within, ids, lists, slots, self.rows.shift, 0, len(ids)
            )
            found = lists != 0
            _kernels.offer_keys(exact, slots, np.repeat(places, found.sum(axis=1)), lists[found])

        for first in parts:
            last = min(first + parts.step, count)
            self.rows.keep(first, last)
            within = np.where((order >= first) & (order < last), order, -1)
            for _ in self.rows.options.engine.map(compare, range(0, count, CHUNK)):
                pass
            step(last - first)
        return exact

    def lists_of(self, ids: Ints) -> Keys:
        """The lists of rows with these ids."""
        return self.lists[self.place[ids]]


def open_search(rows: QuantisedRows, step: Step) -> PartitionedSearch:
    """The cells of all rows, and empty lists; rows are read once for their cells and once in the order of these."""
    scale = rows.bytes_scale()
    pivots = find_pivots(rows, scale)
    probes = min(PROBES, len(pivots.matrix))
    nearest = np.empty((rows.rows, probes), np.int32)

    def assign(start: int) -> int:
        block = rows.bytes(np.arange(start, min(start + ROWS_PER_TASK, rows.rows)), scale)
        nearest[start : start + len(block)] = pivots.nearest(block, probes)
        return len(block)

    def put(start: int) -> None:
        ids = np.arange(start, min(start + CHUNK, rows.rows))
        matrix[place[ids]] = rows.bytes(ids, scale)

    for count in rows.options.engine.map(assign, range(0, rows.rows, ROWS_PER_TASK)):
        step(count)
    cells = make_cells(nearest, len(pivots.matrix))
    place = np.empty(rows.rows, np.int64)
    place[cells.order] = np.arange(rows.rows)
    matrix = np.empty((rows.rows, rows.stride), np.int8)
    for _ in rows.options.engine.map(put, range(0, rows.rows, CHUNK)):
        pass
    groups = None if rows.groups is None else rows.groups[cells.order]
    lists, locks = empty_lists(rows.rows, slots_for(rows.options.k))
    return PartitionedSearch(rows, matrix, pivots, cells, place, groups, rows.squares(matrix), lists, locks)
