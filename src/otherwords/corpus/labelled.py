"""A pair with its label and what made it, and the table that holds all of them.

``label`` writes the table, one row a pair in the order of the ledger; splits, analyses and releases read it a few
thousand rows at a time. A row without a label says why it has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
Columns = Mapping[str, Sequence[Any]]  # of the table, as its schema has them
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
        *(("votes", pa.int32()), ("positive_votes", pa.int32())),
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
    votes: int | None = None  # how many said yes or no on their own
    positive_votes: int | None = None  # … and how many of them yes


def write_columns(blocks: Iterable[Columns], path: Path) -> int:
    """Write the table, aside and then into place; what is nested is JSON, and None where it is empty."""
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file, pq.ParquetWriter(file, SCHEMA, compression="zstd") as writer:
        for block in blocks:
            writer.write_table(pa.Table.from_pydict(block, SCHEMA))
            count += len(block["id"])
    return count


def read_table(path: Path) -> Iterator[Labelled]:
    """All rows of a table, in their order."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS_A_GROUP // 4):
            columns = _fields(dict(zip(batch.schema.names, (one.to_pylist() for one in batch.columns), strict=True)))
            names = list(columns)
            for cells in zip(*columns.values(), strict=True):
                yield Labelled(**dict(zip(names, cells, strict=True)))


def _fields(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Columns of the table as those of the record."""
    for side in "12":
        spans = zip(*(columns.pop(f"{name}{side}") for name in ("doc", "start", "end")), strict=True)
        columns[f"doc{side}"] = [
            None if name is None else Passage(id=name, start=start, end=end) for name, start, end in spans
        ]
    for name in JSON_COLUMNS:
        columns[name] = [msgspec.json.decode(one) if one else {} for one in columns[name]]
    return columns
