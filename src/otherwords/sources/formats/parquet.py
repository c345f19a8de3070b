"""Parquet with our field names; like our other tables, one column per score and nested fields as JSON text."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.errors import UsageError
from otherwords.records import Pair, Record
from otherwords.sources.format import ALL_NOUNS, Format, Head
from otherwords.sources.formats.tables import table_records
from otherwords.sources.rows.column_names import check_user_columns
from otherwords.sources.rows.flat import BOOLEANS, FLOATS, INTEGERS, flatten_record, plain_cell, table_header
from otherwords.sources.source import Source

MAGIC = b"PAR1"
ROWS_PER_GROUP = 50_000
ROWS_PER_BATCH = 5_000
COMPRESSION = "zstd"


def read(source: Source) -> Iterator[Record]:
    """The records of a file, read in batches of rows."""
    with readable_parquet(source) as file:
        yield from batch_records(source, file.schema_arrow.names, file.iter_batches(ROWS_PER_BATCH))


def numbered_rows(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file as they are, numbered from 1."""
    with readable_parquet(source) as file:
        check_user_columns(source, file.schema_arrow.names)
        yield from enumerate(chain.from_iterable(batch.to_pylist() for batch in file.iter_batches(ROWS_PER_BATCH)), 1)


@contextlib.contextmanager
def readable_parquet(source: Source) -> Iterator[pq.ParquetFile]:
    """The file, opened; what is wrong with it is an error with its name, also while it is read."""
    try:
        with (
            _unpacked_file(source, source.require_path("Parquet")) as unpacked,
            pq.ParquetFile(unpacked, pre_buffer=False) as file,  # else it has the whole file in memory at the end
        ):
            yield file
    except (pa.ArrowException, OSError, ValueError, OverflowError) as problem:
        raise source.error(f"cannot be read as Parquet: {problem}", code="damaged-file") from None


@contextlib.contextmanager
def _unpacked_file(source: Source, path: Path) -> Iterator[Path | IO[bytes]]:
    """The file itself; if it was compressed again, an unpacked copy, since Parquet is read from its end."""
    with path.open("rb") as raw:
        start = raw.read(len(MAGIC))
    if start == MAGIC or source.head(len(MAGIC)) != MAGIC:
        yield path
        return
    with tempfile.TemporaryFile() as copy:
        with source.binary() as stream:
            shutil.copyfileobj(stream, copy, 2**20)
        yield copy


def batch_records(
    source: Source, header: list[str], batches: Iterable[pa.RecordBatch], first: int = 1
) -> Iterator[Record]:
    """The records of Arrow batches; the text columns are found or named as in any table. ``first`` numbers the rows."""
    rows = ({name: plain_cell(cell) for name, cell in row.items()} for batch in batches for row in batch.to_pylist())
    yield from table_records(source, enumerate(rows, first), header)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write row groups of a fixed size, so that memory does not grow with the file."""
    refuse_packed(stream)
    rows = iter(records)
    first = list(islice(rows, ROWS_PER_GROUP))
    kind = type(first[0]) if first else Pair
    schema = pa.schema([(name, column_type(kind, name)) for name in table_header(kind, first)])
    all_rows = chain(first, rows)
    with pq.ParquetWriter(stream, schema, compression=COMPRESSION) as writer:
        while group := list(islice(all_rows, ROWS_PER_GROUP)):
            writer.write_table(record_table(group, schema))


def refuse_packed(stream: BinaryIO) -> None:
    """Refuse to write a file that would be compressed twice."""
    if isinstance(stream, gzip.GzipFile | bz2.BZ2File | pa.CompressedOutputStream):
        message = "Parquet is compressed already; name a file that ends in .parquet, without .gz, .bz2 or .zst"
        raise UsageError(message, code="unsupported-compression")


def record_table(records: Sequence[Record], schema: pa.Schema) -> pa.Table:
    """Records as a table with the columns of a schema."""
    cells: list[list[Any]] = [flatten_record(record, schema.names) for record in records]
    arrays = [pa.array(column, field.type) for column, field in zip(zip(*cells, strict=True), schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def column_type(kind: type[Record], column: str) -> pa.DataType:
    """The Arrow type of a column of our tables."""
    if column in INTEGERS:
        return pa.int64()
    if column in BOOLEANS:
        return pa.bool_()
    if column in FLOATS or column not in kind.__struct_fields__:
        return pa.float64()
    return pa.string()


def sniff(head: Head) -> bool:
    return head.start.startswith(MAGIC)


FORMAT = Format("parquet", "Parquet with our columns", read, write, sniff, suffix=".parquet", nouns=ALL_NOUNS)
