"""A pool on disk: Parquet shards and ``pool.json``, which says what is in it and what was left out.

A folder with the manifest is whole. Every row of the input is in one of its counts: it is kept, or it was left out for
a reason.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.digests import digest_file, digest_hex
from otherwords.errors import DataError
from otherwords.mining.pool.options import PoolOptions
from otherwords.mining.pool.rows import InputFile

MANIFEST = "pool.json"
SHARD = "part-{:05}.parquet"  # with its number
FORMAT = 1
ROWS_PER_GROUP = 10_000
EXACT_COPY, NEAR_COPY = "a copy of another", "a near copy of another"
COLUMNS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("group", pa.string()),
        pa.field("copies", pa.int64(), nullable=False),  # how many rows of the input it stands for, itself included
        pa.field("place", pa.string(), nullable=False),  # FILE:LINE of the first of them
        pa.field("name", pa.string()),  # the id that the record has in its file
    ]
)


class PoolShard(msgspec.Struct, frozen=True):
    """One file of a pool."""

    name: str
    rows: int
    bytes: int
    sha256: str


class PoolManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a pool holds, what it was made of, and what was left out."""

    format: int = FORMAT
    rows: int
    bytes: int
    read: int  # rows of the input: those that are kept and those of all reasons
    reasons: dict[str, int]
    options: PoolOptions
    identifier: str  # the signature of what checked the language; empty if nothing did
    inputs: list[InputFile]
    shards: list[PoolShard]


@dataclass(frozen=True)
class Pool:
    """A whole pool, by row."""

    folder: Path
    manifest: PoolManifest

    @property
    def rows(self) -> int:
        return self.manifest.rows

    @cached_property
    def digest(self) -> str:
        """What the pool holds, as a short name."""
        return digest_hex(*(shard.sha256 for shard in self.manifest.shards))

    @cached_property
    def starts(self) -> list[int]:
        """The first row of every shard, and the end."""
        return list(accumulate((shard.rows for shard in self.manifest.shards), initial=0))

    def texts(self, start: int, stop: int) -> Iterator[str]:
        """The texts of rows, in their order."""
        for batch in self.batches(["text"], start, stop):
            yield from batch.column(0).to_pylist()

    def batches(self, columns: Sequence[str], start: int, stop: int) -> Iterator[pa.RecordBatch]:
        """Columns of the rows from ``start`` to ``stop``, some at a time."""
        at, stop = start, min(stop, self.rows)
        while at < stop:
            shard = bisect_right(self.starts, at) - 1
            first, end = self.starts[shard], min(self.starts[shard + 1], stop)
            yield from self._shard_batches(shard, columns, at - first, end - first)
            at = end

    def take(self, rows: npt.NDArray[np.integer[Any]], columns: Sequence[str]) -> pa.Table:
        """Columns of chosen rows, in the order of their numbers in ``rows``."""
        wanted, places = np.unique(rows, return_inverse=True)
        parts = []
        for shard in range(len(self.manifest.shards)):
            first, end = self.starts[shard], self.starts[shard + 1]
            low, high = np.searchsorted(wanted, [first, end])
            if low < high:
                with self._opened(shard) as file:
                    table = file.read(columns=list(columns))
                parts.append(table.take(pa.array(wanted[low:high] - first)))
        if not parts:
            return pa.Table.from_batches([], schema=pa.schema([COLUMNS.field(name) for name in columns]))
        return pa.concat_tables(parts).take(pa.array(places))

    def verify(self) -> None:
        """Read every shard and compare its digest with the manifest."""
        for shard in self.manifest.shards:
            path = self.folder / shard.name
            if digest_file(path) != shard.sha256:
                raise DataError("is not what was written; make the pool again", path, code="pool-changed")

    def _shard_batches(self, shard: int, columns: Sequence[str], start: int, stop: int) -> Iterator[pa.RecordBatch]:
        with self._opened(shard) as file:
            sizes = (file.metadata.row_group(number).num_rows for number in range(file.num_row_groups))
            for number, (low, high) in enumerate(_spans(sizes)):
                if high > start and low < stop:
                    batch = file.read_row_group(number, columns=list(columns)).combine_chunks()
                    yield from batch.slice(max(0, start - low), min(high, stop) - max(low, start)).to_batches()

    @contextlib.contextmanager
    def _opened(self, shard: int) -> Iterator[pq.ParquetFile]:
        path = self.folder / self.manifest.shards[shard].name
        try:
            with pq.ParquetFile(path) as file:
                yield file
        except (OSError, pa.ArrowException) as problem:
            message = f"a shard of the pool cannot be read ({problem}); make the pool again"
            raise DataError(message, path, code="pool-damaged-shard") from None


def open_pool(folder: Path) -> Pool:
    """The pool in a folder, if it is whole."""
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=PoolManifest)
    except FileNotFoundError:
        message = f"holds no whole pool ({MANIFEST} is missing); make it again, which goes on where it stopped"
        raise DataError(message, folder, code="pool-incomplete") from None
    except (OSError, ValueError) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="pool-unreadable") from None
    for shard in manifest.shards:
        file = folder / shard.name
        size = file.stat().st_size if file.is_file() else None
        if size != shard.bytes:
            what = "is missing" if size is None else f"has {size:,} bytes instead of {shard.bytes:,}"
            message = f"a shard of the pool {what}; delete it and make the pool again"
            raise DataError(message, file, code="pool-damaged-shard")
    return Pool(folder, manifest)


def is_pool(folder: Path) -> bool:
    """Whether a folder holds a pool."""
    return (folder / MANIFEST).is_file()


def _spans(sizes: Iterator[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for size in sizes:
        yield start, start + size
        start += size
