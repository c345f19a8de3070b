"""Parquet with our field names; one column a score, nested fields as JSON text, like our other tables."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.errors import UsageError
from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.flat import FLOATS, INTEGERS, TRUTHS, columns_of, flatten, plain_cell
from otherwords.sources.format import Format, Head
from otherwords.sources.formats.tables import records_of
from otherwords.sources.source import Source

MAGIC = b"PAR1"
ROWS_A_GROUP = 50_000
ROWS_A_BATCH = 5_000


def read(source: Source) -> Iterator[Record]:
    """The records of a file, a batch of rows at a time."""
    if source.path is None:
        raise source.error("Parquet cannot be read from standard input; name a file")
    try:
        with _unpacked(source, source.path) as given, pq.ParquetFile(given) as file:
            yield from rows_of(source, file.schema_arrow.names, file.iter_batches(ROWS_A_BATCH))
    except (pa.ArrowException, OSError, ValueError, OverflowError) as problem:
        raise source.error(f"cannot be read as Parquet: {problem}") from None


@contextlib.contextmanager
def _unpacked(source: Source, path: Path) -> Iterator[Path | IO[bytes]]:
    """The file itself; where somebody has compressed it once more, an unpacked copy, since it is read from its end."""
    with path.open("rb") as raw:
        start = raw.read(len(MAGIC))
    if start == MAGIC or source.head(len(MAGIC)) != MAGIC:
        yield path
        return
    with tempfile.TemporaryFile() as copy:
        with source.binary() as stream:
            shutil.copyfileobj(stream, copy, 2**20)
        yield copy


def rows_of(source: Source, header: list[str], batches: Iterable[pa.RecordBatch]) -> Iterator[Record]:
    """The records of Arrow batches, with the columns of the texts found or named as in any table."""
    record_of = records_of(source, header)
    number = 0
    for batch in batches:
        for row in batch.to_pylist():
            number += 1
            try:
                record = record_of({name: plain_cell(cell) for name, cell in row.items()}, f"{source.stem}:{number}")
            except ValueError as problem:
                source.reject(number, str(problem), plain_cell(row))
                continue
            source.at(number)
            yield record


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Row groups of a fixed size, so that memory does not grow with the file."""
    if isinstance(stream, gzip.GzipFile | bz2.BZ2File | pa.CompressedOutputStream):
        raise UsageError("Parquet is compressed already; name a file that ends in .parquet, without .gz, .bz2 or .zst")
    rows = iter(records)
    first = list(islice(rows, ROWS_A_GROUP))
    kind = type(first[0]) if first else Pair
    columns = columns_of(kind, first)
    schema = pa.schema([(name, column_type(kind, name)) for name in columns])
    everything = chain(first, rows)
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        while group := list(islice(everything, ROWS_A_GROUP)):
            cells: list[list[Any]] = [flatten(record, columns) for record in group]
            arrays = [
                pa.array(column, field.type) for column, field in zip(zip(*cells, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def column_type(kind: type[Record], column: str) -> pa.DataType:
    """The Arrow type of a column of our tables."""
    if column in INTEGERS:
        return pa.int64()
    if column in TRUTHS:
        return pa.bool_()
    if column in FLOATS or column not in kind.__struct_fields__:
        return pa.float64()
    return pa.string()


def sniff(head: Head) -> bool:
    return head.start.startswith(MAGIC)


FORMAT = Format(
    name="parquet",
    title="Parquet with our columns",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".parquet",
    nouns=(Pair, Judgement, Document, DocumentPair),
)
