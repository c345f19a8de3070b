"""The nearest neighbours of every row of a store, written to a folder with the recall of the search.

A small pool is compared pair by pair, in 16 bits or in 8; a large one by cells and rounds, which are continued with
more probes until the recall that is wanted is reached. What does not fit into the memory that is given is searched in
files. Scores are whole numbers and equal ones are ordered by id, so that the files have the same bytes on any number of
threads, for shards of any size and for any memory.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from otherwords.engine import Progress, cores
from otherwords.errors import DataError, UsageError
from otherwords.mining.neighbours.exact import BYTE_ROWS, EXACT_ROWS, all_neighbours, neighbours_in_bytes
from otherwords.mining.neighbours.lists import (
    BLOCK,
    NeighbourLists,
    NeighbourManifest,
    RecallEstimate,
    write_neighbours,
)
from otherwords.mining.neighbours.options import NeighbourOptions
from otherwords.mining.neighbours.partitioned import (
    FAR_SHARE,
    ROUNDS,
    PartitionedSearch,
    bytes_needed,
    open_search,
)
from otherwords.mining.neighbours.quantised import Ints, Keys, QuantisedRows, key_ids, quantise, stride
from otherwords.mining.neighbours.recall import recall_samples, refuse_recall
from otherwords.mining.neighbours.sharded import ShardedSearch, capacity_for, open_sharded, sharded_bytes
from otherwords.mining.neighbours.work_folder import forget_work_folders
from otherwords.mining.vectors import VectorStore

MOST_ROWS = 2**31 - 1
CLUSTER_CAPACITY = 131_072  # rows of a worker of a cluster, at most: there shall be work for many
PASSES = 3 + ROUNDS  # over all rows: nearest pivots, cells, rounds, exact scores


def nearest_neighbours(
    store: VectorStore,
    folder: Path,
    options: NeighbourOptions = NeighbourOptions(),  # noqa: B008 - frozen
    progress: Progress | None = None,
    all_pairs: int = BYTE_ROWS,
) -> NeighbourLists:
    """Find the neighbours of all rows and write them; up to ``all_pairs`` rows all pairs are compared."""
    options.check(store.rows)
    if store.rows > MOST_ROWS:
        reason = f"{store.rows:,} vectors are too many for one search; the most is {MOST_ROWS:,}"
        raise DataError(reason, store.folder, code="neighbours-rows")
    capacity = _check_memory(store, options, all_pairs)
    rows = quantise(store, options)
    if store.rows <= all_pairs:
        return _compare(rows, folder, progress)
    counter = _Counter(store.rows, progress)
    if capacity is None:
        return _search(open_search(rows, counter.step), folder, counter)
    work = folder.with_name(f"{folder.name}.search")
    try:
        return _search(open_sharded(rows, work, capacity, counter.step), folder, counter)
    finally:
        forget_work_folders()
        shutil.rmtree(work, ignore_errors=True)


def _compare(rows: QuantisedRows, folder: Path, progress: Progress | None) -> NeighbourLists:
    """Compare all pairs, in 8 bits if there are many and that finds what is wanted."""
    if rows.rows > EXACT_ROWS:
        sample, lists = recall_samples(rows).stated, neighbours_in_bytes(rows, progress)
        estimate = sample.estimate(lists[sample.chosen])
        if estimate.share >= rows.options.recall:
            return write_neighbours(folder, _blocks(rows, lists.__getitem__), _manifest(rows, "bytes", 0, 0, estimate))
    lists = all_neighbours(rows, min(rows.options.k, max(rows.rows, 1)), progress)
    estimate = RecallEstimate(1.0, 1.0, 1.0, rows.rows, rows.options.seed)
    return write_neighbours(folder, _blocks(rows, lists.__getitem__), _manifest(rows, "exact", 0, 0, estimate))


def _search(search: PartitionedSearch | ShardedSearch, folder: Path, counter: _Counter) -> NeighbourLists:
    estimate, rounds = _until_recalled(search, counter)
    search.finish(counter.step)
    counter.end()
    manifest = _manifest(search.rows, "cells", search.counts.sparse, rounds, estimate)
    return write_neighbours(folder, _blocks(search.rows, search.lists_of), manifest)


class _Counter:
    """Passes over the rows as one progress."""

    def __init__(self, rows: int, progress: Progress | None) -> None:
        self.progress, self.done, self.total = progress, 0, PASSES * rows

    def end(self) -> None:
        """Rounds that were not needed count as done."""
        self.step(self.total - self.done)

    def step(self, rows: int) -> None:
        self.done += rows
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total)


def _until_recalled(search: PartitionedSearch | ShardedSearch, counter: _Counter) -> tuple[RecallEstimate, int]:
    """Probe and refine until enough is found; the recall, and how many rounds it took."""
    wanted, rounds = search.rows.options.recall, 0
    samples = recall_samples(search.rows)
    low = True
    while not search.counts.exhausted:
        search.probe(low, counter.step)
        for _ in range(ROUNDS):
            search.refine(counter.step)
            rounds += 1
            decided = samples.deciding.estimate(search.exact(samples.deciding.chosen))
            if decided.share < wanted:
                continue
            stated = samples.stated.estimate(search.exact(samples.stated.chosen))
            if stated.share >= wanted:
                return stated, rounds
        low = decided.share < FAR_SHARE * wanted
        counter.total += (1 + ROUNDS) * search.rows.rows
    raise refuse_recall(samples.stated.estimate(search.exact(samples.stated.chosen)), wanted, search.counts.sparse)


def _blocks(rows: QuantisedRows, lists_of: Callable[[Ints], Keys]) -> Iterator[tuple[Ints, NDArray[np.float32]]]:
    """Ids and scores in the order of the ids, ``k`` a row."""
    k = rows.options.k
    for start in range(0, rows.rows, BLOCK):
        keys = lists_of(np.arange(start, min(start + BLOCK, rows.rows)))[:, :k]
        if keys.shape[1] < k:
            keys = np.pad(keys, ((0, 0), (0, k - keys.shape[1])))
        yield key_ids(keys), rows.scores(keys)


def _manifest(rows: QuantisedRows, method: str, probes: int, rounds: int, recall: RecallEstimate) -> NeighbourManifest:
    options = rows.options
    return NeighbourManifest(
        rows=rows.rows,
        k=options.k,
        ids="int32",
        metric=options.metric,
        scope=options.scope,
        encoder=rows.store.manifest.encoder,
        method=method,
        probes=probes,
        rounds=rounds,
        recall=recall,
    )


def _check_memory(store: VectorStore, options: NeighbourOptions, all_pairs: int) -> int | None:
    """How many rows a worker may have in memory, None for all; a budget that would not do is refused."""
    budget, shape = options.memory_bytes, (store.rows, store.dimension, options.k)
    exact = store.rows <= all_pairs
    searched_in_files = options.cluster is not None and not exact
    enough = budget is None or budget >= (exact_bytes(store, options.k) if exact else bytes_needed(*shape))
    if enough and not searched_in_files:
        return None
    workers = options.threads or cores()
    least = exact_bytes(store, options.k) if exact else sharded_bytes(*shape, workers)
    if budget is not None and (exact or budget < least):
        raise UsageError(
            f"{store.rows:,} vectors of {store.dimension} numbers need {_megabytes(least)} for k = {options.k}, "
            f"and the budget is {_megabytes(budget)}; give at least {_megabytes(least)}",
            code="memory-budget",
        )
    capacity = CLUSTER_CAPACITY if budget is None else capacity_for(budget, *shape, workers)
    return min(capacity, CLUSTER_CAPACITY) if searched_in_files else capacity


def exact_bytes(store: VectorStore, k: int) -> int:
    """The memory of a comparison of all pairs, beyond the vectors themselves."""
    return store.rows * (2 * stride(store.dimension) + 8 * k + 32) + (32 << 20)


def _megabytes(size: int) -> str:
    return f"{-(-size // 2**20):,} MB"
