"""One sentence against a million vectors on disk, compared with the same blocks in numpy.

Both read the same float16 files, which the system has in memory after the first query, and must find the same rows.
``ROWS`` makes it short.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from otherwords.mining.search import FloatVector, VectorSearch
from otherwords.mining.vectors import FloatRows, VectorPlan, VectorStore, write_vectors

ROWS = int(os.environ.get("ROWS", "1_000_000"))
DIMENSION, NEAREST, QUERIES = 384, 20, 15
MOST_MILLISECONDS = 100.0


def run() -> bool:
    with tempfile.TemporaryDirectory(prefix="otherwords-search-") as folder:
        store = write_vectors(
            Path(folder), _random_rows, VectorPlan(dimension=DIMENSION, rows=ROWS, encoder="random", normalised=True)
        )
        shards = [store.shard(number) for number in range(len(store.manifest.shards))]
        search = VectorSearch(shards, DIMENSION)
        queries = list(store.block(0, QUERIES))
        ways: dict[str, Callable[[FloatVector], list[int]]] = {
            "otherwords": lambda query: [row for row, _ in search.nearest(query, NEAREST)],
            "numpy": lambda query: _by_numpy(store, query),
        }
        print(f"{ROWS:,} × {DIMENSION}, {NEAREST} nearest: milliseconds of a query (median of {QUERIES - 1})")
        medians, found = {}, {}
        for name, way in ways.items():
            wall, cpu, found[name] = [], [], []
            for query in queries:
                start, before = time.perf_counter(), time.process_time()
                found[name].append(way(query))
                wall.append(1000 * (time.perf_counter() - start))
                cpu.append(1000 * (time.process_time() - before))
            medians[name] = statistics.median(wall[1:])
            print(f"  {name:<12} {medians[name]:8.1f} wall {statistics.median(cpu[1:]):8.1f} cpu")
    same = all(ours[0] == theirs[0] for ours, theirs in zip(found["otherwords"], found["numpy"], strict=True))
    print(f"  the same nearest row: {'yes' if same else 'NO'}; at most {MOST_MILLISECONDS:g} ms are wanted")
    return same and medians["otherwords"] <= MOST_MILLISECONDS


def _random_rows(start: int, stop: int) -> Iterator[FloatRows]:
    for first in range(start, stop, 20_000):
        size = min(20_000, stop - first)
        yield np.random.default_rng(first).standard_normal((size, DIMENSION), dtype=np.float32)


def _by_numpy(store: VectorStore, query: FloatVector) -> list[int]:
    products = np.concatenate([rows @ query for _, rows in store.blocks(65_536)])
    best = np.argpartition(-products, NEAREST)[:NEAREST]
    return [int(row) for row in best[np.lexsort((best, -products[best]))]]
