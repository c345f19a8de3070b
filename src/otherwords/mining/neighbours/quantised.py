"""Vectors in whole steps: 16 bits for exact scores, 8 bits for the search.

Products of whole numbers do not depend on the order in which they are added up, so every score is the same on any
number of threads and any processor. For the cosine rows are scaled to one length, for the Euclidean distance all by
the same factor. 16 bits leave an error of about a hundred-thousandth of a cosine, which is that of the float16 numbers
in the store.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.errors import DataError
from otherwords.mining.neighbours.options import RULES, NeighbourOptions
from otherwords.mining.vectors import VectorStore

STRIDE_UNIT = 64
LENGTH_16 = {"cosine": 32_000.0, "euclidean": 22_000.0}  # of the longest row: every score fits into 32 bits
SCALE_ROWS = 2_000  # a sample from which the scale of 8 bits is taken
SCALE_QUANTILE = 0.9999  # numbers beyond it are cut to 127
CHUNK = 8_192
LEAST_SLOTS = 16
CACHED_SHARE = 2  # vectors that take more than this part of the memory do not all stay in it
WIDE_ROWS = 1_024  # rows that have 64 bits for a number at a time

Keys: TypeAlias = NDArray[np.uint64]
Ints: TypeAlias = NDArray[np.int64]
NO_ID = 2**32 - 1


@dataclass(frozen=True)
class QuantisedRows:
    """A store with the factors by which its rows become whole numbers."""

    store: VectorStore
    options: NeighbourOptions
    halves: Any
    factors: NDArray[np.float32]  # of 16 bits
    unit: float  # a score of 16 bits for a cosine of 1, or the square of a distance of 1
    groups: NDArray[np.int32] | None
    scattered: bool = False  # whether rows are asked for before they are read, since not all stay in memory

    @property
    def rows(self) -> int:
        return self.store.rows

    @property
    def stride(self) -> int:
        return stride(self.store.dimension)

    @property
    def shift(self) -> int:
        """1 where twice the product is taken, for distances."""
        return int(self.options.metric == "euclidean")

    @property
    def rule(self) -> int:
        return RULES[self.options.scope]

    def words(self, rows: Ints) -> NDArray[np.int16]:
        """Rows in 16 bits."""
        self.read_ahead(rows)
        out = np.empty((len(rows), self.stride), np.int16)
        _kernels.halves_quantise(self.halves, rows, self.factors[rows], 2, self.stride, out)
        return out

    def bytes_scale(self) -> float:
        """By what the factors are multiplied for 8 bits: most numbers use the whole range."""
        chosen = np.random.default_rng(self.options.seed).integers(self.rows, size=SCALE_ROWS)
        numbers = np.abs(self.words(np.sort(chosen))[:, : self.store.dimension]).ravel()
        place = int(SCALE_QUANTILE * (len(numbers) - 1))
        return 127.0 / max(float(np.partition(numbers, place)[place]), 1.0)

    def bytes(self, rows: Ints, scale: float) -> NDArray[np.int8]:
        """Rows in 8 bits."""
        self.read_ahead(rows)
        out = np.empty((len(rows), self.stride), np.int8)
        _kernels.halves_quantise(self.halves, rows, self.factors[rows] * np.float32(scale), 1, self.stride, out)
        return out

    def read_ahead(self, rows: Ints) -> None:
        """Ask for rows that are read next, where the system does not read any but those that it is asked for."""
        if self.scattered:
            _kernels.halves_read_ahead(self.halves, np.unique(rows))

    def keep(self, start: int, stop: int) -> None:
        """Have a range of rows in memory, as far as there is room."""
        for at in range(start, stop, CHUNK):
            ids = np.arange(at, min(at + CHUNK, stop))
            self.read_ahead(ids)
            _kernels.halves_squares(self.halves, at, at + len(ids), np.empty(len(ids)))

    def rescore(self, lists: Keys, ids: Ints, owners: Ints, start: int, stop: int) -> None:
        """Score the neighbours in some lists by 16 bits, and put ids, by rows, in the place of rows."""
        if self.scattered:
            rows = key_ids(lists[start:stop])
            self.read_ahead(np.concatenate([owners[start:stop], ids[rows[rows >= 0]]]))
        shape = (lists.shape[1], self.shift, start, stop)
        _kernels.halves_rescore(self.halves, self.factors, ids, owners, lists, *shape)

    def squares(self, matrix: NDArray[Any]) -> NDArray[np.int32] | None:
        """What is subtracted from the products of each row: nothing for cosines."""
        if not self.shift:
            return None
        return np.concatenate(
            [np.zeros(0, np.int32)]
            + [
                np.einsum("ij,ij->i", wide, wide).astype(np.int32)
                for start in range(0, len(matrix), WIDE_ROWS)
                for wide in (matrix[start : start + WIDE_ROWS].astype(np.int64),)
            ]
        )

    def scores(self, keys: Keys) -> NDArray[np.float32]:
        """Cosines, or distances, of keys with scores of 16 bits; NaN where there is no neighbour."""
        whole = key_scores(keys).astype(np.float64)
        found = np.sqrt(np.maximum(-whole, 0) / self.unit) if self.shift else whole / self.unit
        return np.where(keys == 0, np.nan, found).astype(np.float32)


def quantise(store: VectorStore, options: NeighbourOptions) -> QuantisedRows:
    """Measure the rows of a store."""
    shards = [store.shard(number) for number in range(len(store.manifest.shards))]
    halves = _kernels.halves_open(shards, store.dimension)
    scattered = options.memory_bytes is not None and store.bytes > options.memory_bytes // CACHED_SHARE
    if scattered:
        store.read_as_asked()
    lengths = np.empty(store.rows)
    measure = partial(_measure, halves, lengths, scattered)
    for _ in options.engine.map(measure, range(0, store.rows, CHUNK)):
        pass
    if not np.isfinite(lengths).all():
        row = int(np.argmin(np.isfinite(lengths)))
        reason = f"row {row:,} has numbers that are not finite; encode the pool again"
        raise DataError(reason, store.folder, code="vectors-not-finite")
    np.sqrt(lengths, out=lengths)
    most = float(lengths.max(initial=0.0)) or 1.0
    length = LENGTH_16[options.metric]
    if options.metric == "cosine":
        factors = length / np.where(lengths > 0, lengths, 1.0)
        unit = length**2
    else:
        factors = np.full(store.rows, length / most)
        unit = (length / most) ** 2
    groups = None if options.groups is None else np.unique(options.groups, return_inverse=True)[1].astype(np.int32)
    return QuantisedRows(store, options, halves, factors.astype(np.float32), unit, groups, scattered)


def _measure(halves: Any, lengths: NDArray[np.float64], scattered: bool, start: int) -> None:
    stop = min(start + CHUNK, len(lengths))
    if scattered:
        _kernels.halves_read_ahead(halves, np.arange(start, stop))
    _kernels.halves_squares(halves, start, stop, lengths[start:stop])


def stride(dimension: int) -> int:
    """Numbers of a row with its padding."""
    return -(-dimension // STRIDE_UNIT) * STRIDE_UNIT


def key_scores(keys: Keys) -> NDArray[np.int32]:
    """The scores in the keys of neighbours."""
    return ((keys >> np.uint64(32)).astype(np.uint32) ^ np.uint32(0x80000000)).view(np.int32)


def key_ids(keys: Keys) -> Ints:
    """The ids in the keys of neighbours; -1 where there is none."""
    ids = (~(keys & np.uint64(0xFFFFFFFF)) & np.uint64(0xFFFFFFFF)).astype(np.int64)
    ids[keys == 0] = -1
    return ids


def slots_for(k: int) -> int:
    """The length of lists for ``k`` neighbours: some more, because 8 bits order them only nearly."""
    return max(LEAST_SLOTS, -(-(k + 1) // 8) * 8)


def empty_lists(rows: int, slots: int) -> tuple[Keys, NDArray[np.uint8]]:
    """Lists without neighbours, and their locks."""
    return np.zeros((rows, slots), np.uint64), np.zeros(rows, np.uint8)
