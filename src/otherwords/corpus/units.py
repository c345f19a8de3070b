"""What must not be torn apart: pairs that are one unit because they share a group, a document or a sentence.

In goes what is known of every pair, a column each, out comes the number of its unit and the names of the units. A
rewrite is always of the unit of its original. Nothing depends on the order of the pairs but the order of the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.corpus.leaks_plain import Digests, digests
from otherwords.corpus.split_wishes import By

Numbers = NDArray[np.int64]
Links = tuple[Numbers, Numbers]  # rows, and the rows that they belong to


@dataclass(frozen=True, slots=True)
class Units:
    """Which unit each row is of, and what the units are called."""

    of: Numbers
    names: pa.Array

    def __len__(self) -> int:
        return len(self.names)


def units_of(table: pa.Table, by: By, sentences: tuple[Digests, Digests] | None = None) -> Units:
    """The units of these pairs. Where ``sentences`` are given, sharing one of them makes a unit too."""
    links = [_alike(_keys(table, "id", "rewrite_of"))]
    if by == "group":
        links.append(_alike(_keys(table, "group")))
    if by == "document":
        links.append(_alike(_keys(table, "doc1", "doc2")))
    if sentences is not None:
        keys = np.concatenate(sentences)
        links.append(_alike((np.tile(np.arange(len(table)), 2), keys)))
    roots = components(len(table), *(np.concatenate(side) for side in zip(*links, strict=True)))
    names = {"group": "group", "document": "doc1"}.get(by, "id")
    return _named(roots, pc.coalesce(table[names], table["id"]).combine_chunks())


def _keys(table: pa.Table, *names: str) -> tuple[Numbers, Digests]:
    """Rows and digests of the values of some columns, equal where the values are; rows without one are left out.

    Arrow would number the values, too; for a million ids that takes a quarter of a gigabyte.
    """
    columns = [table[name] for name in names]
    rows = [np.flatnonzero(np.asarray(column.is_valid())) for column in columns]
    keys = [digests(chunk.drop_null().to_pylist()) for column in columns for chunk in column.chunks]
    return np.concatenate(rows), np.concatenate([np.empty(0, np.uint64), *keys])


def _alike(told: tuple[Numbers, NDArray[np.generic]]) -> Links:
    """Every row linked with the next that has the same key."""
    rows, keys = told
    order = np.argsort(keys, kind="stable")
    rows, keys = rows[order], keys[order]
    same = keys[1:] == keys[:-1]
    return rows[:-1][same], rows[1:][same]


def components(count: int, one: Numbers, two: Numbers) -> Numbers:
    """For each row the smallest row that it hangs together with.

    Roots are hooked onto smaller roots, then all paths are halved until every row points at its root: a few rounds
    over the links that are left, each of them numpy.
    """
    parent: Numbers = np.arange(count)
    while True:
        one, two = parent[one], parent[two]
        apart = one != two
        if not apart.any():
            return parent
        one, two = one[apart], two[apart]
        np.minimum.at(parent, np.maximum(one, two), np.minimum(one, two))
        for grand in _halved(parent):
            parent = grand


def _halved(parent: Numbers) -> Iterator[Numbers]:
    while True:
        grand = parent[parent]
        if np.array_equal(grand, parent):
            return
        parent = grand
        yield parent


def _named(roots: Numbers, names: pa.Array) -> Units:
    """Units numbered in the order of their names; each is called by the first name of its rows."""
    order = np.asarray(pc.array_sort_indices(names)).astype(np.int64)
    first = np.full(len(roots), len(roots))
    np.minimum.at(first, roots[order], np.arange(len(order)))
    own = np.flatnonzero(roots == np.arange(len(roots)))
    ranked = own[np.argsort(first[own])]
    number = np.empty(len(roots), np.int64)
    number[ranked] = np.arange(len(ranked))
    return Units(number[roots], names.take(pa.array(order[first[ranked]])))
