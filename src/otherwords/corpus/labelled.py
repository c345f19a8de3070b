"""A pair with its label and what made it, and the table that holds all of them.

``label`` writes the table, one row a pair in the order of the ledger; splits, analyses and releases read it a few
thousand rows at a time. A row without a label says why it has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.records import Pair, Passage
from otherwords.sources.files import replacing

State = Literal["labelled", "open", "tied", "unjudged", "left out"]
MadeBy = Literal["consensus", "qa", "judgements", "votes", "import", "rewrite"]
ROWS_A_GROUP = 20_000
JSON_COLUMNS = ("scores", "meta", "views")
SCHEMA = pa.schema(
    [
        *((name, pa.large_string()) for name in ("id", "text1", "text2")),
        *((name, pa.string()) for name in ("lang", "source", "group", "time")),
        *(("doc1", pa.string()), ("start1", pa.int64()), ("end1", pa.int64())),
        *(("doc2", pa.string()), ("start2", pa.int64()), ("end2", pa.int64())),
        *((name, pa.string()) for name in ("method", "rewrite_of", "scores", "label", "meta")),
        *(("positive", pa.bool_()), ("state", pa.string()), ("reason", pa.string()), ("made_by", pa.string())),
        *(("judgements", pa.list_(pa.string())), ("views", pa.string()), ("simulated", pa.bool_())),
    ]
)


class Labelled(Pair, frozen=True, gc=False):
    """A pair whose ``label`` follows from what was said about it."""

    positive: bool | None = None
    state: State = "labelled"
    reason: str | None = None  # why it has no label, in a few words; equal reasons are counted together
    made_by: MadeBy | None = None
    judgements: list[str] = msgspec.field(default_factory=list)  # the ids of those that made the label
    views: dict[str, str | None] = msgspec.field(default_factory=dict)  # its label in every view of the scheme
    simulated: bool = False  # whether a simulated judgement had a part in it


def write_table(rows: Iterable[Labelled], path: Path) -> int:
    """Write the table, aside and then into place; how many rows there were."""
    stream, count = iter(rows), 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file, pq.ParquetWriter(file, SCHEMA, compression="zstd") as writer:
        while group := list(islice(stream, ROWS_A_GROUP)):
            writer.write_table(pa.Table.from_pylist([_cells(one) for one in group], SCHEMA))
            count += len(group)
    return count


def read_table(path: Path) -> Iterator[Labelled]:
    """All rows of a table, in their order."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS_A_GROUP // 4):
            names = batch.schema.names
            for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield _row(dict(zip(names, cells, strict=True)))


def _cells(row: Labelled) -> dict[str, Any]:
    told = {name: getattr(row, name) for name in row.__struct_fields__}
    for side in "12":
        passage: Passage | None = told[f"doc{side}"]
        told[f"doc{side}"] = passage.id if passage else None
        told[f"start{side}"] = passage.start if passage else None
        told[f"end{side}"] = passage.end if passage else None
    for name in JSON_COLUMNS:
        told[name] = msgspec.json.encode(told[name]).decode() if told[name] else None
    return told


def _row(cells: dict[str, Any]) -> Labelled:
    for side in "12":
        start, end = cells.pop(f"start{side}"), cells.pop(f"end{side}")
        if cells[f"doc{side}"] is not None:
            cells[f"doc{side}"] = Passage(id=cells[f"doc{side}"], start=start, end=end)
    for name in JSON_COLUMNS:
        cells[name] = msgspec.json.decode(cells[name]) if cells[name] else {}
    return Labelled(**cells)
