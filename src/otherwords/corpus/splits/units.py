"""Units of a split, which stay whole: pairs that share a group, a document or a sentence.

A rewrite always belongs to the unit of its original. Units do not depend on the order of the pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.corpus.splits.columns import Digests, digests
from otherwords.corpus.splits.options import By

Numbers = NDArray[np.int64]
Links = tuple[Numbers, Numbers]  # rows, and the rows that they belong to


@dataclass(frozen=True, slots=True)
class Units:
    """The unit of each row, and the names of the units."""

    of_row: Numbers
    names: pa.Array

    def __len__(self) -> int:
        return len(self.names)


def units_of(table: pa.Table, by: By, sentences: tuple[Digests, Digests] | None = None) -> Units:
    """The units of some pairs. Where ``sentences`` are given, pairs that share one are one unit too."""
    links = [equal_rows(_keys(table, "id", "rewrite_of"))]
    if by in ("group", "document"):
        links.append(equal_rows(_keys(table, *(["group"] if by == "group" else ["doc1", "doc2"]))))
    if sentences is not None:
        links.append(equal_rows((np.tile(np.arange(len(table)), 2), np.concatenate(sentences))))
    roots = components(len(table), *(np.concatenate(side) for side in zip(*links, strict=True)))
    names = {"group": "group", "document": "doc1"}.get(by, "id")
    return _name_units(roots, pc.coalesce(table[names], table["id"]).combine_chunks())


def _keys(table: pa.Table, *names: str) -> tuple[Numbers, Digests]:
    """The rows of some columns that have a value, and the digest of each value.

    Arrow could number the values instead; for a million ids that takes a quarter of a gigabyte.
    """
    columns = [table[name] for name in names]
    rows = [np.flatnonzero(np.asarray(column.is_valid())) for column in columns]
    keys = [digests(chunk.drop_null().to_pylist()) for column in columns for chunk in column.chunks]
    return np.concatenate(rows), np.concatenate([np.empty(0, np.uint64), *keys])


def equal_rows(keyed: tuple[Numbers, NDArray[np.generic]]) -> Links:
    """Every row linked with the next one that has the same key."""
    rows, keys = keyed
    order = np.argsort(keys, kind="stable")
    rows, keys = rows[order], keys[order]
    same = keys[1:] == keys[:-1]
    return rows[:-1][same], rows[1:][same]


def components(count: int, first: Numbers, second: Numbers) -> Numbers:
    """For each row the smallest row that it is connected with; the links are from ``first`` to ``second``.

    Roots are hooked onto smaller roots, then all paths are halved until every row points at its root: a few rounds
    of numpy over the links that are left.
    """
    parent: Numbers = np.arange(count)
    while True:
        first, second = parent[first], parent[second]
        apart = first != second
        if not apart.any():
            return parent
        first, second = first[apart], second[apart]
        np.minimum.at(parent, np.maximum(first, second), np.minimum(first, second))
        while not np.array_equal(grandparent := parent[parent], parent):
            parent = grandparent


def _name_units(roots: Numbers, names: pa.Array) -> Units:
    """Units numbered in the order of their names; the name of a unit is the first of its rows."""
    order = np.asarray(pc.array_sort_indices(names)).astype(np.int64)
    first = np.full(len(roots), len(roots))
    np.minimum.at(first, roots[order], np.arange(len(order)))
    own = np.flatnonzero(roots == np.arange(len(roots)))
    ranked = own[np.argsort(first[own])]
    number = np.empty(len(roots), np.int64)
    number[ranked] = np.arange(len(ranked))
    return Units(number[roots], names.take(pa.array(order[first[ranked]])))
