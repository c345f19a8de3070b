"""The files of a search that does not fit into memory.

``plan.json`` says what is searched and how. Arrays with a row for each row of the pool are divided into files of as
many rows each, which are written aside and renamed, so that a file that is there is whole. They are mapped when they
are read: what is mapped can be dropped by the system at any time and is not counted as memory of the search.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.errors import DataError
from otherwords.mining.neighbours.cells import CellLayout, Pivots
from otherwords.mining.neighbours.options import Metric, NeighbourOptions, Scope
from otherwords.mining.neighbours.quantised import Ints, QuantisedRows
from otherwords.mining.vectors import open_vectors
from otherwords.sources.io.files import atomic_write

PLAN = "plan.json"
MAGIC = b"\x93NUMPY\x01\x00"
HEADER = re.compile(rb"\{'descr': '([^']+)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \}")
SMALL = 4_096  # bytes of a file that is not worth mapping


class SearchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is searched, and how much of it a worker has in memory at a time."""

    vectors: str  # the folder of the store
    rows: int
    slots: int
    k: int
    metric: Metric
    scope: Scope
    unit: float  # as in QuantisedRows
    scale: float  # from 16 to 8 bits
    rows_per_file: int
    capacity: int  # rows that a worker has in memory
    scattered: bool  # as in QuantisedRows


@dataclass(frozen=True, slots=True)
class RowFiles:
    """An array with a row for each row of the pool, in files."""

    folder: Path
    name: str
    rows: int
    per_file: int

    @property
    def count(self) -> int:
        return -(-self.rows // self.per_file)

    def span(self, number: int) -> tuple[int, int]:
        """The first row of a file, and the end."""
        return number * self.per_file, min((number + 1) * self.per_file, self.rows)

    def write(self, number: int, array: NDArray[Any]) -> None:
        write_array(self.path(number), array)

    def read(self, number: int) -> NDArray[Any]:
        """The rows of a file."""
        start, stop = self.span(number)
        array = read_array(self.path(number))
        if len(array) != stop - start:
            raise _damaged(self.path(number), f"has {len(array):,} rows, not {stop - start:,}")
        return array

    def take(self, rows: Ints) -> NDArray[Any]:
        """Chosen rows, in the order of their numbers."""
        files = rows // self.per_file
        out: NDArray[Any] | None = None
        for number in np.unique(files):
            array, here = self.read(int(number)), files == number
            if out is None:
                out = np.empty((len(rows), *array.shape[1:]), array.dtype)
            out[here] = array[rows[here] - number * self.per_file]
        assert out is not None, "rows are chosen"
        return out

    def remove(self) -> None:
        """Delete what is there of it."""
        for number in range(self.count):
            self.path(number).unlink(missing_ok=True)

    def path(self, number: int) -> Path:
        return self.folder / f"{self.name}-{number:05}.npy"


@dataclass(frozen=True)
class WorkFolder:
    """The folder of a search."""

    folder: Path
    plan: SearchPlan

    def files(self, name: str) -> RowFiles:
        """An array of all rows, by name."""
        return RowFiles(self.folder, name, self.plan.rows, self.plan.rows_per_file)

    def array(self, name: str) -> NDArray[Any]:
        """An array in one file."""
        return read_array(self.folder / f"{name}.npy")

    def write(self, name: str, array: NDArray[Any]) -> None:
        write_array(self.folder / f"{name}.npy", array)

    @cached_property
    def quantised(self) -> QuantisedRows:
        """The vectors with their factors."""
        store, plan = open_vectors(Path(self.plan.vectors)), self.plan
        if plan.scattered:
            store.read_as_asked()
        shards = [store.shard(number) for number in range(len(store.manifest.shards))]
        groups = None if plan.scope == "all" else self.array("groups")
        options = NeighbourOptions(k=plan.k, metric=plan.metric, groups=groups, scope=plan.scope)
        halves = _kernels.halves_open(shards, store.dimension)
        return QuantisedRows(store, options, halves, self.array("factors"), plan.unit, groups, plan.scattered)

    @cached_property
    def pivots(self) -> Pivots:
        rows, matrix = self.quantised, np.array(self.array("pivots"))
        if not (self.folder / "above.npy").exists():
            return Pivots(matrix, rows.squares(matrix), rows.shift)
        above = np.array(self.array("above"))
        level = Pivots(above, rows.squares(above), rows.shift)
        return Pivots(matrix, rows.squares(matrix), rows.shift, level, np.array(self.array("below")))

    def write_pivots(self, pivots: Pivots) -> None:
        """Keep the pivots for the workers."""
        self.write("pivots", pivots.matrix)
        if pivots.above is not None and pivots.starts is not None:
            self.write("above", pivots.above.matrix)
            self.write("below", pivots.starts)

    @cached_property
    def layout(self) -> CellLayout:
        return CellLayout(np.array(self.array("counts")))

    @cached_property
    def starts(self) -> Ints:
        """The first row of each cell, and the end."""
        return np.array(self.array("starts"))


def make_work_folder(folder: Path, plan: SearchPlan) -> WorkFolder:
    """An empty folder with a plan."""
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / PLAN) as stream:
        stream.write(msgspec.json.encode(plan))
    return WorkFolder(folder, plan)


def open_work_folder(folder: str) -> WorkFolder:
    """The folder of a search, kept open in this process as long as its plan is the same."""
    path = Path(folder) / PLAN
    try:
        return _opened(folder, path.stat().st_mtime_ns)
    except (OSError, msgspec.MsgspecError) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="search-unreadable") from None


@lru_cache(maxsize=2)
def _opened(folder: str, modified: int) -> WorkFolder:
    path = Path(folder)
    return WorkFolder(path, msgspec.json.decode((path / PLAN).read_bytes(), type=SearchPlan))


def forget_work_folders() -> None:
    """Close what is kept open, so that the files can go."""
    _opened.cache_clear()


def read_array(path: Path) -> NDArray[Any]:
    """An array from a file, mapped if it is large.

    numpy reads the header with Python's parser, which in Python 3.11 fails now and then where several threads use it.
    """
    try:
        with path.open("rb") as stream:
            start = stream.read(10)
            length = int.from_bytes(start[8:], "little")
            found = HEADER.match(stream.read(length))
            if start[:8] != MAGIC or found is None:
                raise ValueError("it has no header of an array")
            kind, shape = np.dtype(found[1].decode()), tuple(int(size) for size in found[2].split(b",") if size.strip())
            size = path.stat().st_size - len(start) - length
            if size != kind.itemsize * math.prod(shape):
                raise ValueError(f"it has {size:,} bytes of numbers, not {kind.itemsize * math.prod(shape):,}")
            if size > SMALL:
                return np.memmap(path, kind, "r", len(start) + length, shape)
            return np.frombuffer(stream.read(), kind).reshape(shape)
    except (OSError, ValueError, TypeError) as problem:
        raise _damaged(path, f"cannot be read: {problem}") from None


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array aside and rename it."""
    with atomic_write(path) as stream:
        np.lib.format.write_array(stream, np.ascontiguousarray(array), (1, 0), allow_pickle=False)


def _damaged(path: Path, reason: str) -> DataError:
    return DataError(f"{reason}; search again", path, code="search-unreadable")
