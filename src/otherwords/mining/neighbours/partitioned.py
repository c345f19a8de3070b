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
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.mining.neighbours.cells import ROWS_PER_TASK, Cells, Pivots, find_pivots, make_cells
from otherwords.mining.neighbours.quantised import CHUNK, NO_ID, Ints, Keys, QuantisedRows, empty_lists, stride

PROBES = 16  # nearest pivots that are found for every row at first
FIRST_PROBES = 6  # of these, how many are used before the recall is measured
GROWTH = 1.5  # of the probes while too little is found
BY_PROBES = 0.75  # of the wanted recall: before that rounds are not worth their time
MOST_PROBES = 96
ROUNDS = 2  # after every enlargement of the probes
LOOKED_AT = 15  # neighbours, and neighbours of each, that a row looks at in a round
CELLS_PER_TASK = 16
LEAST_SLOTS = 16

Step = Callable[[int], None]  # takes how many rows are done


def slots_for(k: int) -> int:
    """The length of lists for ``k`` neighbours: some more, because 8 bits order them only nearly."""
    return max(LEAST_SLOTS, -(-(k + 1) // 8) * 8)


def bytes_needed(rows: int, dimension: int, k: int) -> int:
    """The memory of a search beyond the vectors themselves, at its peak."""
    slots = slots_for(k)
    making_cells = 4 * 2 * PROBES + 8 * 3
    searching = 8 * slots + 4 * slots + 4 * 2 * PROBES + 8 * 3
    return rows * (stride(dimension) + max(making_cells, searching)) + (64 << 20)


def probes_after(done: int, known: int, most: int) -> int:
    """How many probes to take next; those that are known already before others have to be found."""
    wanted = math.ceil(GROWTH * done) if done else FIRST_PROBES
    return min(known if done < known else most, wanted)


@dataclass
class PartitionedSearch:
    """A search that can be taken further with more probes and rounds."""

    rows: QuantisedRows
    matrix: NDArray[np.int8]  # in the order of the cells
    pivots: Pivots
    cells: Cells
    groups: NDArray[np.int32] | None
    squares: NDArray[np.int32] | None
    lists: Keys
    locks: NDArray[np.uint8]
    snapshot: NDArray[np.uint32] | None = None  # of the lists before the last round
    done: int = field(default=0)  # probes

    @property
    def most_probes(self) -> int:
        return min(MOST_PROBES, len(self.pivots.matrix))

    def _side(self) -> _kernels.Side:
        return self.matrix, 0, len(self.matrix), None, self.squares, self.groups, self.lists, self.locks

    def next_probes(self) -> int:
        """How many probes to take next."""
        return probes_after(self.done, self.cells.probes.shape[1], self.most_probes)

    def probe(self, probes: int, step: Step) -> None:
        """Join the rows of cells with those that probe them, up to so many probes a row."""
        if probes > self.cells.probes.shape[1]:
            self.cells = self._more_probes(probes)
        if self.done == 0:  # lists that begin with the rows of their own cells change less often afterwards
            self._join(0, 1)
        self._join(max(self.done, 1), probes)
        step(len(self.matrix))
        self.done = probes

    def _join(self, first: int, stop: int) -> None:
        starts, probing = self.cells.probing(first, stop)
        shape = (self.rows.stride, self.lists.shape[1], self.rows.shift, self.rows.rule)
        count = len(self.cells.starts) - 1

        def join(cell: int) -> None:
            last = min(cell + CELLS_PER_TASK, count)
            _kernels.join_cells(*shape, self._side(), self.cells.starts, starts, probing, cell, last, 1)

        for _ in self.rows.options.engine.map(join, range(0, count, CELLS_PER_TASK)):
            pass

    def _more_probes(self, probes: int) -> Cells:
        found = np.empty((len(self.matrix), probes), np.int32)

        def find(start: int) -> None:
            nearest = self.pivots.nearest(self.matrix[start : start + CHUNK], probes)
            place = np.arange(start, start + len(nearest))
            found[place] = self.cells.layout.further(self.cells.probes[place], nearest, place)

        for _ in self.rows.options.engine.map(find, range(0, len(found), CHUNK)):
            pass
        return replace(self.cells, probes=found)

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
            compared = (probes, probes.shape[1], self.done)
            _kernels.refine_lists(*shape, self._side(), snapshot, slots, looked_at, looked_at, *compared, start, stop)
            return stop - start

        for _ in self.rows.options.engine.map(keep, starts):
            pass
        for rows in self.rows.options.engine.map(look, starts):
            step(rows)

    def exact(self, chosen: Ints) -> Keys:
        """The lists of rows with these ids, with ids and exact scores."""
        lists = self.lists_of(chosen)
        self._rescore(lists, chosen, 0, len(chosen))
        return lists

    def finish(self, step: Step) -> None:
        """Put ids and exact scores into all lists; the search cannot go on after this."""
        self.snapshot = None

        def rescore(start: int) -> int:
            stop = min(start + CHUNK, len(self.lists))
            self._rescore(self.lists, self.cells.order, start, stop)
            return stop - start

        for rows in self.rows.options.engine.map(rescore, range(0, len(self.lists), CHUNK)):
            step(rows)

    def lists_of(self, ids: Ints) -> Keys:
        """The lists of rows with these ids."""
        return self.lists[self.place[ids]]

    @cached_property
    def place(self) -> Ints:
        """Where the row with each id is."""
        place = np.empty(len(self.cells.order), np.int64)
        place[self.cells.order] = np.arange(len(place))
        return place

    def _rescore(self, lists: Keys, owners: Ints, start: int, stop: int) -> None:
        rows = self.rows
        _kernels.halves_rescore(
            rows.halves, rows.factors, self.cells.order, owners, lists, lists.shape[1], rows.shift, start, stop
        )


def open_search(rows: QuantisedRows, step: Step) -> PartitionedSearch:
    """The cells of all rows, and empty lists; rows are read once for their cells and once in the order of these."""
    scale = rows.bytes_scale()
    pivots = find_pivots(rows, scale)
    probes = min(PROBES, len(pivots.matrix))
    nearest = np.empty((rows.rows, probes), np.int32)
    matrix = np.empty((rows.rows, rows.stride), np.int8)

    def assign(start: int) -> int:
        block = rows.bytes(np.arange(start, min(start + ROWS_PER_TASK, rows.rows)), scale)
        nearest[start : start + len(block)] = pivots.nearest(block, probes)
        return len(block)

    def fetch(start: int) -> None:
        matrix[start : start + CHUNK] = rows.bytes(cells.order[start : start + CHUNK], scale)

    for count in rows.options.engine.map(assign, range(0, rows.rows, ROWS_PER_TASK)):
        step(count)
    cells = make_cells(nearest, len(pivots.matrix))
    for _ in rows.options.engine.map(fetch, range(0, rows.rows, CHUNK)):
        pass
    groups = None if rows.groups is None else rows.groups[cells.order]
    lists, locks = empty_lists(rows.rows, slots_for(rows.options.k))
    return PartitionedSearch(rows, matrix, pivots, cells, groups, rows.squares(matrix), lists, locks)
