"""A search in files finds what a search in memory finds, within its budget, and leaves nothing behind."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherwords import _kernels
from otherwords.mining.neighbours import cells, nearest, quantised, sharded, work_folder
from otherwords.mining.neighbours.lists import NeighbourLists
from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.options import NeighbourOptions
from otherwords.mining.neighbours.partitioned import MOST_PROBES, bytes_needed
from otherwords.mining.neighbours.quantised import quantise
from otherwords.mining.neighbours.sharded import capacity_for, sharded_bytes
from otherwords.mining.vectors import VectorStore
from tests.errors import raises
from tests.mining.neighbours.vectors import clustered, stored


def result_bytes(lists: NeighbourLists) -> list[bytes]:
    return [(lists.folder / name).read_bytes() for name in ("ids.npy", "scores.npy", "neighbours.json")]


def in_files(
    store: VectorStore, out: Path, capacity: int, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> NeighbourLists:
    """A search in files whose workers have so many rows in memory."""
    with monkeypatch.context() as patch:
        patch.setattr(nearest, "capacity_for", lambda *shape: capacity)
        patch.setattr(nearest, "bytes_needed", lambda *shape: 2**62)
        return nearest_neighbours(store, out, NeighbourOptions(memory_bytes=2**61, **options), all_pairs=0)


@pytest.mark.parametrize(
    "options",
    [
        {"k": 5, "recall": 0.9},
        {"k": 20, "recall": 0.97, "metric": "euclidean"},
        {"k": 4, "recall": 0.9, "scope": "across", "groups": np.arange(1_500) % 3},
    ],
)
def test_the_same_bytes_for_any_memory(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = clustered(1_500)
    vectors[100:140] = vectors[7]  # ties
    store = stored(tmp_path / "vectors", vectors, normalised=False)
    whole = nearest_neighbours(store, tmp_path / "whole", NeighbourOptions(**options), all_pairs=0)
    for capacity, threads in ((300, 1), (700, 2), (5_000, 3)):
        found = in_files(store, tmp_path / str(capacity), capacity, monkeypatch, threads=threads, **options)
        assert result_bytes(found) == result_bytes(whole)
        assert not list(tmp_path.glob("*.search"))


@pytest.mark.parametrize("capacity", [None, 300])
def test_rows_are_read_ahead_where_not_all_stay_in_memory(
    capacity: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = stored(tmp_path / "vectors", clustered(1_500))
    options: dict[str, Any] = {"k": 5, "recall": 0.9, "threads": 1}
    whole = nearest_neighbours(store, tmp_path / "whole", NeighbourOptions(**options), all_pairs=0)
    asked: list[np.ndarray[Any, Any]] = []
    read_ahead = _kernels.halves_read_ahead

    def record(halves: object, rows: np.ndarray[Any, Any]) -> None:
        asked.append(rows)
        read_ahead(halves, rows)

    monkeypatch.setattr(_kernels, "halves_read_ahead", record)
    monkeypatch.setattr(quantised, "CACHED_SHARE", 2**61)
    if capacity:
        found = in_files(store, tmp_path / "found", capacity, monkeypatch, **options)
    else:
        budget = NeighbourOptions(memory_bytes=2**33, **options)
        found = nearest_neighbours(store, tmp_path / "found", budget, all_pairs=0)
    assert result_bytes(found) == result_bytes(whole)
    assert all((np.diff(rows) > 0).all() for rows in asked)
    assert set(np.concatenate(asked).tolist()) == set(range(1_500))
    with pytest.raises(ValueError, match="no row"):
        read_ahead(quantise(store, NeighbourOptions(k=5)).halves, np.array([1_500]))


@pytest.mark.parametrize("far_share", [0.0, 1.1])  # sparse rows have more probes, or all of them
def test_further_probes_in_files(far_share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "ROWS_PER_CELL", 8)
    monkeypatch.setattr(nearest, "FAR_SHARE", far_share)
    vectors = np.random.default_rng(5).normal(size=(1_200, 48)).astype(np.float32)  # no clusters: the worst case
    store = stored(tmp_path / "vectors", vectors, 1_200)
    options: dict[str, Any] = {"k": 5, "recall": 0.985}
    whole = nearest_neighbours(store, tmp_path / "whole", NeighbourOptions(**options), all_pairs=0)
    assert whole.manifest.probes > (32 if far_share else MOST_PROBES)
    assert result_bytes(in_files(store, tmp_path / "files", 1_500, monkeypatch, **options)) == result_bytes(whole)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_one_cell_with_everything(value: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.full((4_500, 16), value, np.float32)
    vectors[-1, 0] = 2.0
    store = stored(tmp_path / "vectors", vectors, 4_500)
    whole = nearest_neighbours(store, tmp_path / "whole", NeighbourOptions(k=3), all_pairs=0)
    assert result_bytes(in_files(store, tmp_path / "files", 4_096, monkeypatch, k=3)) == result_bytes(whole)


@pytest.mark.parametrize("rows", [2, 384, 997, 1_024])
def test_sizes_that_files_divide_or_not(rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = stored(tmp_path / "vectors", clustered(rows, clusters=3))
    whole = nearest_neighbours(store, tmp_path / "whole", NeighbourOptions(k=9), all_pairs=0)
    assert result_bytes(in_files(store, tmp_path / "files", 700, monkeypatch, k=9)) == result_bytes(whole)


def test_shards_are_functions_that_travel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = stored(tmp_path / "vectors", clustered(400))
    whole = nearest_neighbours(store, tmp_path / "whole", NeighbourOptions(k=5), all_pairs=0)

    def run(search: sharded.ShardedSearch, function: Any, tasks: Any) -> None:
        for task in tasks:
            received, argument = pickle.loads(pickle.dumps((function, task)))
            work_folder.forget_work_folders()  # as in a process that knows nothing but the folder
            assert received(argument) is None

    monkeypatch.setattr(sharded.ShardedSearch, "_map", run)
    assert result_bytes(in_files(store, tmp_path / "files", 200, monkeypatch, k=5)) == result_bytes(whole)


def test_a_budget_says_what_would_do_and_that_does(tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(9_000))
    options: dict[str, Any] = {"k": 5, "recall": 0.9, "threads": 2}
    with raises("memory-budget", match=r"give at least \d+ MB"):
        nearest_neighbours(store, tmp_path / "out", NeighbourOptions(memory_bytes=2**20, **options), all_pairs=0)
    assert not (tmp_path / "out").exists()
    least = sharded_bytes(9_000, 32, 5, 2)
    assert capacity_for(least, 9_000, 32, 5, 2) == sharded.LEAST_CAPACITY
    assert least < bytes_needed(9_000, 32, 5)
    found = nearest_neighbours(store, tmp_path / "files", NeighbourOptions(memory_bytes=least, **options), all_pairs=0)
    whole = nearest_neighbours(store, tmp_path / "whole", NeighbourOptions(**options), all_pairs=0)
    assert result_bytes(found) == result_bytes(whole)


LIMITED = """
import resource, sys
from pathlib import Path
import numpy as np
from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.partitioned import MOST_PROBES
from otherwords.mining.neighbours.options import NeighbourOptions
from otherwords.mining.vectors import open_vectors

store = open_vectors(Path(sys.argv[1]))
budget, above = int(sys.argv[3]), int(sys.argv[4])
lines = Path("/proc/self/status").read_text().splitlines()
used = next(int(line.split()[1]) for line in lines if line.startswith("VmData")) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (used + budget + above, used + budget + above))
options = NeighbourOptions(k=5, recall=0.9, threads=1, memory_bytes=budget if budget else None)
nearest_neighbours(store, Path(sys.argv[2]), options, all_pairs=0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is that of Linux")
def test_memory_stays_within_the_budget(tmp_path: Path) -> None:
    store = stored(tmp_path / "vectors", clustered(16_000, 1_024, 200), 8_000)
    budget = sharded_bytes(16_000, 1_024, 5, 1)
    assert budget < bytes_needed(16_000, 1_024, 5)
    command = [sys.executable, "-c", LIMITED, str(store.folder), str(tmp_path / "out")]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    subprocess.run([*command, str(budget), "0"], env=environment, check=True)
    held = subprocess.run([*command, "0", str(budget // 4)], env=environment, capture_output=True, check=False)
    assert held.returncode != 0  # the limit is a real one


def test_a_disk_that_fills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = stored(tmp_path / "vectors", clustered(600))
    written = np.lib.format.write_array
    count = 0

    def write(stream: Any, array: Any, *version: Any, **options: Any) -> None:
        nonlocal count
        count += 1
        if count > 12:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written(stream, array, *version, **options)

    monkeypatch.setattr(work_folder.np.lib.format, "write_array", write)
    with raises("file-unwritable", match="No space left"):
        in_files(store, tmp_path / "out", 128, monkeypatch, k=5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors"]


def test_a_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = stored(tmp_path / "vectors", clustered(600))
    placed = sharded._write_starts

    def damage(work: work_folder.WorkFolder) -> None:
        placed(work)
        path = work.files("rows").path(1)
        path.write_bytes(path.read_bytes()[:-100])

    monkeypatch.setattr(sharded, "_write_starts", damage)
    with raises("search-unreadable", match=r"rows-00001\.npy"):
        in_files(store, tmp_path / "out", 400, monkeypatch, k=5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors"]
