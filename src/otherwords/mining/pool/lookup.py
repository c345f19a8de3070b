"""Any rows of a pool at once: an unpacked copy of its columns in a file, which is mapped into memory.

Pairs of neighbours name rows all over the pool. Parquet would have to be unpacked again for every block of them; from
the copy, only what is asked for is read, by any number of processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.ipc as ipc

from otherwords.errors import DataError
from otherwords.mining.pool.folder import COLUMNS, Pool
from otherwords.sources.io.files import atomic_write

ROWS_PER_CHUNK = 50_000


@dataclass(frozen=True, slots=True)
class SentenceLookup:
    """Columns of a pool by row."""

    schema: pa.Schema
    chunks: list[pa.RecordBatch]
    starts: npt.NDArray[np.int64]

    def take(self, rows: npt.NDArray[np.integer[Any]]) -> pa.Table:
        """The chosen rows, in the order of their numbers in ``rows``."""
        wanted, places = np.unique(rows, return_inverse=True)
        edges = np.searchsorted(wanted, self.starts)
        parts = []
        for number, chunk in enumerate(self.chunks):
            low, high = edges[number], edges[number + 1]
            if low < high:
                parts.append(chunk.take(pa.array(wanted[low:high] - self.starts[number])))
        return pa.Table.from_batches(parts, self.schema).combine_chunks().take(pa.array(places))


def write_lookup(pool: Pool, columns: Sequence[str], path: Path) -> None:
    """Write the columns of a pool for a lookup."""
    schema = pa.schema([COLUMNS.field(name) for name in columns])
    with atomic_write(path) as stream, ipc.new_file(stream, schema) as writer:
        for start in range(0, pool.rows, ROWS_PER_CHUNK):
            table = pa.Table.from_batches(
                [batch.cast(schema) for batch in pool.batches(schema.names, start, start + ROWS_PER_CHUNK)], schema
            )
            [chunk] = table.combine_chunks().to_batches()
            writer.write_batch(chunk)


def open_lookup(path: Path) -> SentenceLookup:
    """The columns by row; what is mapped is let go with the lookup."""
    try:
        reader = ipc.open_file(pa.memory_map(str(path)))
    except (OSError, pa.ArrowException) as problem:
        message = f"cannot be read ({problem}); delete its folder, and the same command makes it again"
        raise DataError(message, path, code="lookup-damaged") from None
    chunks = [reader.get_batch(number) for number in range(reader.num_record_batches)]
    return SentenceLookup(reader.schema, chunks, np.cumsum([0, *(len(chunk) for chunk in chunks)], dtype=np.int64))
