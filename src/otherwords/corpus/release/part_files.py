"""The pairs of each part of a release as columns, in temporary files that are deleted when the release is complete.

Whatever is made part by part is read from these files: whole columns where possible, else pairs with a few fields.
That takes a fraction of the time of reading the lines of the release.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

from otherwords.corpus.labels import table as labels_table
from otherwords.corpus.labels.table import PAIR_COLUMNS, read_records
from otherwords.records import Pair

STORED = tuple(name for name in PAIR_COLUMNS if name not in ("time", "method", "label", "meta"))  # as in the labels
SCHEMA = pa.schema(
    [
        *(labels_table.SCHEMA.field(name) for name in STORED),
        *(("label", pa.string()), ("positive", pa.bool_()), ("meta", pa.string())),  # meta of the source, as JSON
    ]
)
ROWS_PER_BLOCK = 5000
WritePart = Callable[[str, pa.RecordBatch], None]


def part_file(folder: Path, part: str) -> Path:
    """The file of a part."""
    return folder / f"{part}.arrow"


@contextlib.contextmanager
def part_writer(folder: Path) -> Iterator[WritePart]:
    """A function that writes rows to the file of a part; the file is created with its first rows."""
    folder.mkdir()
    writers: dict[str, pa.RecordBatchWriter] = {}
    with contextlib.ExitStack() as stack:

        def write(part: str, rows: pa.RecordBatch) -> None:
            if part not in writers:
                file = stack.enter_context(pa.OSFile(str(part_file(folder, part)), "wb"))
                writers[part] = stack.enter_context(pa.ipc.new_stream(file, SCHEMA))
            writers[part].write_batch(rows)

        yield write


def read_blocks(path: Path) -> Iterator[pa.Table]:
    """The rows of a part in blocks of one size, however they were written."""
    waiting = SCHEMA.empty_table()
    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as batches:
        for batch in batches:
            waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch])])
            while len(waiting) >= ROWS_PER_BLOCK:
                yield waiting.slice(0, ROWS_PER_BLOCK).combine_chunks()
                waiting = waiting.slice(ROWS_PER_BLOCK)
    if len(waiting):
        yield waiting.combine_chunks()


def read_texts(path: Path) -> Iterator[Pair]:
    """The pairs of a part, with their ids and texts only."""
    for rows in read_blocks(path):
        for id, text1, text2 in zip(*(rows[name].to_pylist() for name in ("id", "text1", "text2")), strict=True):
            yield Pair(id=id, text1=text1, text2=text2)


def read_part(path: Path) -> Iterator[list[Pair]]:
    """The pairs of a part as their source had them, but with the label of the release."""
    names = [name for name in SCHEMA.names if name not in ("lang", "positive")]
    for rows in read_blocks(path):
        yield list(read_records(Pair, {name: rows[name].to_pylist() for name in names}))
