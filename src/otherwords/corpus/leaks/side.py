"""One side of a comparison: the pairs of a corpus or a part, stored on disk, with digests in memory.

The pairs are read once. Their texts are in a temporary file that is mapped into memory, so a million pairs take up
some forty megabytes. The file disappears with the last reference to it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.acquire.batches import pair_blocks
from otherwords.corpus.splits.columns import Digests, digests
from otherwords.records import Pair
from otherwords.text.normalise import plain

Rows = NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)
COLUMNS = ("id", "text1", "text2", "plain1", "plain2")
SCHEMA = pa.schema([(name, pa.large_string()) for name in COLUMNS])


@dataclass(frozen=True, slots=True)
class PairDigests:
    """Pairs, and the digests of their texts: as they are, and without case and punctuation."""

    name: str
    pairs: pa.Table
    exact: tuple[Digests, Digests]
    plain: tuple[Digests, Digests]
    by_id: Rows  # all rows in the order of their ids: of equal pairs the smallest id is taken, whatever their order

    def __len__(self) -> int:
        return len(self.pairs)

    def at(self, row: int) -> dict[str, str]:
        """The id and the texts of a row, for reports."""
        return {name: self.pairs[name][row].as_py() for name in COLUMNS[:3]}


def read_side(name: str, pairs: Iterable[Pair]) -> PairDigests:
    """Read the pairs of one side."""
    collected: list[list[Digests]] = [[np.empty(0, np.uint64)] for _ in range(4)]
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        path = str(Path(folder) / "pairs.arrow")
        with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, SCHEMA) as writer:
            for block in pair_blocks(pairs):
                texts1, texts2 = [pair.text1 for pair in block], [pair.text2 for pair in block]
                texts = [texts1, texts2, [plain(text) for text in texts1], [plain(text) for text in texts2]]
                for digest_blocks, column in zip(collected, texts, strict=True):
                    digest_blocks.append(digests(column))
                writer.write_batch(pa.record_batch([[pair.id for pair in block], *texts], schema=SCHEMA))
        table = pa.ipc.open_file(pa.memory_map(path)).read_all()
    exact1, exact2, plain1, plain2 = (np.concatenate(blocks) for blocks in collected)
    by_id = np.asarray(pc.sort_indices(table, [("id", "ascending")])).astype(np.int64)
    return PairDigests(name, table, (exact1, exact2), (plain1, plain2), by_id)


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """The different numbers in ascending order; for many millions much faster than ``np.unique``, which hashes."""
    ascending = np.sort(numbers)
    new = np.ones(len(ascending), np.bool_)
    new[1:] = ascending[1:] != ascending[:-1]
    return ascending[new]


def combine(first: Digests, second: Digests) -> Digests:
    """Digests of two texts in this order."""
    mixed = (second ^ (second >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    both: Digests = (first * np.uint64(0x9E3779B97F4A7C15)) ^ (mixed ^ (mixed >> np.uint64(32)))
    return both


def first_rows(keys: Digests, by_id: Rows) -> tuple[Digests, Rows]:
    """The different keys in ascending order, and for each the row with the smallest id."""
    different, places = np.unique(keys[by_id], return_index=True)
    return different, by_id[places]


def partners(keys: Digests, index: tuple[Digests, Rows]) -> Rows:
    """For each key the row that has it on the other side; -1 where none has."""
    different, rows = index
    if not len(different):
        return np.full(len(keys), -1)
    places = np.minimum(np.searchsorted(different, keys), len(different) - 1)
    return np.where(different[places] == keys, rows[places], -1)
