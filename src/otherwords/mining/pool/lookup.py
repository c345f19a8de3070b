"""Any rows of a pool at once: an unpacked copy of its columns in a temporary file, which is mapped into memory.

Pairs of neighbours name rows all over the pool. Parquet would have to be unpacked again for every block of them; from
the copy, only what is asked for is read.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.ipc as ipc

from otherwords.errors import WriteError
from otherwords.mining.pool.folder import COLUMNS, Pool

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


@contextlib.contextmanager
def sentence_lookup(pool: Pool, columns: Sequence[str], folder: Path) -> Iterator[SentenceLookup]:
    """The columns of a pool by row, as long as the block lasts; ``folder`` is where the copy is written."""
    schema = pa.schema([COLUMNS.field(name) for name in columns])
    try:
        with tempfile.TemporaryDirectory(prefix=".lookup-", dir=folder) as aside:
            path = Path(aside) / "rows.arrow"
            sizes = _copy(pool, schema, path)
            with pa.memory_map(str(path)) as mapped, ipc.open_file(mapped) as reader:
                chunks = [reader.get_batch(number) for number in range(reader.num_record_batches)]
                yield SentenceLookup(schema, chunks, np.cumsum([0, *sizes], dtype=np.int64))
    except OSError as problem:
        message = f"{folder}: cannot be written: {problem.strerror or problem}; free some space and run it again"
        raise WriteError(message, code="file-unwritable") from None


def _copy(pool: Pool, schema: pa.Schema, path: Path) -> list[int]:
    sizes = []
    with ipc.new_file(str(path), schema) as writer:
        for start in range(0, pool.rows, ROWS_PER_CHUNK):
            table = pa.Table.from_batches(
                [batch.cast(schema) for batch in pool.batches(schema.names, start, start + ROWS_PER_CHUNK)], schema
            )
            [chunk] = table.combine_chunks().to_batches()
            writer.write_batch(chunk)
            sizes.append(chunk.num_rows)
    return sizes
