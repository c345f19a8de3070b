"""What a split needs to know about each pair, as columns: from a table of labels, or from any corpus.

Texts are not among them. Where sentences matter they are read a second time and kept as digests alone, so a million
pairs need some hundred megabytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.acquire.batches import pair_blocks
from otherwords.corpus.splits.options import By
from otherwords.digests import digest_bytes
from otherwords.project.pipeline.dataset import Dataset
from otherwords.records import Pair
from otherwords.text.normalise import plain

Digests = NDArray[np.uint64]
USED = ("id", "group", "doc1", "doc2", "time", "rewrite_of", "label", "source")
SCHEMA = pa.schema([(name, pa.large_string()) for name in (*USED, "excluded")])
ROWS_AT_A_TIME = 20_000
NO_LABEL = "it has no label"
TextBlocks = Iterator[tuple[list[str], list[str]]]


def digests(texts: Iterable[str]) -> Digests:
    """64 bits per text; the chance that any two of ten million texts collide is 3 in a million."""
    return np.frombuffer(b"".join(map(digest_bytes, texts)), np.uint64)


@dataclass(frozen=True, slots=True)
class SplitColumns:
    """One row per pair; ``excluded`` says why a pair is to be in no part. ``texts`` reads both texts, by blocks."""

    table: pa.Table
    texts: Callable[[], TextBlocks]

    def sentences(self) -> tuple[Digests, Digests]:
        """The digests of both texts of every pair, without case and punctuation."""
        first, second = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
        for texts1, texts2 in self.texts():
            first.append(digests(map(plain, texts1)))
            second.append(digests(map(plain, texts2)))
        return np.concatenate(first), np.concatenate(second)

    def included(self, *names: str) -> pa.Table:
        """These columns of the rows that take part; by blocks, since Arrow would hold all of them thrice."""
        blocks = (block.filter(block["excluded"].is_null()) for block in self.table.to_batches())
        schema = pa.schema([SCHEMA.field(name) for name in names])
        return pa.Table.from_batches((block.select(list(names)) for block in blocks), schema)

    def default_unit(self) -> By:
        """What stays together where nobody says: a group or a document if most pairs have one."""
        table = self.included("group", "doc1")
        if 2 * table["group"].null_count < len(table):
            return "group"
        return "document" if 2 * table["doc1"].null_count < len(table) else "pair"


def columns_of_labels(labels: Dataset) -> SplitColumns:
    """The rows of a table of labels; one that has a label in no view takes no part."""
    blocks: list[pa.RecordBatch] = []  # without their views, which take up more room than all the rest
    for block in labels.batches([*USED, "views"], ROWS_AT_A_TIME):
        labelled = np.array(block["label"].is_valid())
        others = ~labelled & np.asarray(block["views"].is_valid())
        views = map(msgspec.json.decode, block["views"].filter(others).to_pylist())
        labelled[others] = [any(labels_by_view.values()) for labels_by_view in views]
        excluded = pc.if_else(pa.array(labelled), pa.scalar(None, pa.large_string()), NO_LABEL)
        columns = [block[name].cast(pa.large_string()) for name in USED]
        blocks.append(pa.RecordBatch.from_arrays([*columns, excluded], schema=SCHEMA))

    def texts() -> TextBlocks:
        for batch in labels.batches(["text1", "text2"], ROWS_AT_A_TIME):
            yield batch.column(0).to_pylist(), batch.column(1).to_pylist()

    return SplitColumns(pa.Table.from_batches(blocks, SCHEMA), texts)


def columns_of_pairs(read: Callable[[], Iterable[Pair]]) -> SplitColumns:
    """The pairs of any corpus; each of them takes part, with a label or without."""
    plain_columns = [name for name in USED if not name.startswith("doc")]
    blocks: list[pa.RecordBatch] = []
    for block in pair_blocks(read()):
        columns: dict[str, list[str | None]] = {name: [getattr(pair, name) for pair in block] for name in plain_columns}
        columns["doc1"] = [pair.doc1.id if pair.doc1 else None for pair in block]
        columns["doc2"] = [pair.doc2.id if pair.doc2 else None for pair in block]
        columns["excluded"] = [None] * len(block)
        blocks.append(pa.RecordBatch.from_pydict(columns, SCHEMA))

    def texts() -> TextBlocks:
        for block in pair_blocks(read()):
            yield [pair.text1 for pair in block], [pair.text2 for pair in block]

    return SplitColumns(pa.Table.from_batches(blocks, SCHEMA), texts)
