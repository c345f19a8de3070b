"""The pairs of each part of a release as columns, in files that are gone when the release is whole.

Whatever is made part by part is read from these: whole columns where those are enough, and pairs with the few fields
that are asked for where not. That takes a fraction of reading all that the lines of a release say.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from otherwords.corpus import labelled
from otherwords.records import Pair, Passage

STORED = (  # as the table of labels has them
    *("id", "text1", "text2", "lang", "source", "group", "rewrite_of", "scores"),
    *("doc1", "start1", "end1", "doc2", "start2", "end2"),
)
SCHEMA = pa.schema(
    [
        *(labelled.SCHEMA.field(name) for name in STORED),
        *(("label", pa.string()), ("positive", pa.bool_()), ("meta", pa.string())),  # what the source said, as JSON
    ]
)
ROWS_A_BLOCK = 5000
Put = Callable[[str, pa.RecordBatch], None]


def part_file(folder: Path, part: str) -> Path:
    """Where the pairs of a part are."""
    return folder / f"{part}.arrow"


@contextlib.contextmanager
def parting(folder: Path) -> Iterator[Put]:
    """Give rows of the schema to the file of their part; one is begun when it has its first."""
    folder.mkdir()
    writers: dict[str, Any] = {}
    with contextlib.ExitStack() as stack:

        def put(part: str, rows: pa.RecordBatch) -> None:
            if part not in writers:
                file = stack.enter_context(pa.OSFile(str(part_file(folder, part)), "wb"))
                writers[part] = stack.enter_context(pa.ipc.new_stream(file, SCHEMA))
            writers[part].write_batch(rows)

        yield put


def blocks_of(path: Path) -> Iterator[pa.Table]:
    """The rows of a part, as many at a time wherever they were divided when they came."""
    waiting = SCHEMA.empty_table()
    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as rows:
        for batch in rows:
            waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch])])
            while len(waiting) >= ROWS_A_BLOCK:
                yield waiting.slice(0, ROWS_A_BLOCK).combine_chunks()
                waiting = waiting.slice(ROWS_A_BLOCK)
    if len(waiting):
        yield waiting.combine_chunks()


def passages(rows: pa.Table, side: str) -> list[Passage | None]:
    """Where the first or the second text of each pair comes from."""
    if rows[f"doc{side}"].null_count == len(rows):
        return [None] * len(rows)
    places = zip(*(rows[f"{name}{side}"].to_pylist() for name in ("doc", "start", "end")), strict=True)
    return [None if id is None else Passage(id=id, start=start, end=end) for id, start, end in places]


def texts_of_part(path: Path) -> Iterator[Pair]:
    """The pairs of a part, with nothing but their texts."""
    for rows in blocks_of(path):
        for id, text1, text2 in zip(*(rows[name].to_pylist() for name in ("id", "text1", "text2")), strict=True):
            yield Pair(id=id, text1=text1, text2=text2)


def pairs_of_part(path: Path) -> Iterator[list[Pair]]:
    """The pairs of a part as their source gave them, with the label of the release."""
    plain = ("id", "text1", "text2", "source", "group", "rewrite_of", "label")
    for rows in blocks_of(path):
        columns = [rows[name].to_pylist() for name in plain]
        columns += [[_decoded(text) for text in rows[name].to_pylist()] for name in ("scores", "meta")]
        columns += [passages(rows, side) for side in "12"]
        yield [
            Pair(
                id=id,
                text1=text1,
                text2=text2,
                source=source,
                group=group,
                rewrite_of=rewrite_of,
                label=label,
                scores=scores,
                meta=meta,
                doc1=doc1,
                doc2=doc2,
            )
            for id, text1, text2, source, group, rewrite_of, label, scores, meta, doc1, doc2 in zip(
                *columns, strict=True
            )
        ]


def _decoded(text: str | None) -> dict[str, Any]:
    return msgspec.json.decode(text) if text else {}
