"""One side of a comparison: the pairs of a corpus or a part, laid aside on disk, with digests in memory.

A stream of pairs in, read once; out comes what copies are found by. Texts are in a temporary file that is mapped into
memory, so a million pairs take up some forty megabytes. The file is gone when the last who uses it is.
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

from otherwords.acquire.batches import batches
from otherwords.corpus.leaks_plain import Digests, digests, plain
from otherwords.records import Pair

Rows = NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)
COLUMNS = ("id", "text1", "text2", "plain1", "plain2")
SCHEMA = pa.schema([(name, pa.large_string()) for name in COLUMNS])


@dataclass(frozen=True, slots=True)
class Side:
    """Pairs, and the digests of their texts: as they are, and without case and punctuation."""

    name: str
    pairs: pa.Table
    exact: tuple[Digests, Digests]
    plain: tuple[Digests, Digests]
    by_id: Rows  # all rows in the order of their ids: of equals, the first is taken, whatever came first

    def __len__(self) -> int:
        return len(self.pairs)

    def at(self, row: int) -> dict[str, str]:
        """The pair of a row, as reports show it."""
        return {name: self.pairs[name][row].as_py() for name in COLUMNS[:3]}


def side_of(name: str, pairs: Iterable[Pair]) -> Side:
    """Read the pairs of one side."""
    seen: list[list[Digests]] = [[np.empty(0, np.uint64)] for _ in range(4)]
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        path = str(Path(folder) / "pairs.arrow")
        with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, SCHEMA) as writer:
            for block in batches(pairs):
                one, two = [pair.text1 for pair in block], [pair.text2 for pair in block]
                plain1, plain2 = [plain(text) for text in one], [plain(text) for text in two]
                for kept, texts in zip(seen, (one, two, plain1, plain2), strict=True):
                    kept.append(digests(texts))
                columns = [[pair.id for pair in block], one, two, plain1, plain2]
                writer.write_batch(pa.record_batch(columns, schema=SCHEMA))
        table = pa.ipc.open_file(pa.memory_map(path)).read_all()
    exact1, exact2, plain_1, plain_2 = (np.concatenate(each) for each in seen)
    by_id = np.asarray(pc.sort_indices(table, [("id", "ascending")])).astype(np.int64)
    return Side(name, table, (exact1, exact2), (plain_1, plain_2), by_id)


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """The different numbers, rising; for many millions much faster than numpy's own, which hashes."""
    rising = np.sort(numbers)
    new = np.ones(len(rising), np.bool_)
    new[1:] = rising[1:] != rising[:-1]
    return rising[new]


def joined(one: Digests, two: Digests) -> Digests:
    """The digest of two texts in their order."""
    mixed = (two ^ (two >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    both: Digests = (one * np.uint64(0x9E3779B97F4A7C15)) ^ (mixed ^ (mixed >> np.uint64(32)))
    return both


def firsts(keys: Digests, by_id: Rows) -> tuple[Digests, Rows]:
    """The different keys, rising, and for each the row with the smallest id that has it."""
    found, places = np.unique(keys[by_id], return_index=True)
    return found, by_id[places]


def partners(keys: Digests, index: tuple[Digests, Rows]) -> Rows:
    """For each key the row that has it on the other side; -1 where none has."""
    found, rows = index
    if not len(found):
        return np.full(len(keys), -1)
    places = np.minimum(np.searchsorted(found, keys), len(found) - 1)
    return np.where(found[places] == keys, rows[places], -1)
