"""What a split has to know of each pair, as columns: from a table of labels, or from any corpus.

Texts are not among them. Where sentences matter they are read a second time and kept as digests alone, so a million
pairs need some hundred megabytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from otherwords.acquire.batches import batches
from otherwords.corpus.leaks_plain import Digests, digests, plain
from otherwords.corpus.split_wishes import By
from otherwords.records import Pair

TOLD = ("id", "group", "doc1", "doc2", "time", "rewrite_of", "label", "source")
SCHEMA = pa.schema([(name, pa.large_string()) for name in (*TOLD, "excuse")])
ROWS_AT_A_TIME = 20_000
NO_LABEL = "it has no label"
Texts = Iterable[str]


@dataclass(frozen=True, slots=True)
class Gathered:
    """A row a pair; ``excuse`` says why one is to have no part. ``texts`` reads the sentences, block by block."""

    table: pa.Table
    texts: Callable[[], Iterator[tuple[Texts, Texts]]]

    def sentences(self) -> tuple[Digests, Digests]:
        """The digests of both texts of every pair, without case and punctuation."""
        one, two = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
        for texts1, texts2 in self.texts():
            one.append(digests(map(plain, texts1)))
            two.append(digests(map(plain, texts2)))
        return np.concatenate(one), np.concatenate(two)

    def taking(self, *names: str) -> pa.Table:
        """These columns of the rows that take part; block by block, since Arrow would hold all of them thrice."""
        blocks = (block.filter(block["excuse"].is_null()) for block in self.table.to_batches())
        schema = pa.schema([SCHEMA.field(name) for name in names])
        return pa.Table.from_batches((block.select(list(names)) for block in blocks), schema)

    def usual(self) -> By:
        """By what these pairs are split where nobody says: by group or document if most of them have one."""
        taking = self.taking("group", "doc1")
        for name, by in (("group", "group"), ("doc1", "document")):
            if 2 * taking[name].null_count < len(taking):
                return "group" if by == "group" else "document"
        return "pair"


def of_labels(path: Path) -> Gathered:
    """The rows of a table of labels; one that has a label in no view takes no part."""
    with pq.ParquetFile(path) as file:
        blocks = [_told(block) for block in file.iter_batches(ROWS_AT_A_TIME, columns=[*TOLD, "views"])]

    def texts() -> Iterator[tuple[Texts, Texts]]:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(ROWS_AT_A_TIME, columns=["text1", "text2"]):
                yield batch.column(0).to_pylist(), batch.column(1).to_pylist()

    return Gathered(pa.Table.from_batches(blocks, SCHEMA), texts)


def _told(block: pa.RecordBatch) -> pa.RecordBatch:
    """Some rows of a table of labels without their views, which take up more room than all the rest."""
    labelled = np.array(block["label"].is_valid())
    others = ~labelled & np.asarray(block["views"].is_valid())
    labelled[others] = [any(msgspec.json.decode(views).values()) for views in block["views"].filter(others).to_pylist()]
    excuse = pc.if_else(pa.array(labelled), pa.scalar(None, pa.large_string()), NO_LABEL)
    columns = [block[name].cast(pa.large_string()) for name in TOLD]
    return pa.RecordBatch.from_arrays([*columns, excuse], schema=SCHEMA)


def of_pairs(read: Callable[[], Iterable[Pair]]) -> Gathered:
    """The pairs of any corpus; each of them takes part, with a label or without."""
    blocks = [_columns(block) for block in batches(read())]

    def texts() -> Iterator[tuple[Texts, Texts]]:
        for block in batches(read()):
            yield [pair.text1 for pair in block], [pair.text2 for pair in block]

    return Gathered(pa.Table.from_batches(blocks, SCHEMA), texts)


def _columns(block: list[Pair]) -> pa.RecordBatch:
    told: dict[str, list[str | None]] = {
        name: [getattr(pair, name) for pair in block] for name in TOLD if not name.startswith("doc")
    }
    told["doc1"] = [pair.doc1.id if pair.doc1 else None for pair in block]
    told["doc2"] = [pair.doc2.id if pair.doc2 else None for pair in block]
    told["excuse"] = [None] * len(block)
    return pa.RecordBatch.from_pydict(told, SCHEMA)
