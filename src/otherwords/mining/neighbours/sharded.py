"""A search whose rows and lists are files: for a pool that does not fit into the memory that there is.

It compares what a search in memory compares, and finds the same neighbours; only the work is divided, so that no worker
has more rows in memory than the budget allows. The work itself is in :mod:`otherwords.mining.neighbours.shards`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.mining.neighbours import shards
from otherwords.mining.neighbours.cells import Counts, find_pivots
from otherwords.mining.neighbours.partitioned import MOST_PROBES, PROBES, ProbeCounts, Step, sparsest
from otherwords.mining.neighbours.quantised import CHUNK, Ints, Keys, QuantisedRows, key_scores, slots_for, stride
from otherwords.mining.neighbours.shards import CellGroup, update_name
from otherwords.mining.neighbours.work_folder import SearchPlan, WorkFolder, make_work_folder, open_work_folder

ROW_BYTES = 40  # of every row of the pool in memory: its length, factor, nearest pivot, and place
LEAST_CAPACITY = 4_096  # rows of a worker: the largest cell, and as many that probe it
MOST_PER_FILE = 65_536
SHARED_BYTES = 24 << 20  # pivots, samples, and what the interpreter needs for them


def local_bytes(dimension: int, k: int) -> int:
    """The memory of a row of a worker, with its lists before and after and its updates."""
    return 2 * stride(dimension) + 64 * slots_for(k) + 8 * MOST_PROBES + 128


def worker_bytes(dimension: int, k: int) -> int:
    """The memory of a worker besides its rows: a block in 16 bits while it is made, and its nearest pivots."""
    return CHUNK * (4 * stride(dimension) + 24 * PROBES)


def sharded_bytes(rows: int, dimension: int, k: int, workers: int, capacity: int = LEAST_CAPACITY) -> int:
    """The memory of a search in files; the least one by default."""
    return (
        SHARED_BYTES + ROW_BYTES * rows + workers * (capacity * local_bytes(dimension, k) + worker_bytes(dimension, k))
    )


def capacity_for(budget: int, rows: int, dimension: int, k: int, workers: int) -> int:
    """The most rows of a worker with which a budget does."""
    left = budget - sharded_bytes(rows, dimension, k, workers, 0)
    return left // (workers * local_bytes(dimension, k))


class ShardedSearch:
    """A search in a folder that can be taken further with more probes and rounds."""

    def __init__(self, rows: QuantisedRows, work: WorkFolder) -> None:
        self.rows, self.work = rows, work
        self.counts = ProbeCounts(len(work.pivots.matrix))
        self.limits: Counts = np.zeros(rows.rows, np.uint8)  # probes of each row that were joined
        self.sparse: NDArray[np.bool_] | None = None  # which rows need more probes
        self.joins = 0
        self.steps = 0  # joins and rounds
        self.rounds = 0

    def probe(self, low: bool, step: Step) -> None:
        """Join the rows of cells with those that probe them, with more probes than before."""
        if self.counts.grow(low):
            self.limits = np.maximum(self.limits, np.uint8(self.counts.all))
        else:
            if self.sparse is None:
                self.sparse = sparsest(self._last_scores())
            self.limits = np.where(self.sparse, np.uint8(self.counts.sparse), self.limits)
        self.work.write(f"limits{self.joins}", self.limits)
        self._each_file(shards.index_probes, self.joins)
        groups = self._groups()
        self._map(partial(shards.join_group, str(self.work.folder)), groups)
        self._merge(len(groups), step)
        self.joins += 1

    def _last_scores(self) -> NDArray[np.int32]:
        files = self.work.files(f"lists{self.steps - 1}")
        column = self.rows.options.k - 1
        return np.concatenate([key_scores(files.read(number)[:, column]) for number in range(files.count)])

    def refine(self, step: Step) -> None:
        """A round: every row looks at neighbours of its neighbours that it was not compared with before."""
        self._each_file(shards.keep_snapshot, self.steps - 1, self.rounds)
        if self.rounds:
            self.work.files(f"snapshot{self.rounds - 1}").remove()
        self._each_file(shards.refine_rows, self.steps, self.rounds, self.joins - 1)
        self._merge(self.work.files("rows").count, step)
        self.rounds += 1

    def exact(self, chosen: Ints) -> Keys:
        """The lists of rows with these ids, with ids and exact scores."""
        lists = self.work.files(f"lists{self.steps - 1}").take(np.array(self.work.array("place")[chosen]))
        shards.rescore(self.work, lists, chosen)
        return lists

    def finish(self, step: Step) -> None:
        """Compute the exact scores of all lists."""
        self._each_file(shards.rescore_rows, self.steps - 1)
        step(self.rows.rows)

    def lists_of(self, ids: Ints) -> Keys:
        """The lists of rows with these ids, after the search has finished."""
        return self.work.files("exact").take(np.array(self.work.array("place")[ids]))

    def _groups(self) -> list[CellGroup]:
        """Runs of cells that fit into memory with the rows that probe them."""
        starts, capacity = self.work.starts, self.work.plan.capacity
        inside = np.diff(starts)
        probing = np.zeros(len(inside), np.int64)
        for file in range(self.work.files("rows").count):
            probing += np.diff(self.work.array(f"index-starts-{file:05}"))
        sizes = np.where((inside > 0) & (probing > 0), inside + probing, 0).tolist()
        groups: list[CellGroup] = []
        first, held = 0, 0

        def close(cell: int) -> None:
            if held:
                groups.append(CellGroup(len(groups), self.steps, first, cell))

        for cell, size in enumerate(sizes):
            if size > capacity or held + size > capacity:
                close(cell)
                first, held = cell, 0
            if size <= capacity:
                held += size
                continue
            room = capacity - int(inside[cell])
            for start in range(0, int(probing[cell]), room):
                groups.append(CellGroup(len(groups), self.steps, cell, cell + 1, start, start + room))
            first = cell + 1
        close(len(sizes))
        return groups

    def _merge(self, updates: int, step: Step) -> None:
        self._each_file(shards.merge_updates, self.steps, updates)
        step(self.rows.rows)
        for number in range(updates):
            (self.work.folder / update_name(self.steps, number)).unlink()
        if self.steps:
            self.work.files(f"lists{self.steps - 1}").remove()
        self.steps += 1

    def _each_file(self, shard: Callable[..., None], *numbers: int) -> None:
        self._map(partial(_of_file, shard, str(self.work.folder), numbers), range(self.work.files("rows").count))

    def _map(self, function: Callable[[Any], None], tasks: Iterable[Any]) -> None:
        for _ in self.rows.options.shard_engine.map(function, tasks):
            pass


def _of_file(shard: Callable[..., None], folder: str, numbers: tuple[int, ...], file: int) -> None:
    shard(folder, file, *numbers)


def open_sharded(rows: QuantisedRows, folder: Path, capacity: int, step: Step) -> ShardedSearch:
    """The files of a search in an empty folder: pivots, rows in the order of the cells, and the cells they probe."""
    options = rows.options
    scale = rows.bytes_scale()
    plan = SearchPlan(
        vectors=str(rows.store.folder),
        rows=rows.rows,
        slots=slots_for(options.k),
        k=options.k,
        metric=options.metric,
        scope=options.scope,
        unit=rows.unit,
        scale=scale,
        rows_per_file=min(MOST_PER_FILE, capacity // 2),
        capacity=capacity,
        scattered=rows.scattered,
    )
    work = make_work_folder(folder, plan)
    work.write("factors", rows.factors)
    if rows.groups is not None:
        work.write("groups", rows.groups)
    pivots = find_pivots(rows, scale)
    work.write_pivots(pivots)
    search = ShardedSearch(rows, open_work_folder(str(folder)))
    search._each_file(shards.assign_rows, min(PROBES, len(pivots.matrix)))
    step(rows.rows)
    _write_order(work, len(pivots.matrix))
    search._each_file(shards.place_rows)
    work.files("nearest").remove()
    _write_starts(work)
    return search


def _write_order(work: WorkFolder, pivots: int) -> None:
    """The ids of rows in the order of their nearest pivots, and where each id has its place."""
    files = work.files("nearest")
    own = np.concatenate([files.read(number)[:, 0] for number in range(files.count)])
    work.write("counts", np.bincount(own, minlength=pivots))
    order = np.argsort(own, kind="stable")
    del own
    work.write("order", order)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    work.write("place", place)


def _write_starts(work: WorkFolder) -> None:
    files, cells = work.files("probes"), int(work.layout.firsts[-1])
    counts = np.zeros(cells, np.int64)
    for number in range(files.count):
        counts += np.bincount(files.read(number)[:, 0], minlength=cells)
    work.write("starts", np.concatenate([[0], np.cumsum(counts)]))
