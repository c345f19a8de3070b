"""The nearest neighbours of every row by comparing all with all: exact, for pools that are small enough.

Blocks of rows are multiplied with blocks of rows, and each row keeps a short list. Lists are ordered by cosine and, for
equal ones, by row, so that they are always the same. Rows of zeros have no neighbours and are nobody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from otherwords.engine import Progress
from otherwords.mining.vectors import VectorStore

Scope = Literal["all", "within", "across"]  # the whole pool, the source of a row, or other sources
ROWS_PER_BLOCK, COLUMNS_PER_BLOCK = 1_024, 8_192
NOTHING = -1  # in a list that has fewer rows
FAR = np.float32(-2)  # below any cosine


@dataclass(frozen=True, slots=True)
class NearestRows:
    """For every row its nearest, the nearest first, with their cosines; -1 and NaN where there are no more."""

    ids: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]


def nearest_rows(
    store: VectorStore,
    k: int,
    scope: Scope = "all",
    sources: npt.NDArray[np.integer[Any]] | None = None,
    progress: Progress = lambda done, total: None,
) -> NearestRows:
    """The ``k`` nearest of every row, in the whole pool or only in its own source or in others (``sources`` by row)."""
    rows = np.full((store.rows, k), NOTHING, np.int64)
    cosines = np.full((store.rows, k), FAR, np.float32)
    for start, block in store.blocks(ROWS_PER_BLOCK):
        stop = start + len(block)
        best, found = rows[start:stop], cosines[start:stop]
        for first, others in store.blocks(COLUMNS_PER_BLOCK):
            products = block @ others.T
            last = first + len(others)
            products[~block.any(axis=1)] = FAR
            products[:, ~others.any(axis=1)] = FAR
            own = np.arange(max(start, first), min(stop, last))
            products[own - start, own - first] = FAR
            if scope != "all" and sources is not None:
                same = sources[start:stop, None] == sources[None, first:last]
                products[~same if scope == "within" else same] = FAR
            _merge(best, found, products, first)
        progress(stop, store.rows)
    rows[cosines <= FAR], cosines[cosines <= FAR] = NOTHING, np.nan
    return NearestRows(rows, cosines)


def _merge(
    best: npt.NDArray[np.int64], found: npt.NDArray[np.float32], products: npt.NDArray[np.float32], first: int
) -> None:
    """Update the lists of a block of rows with their products with other rows, whose first number is ``first``."""
    k = best.shape[1]
    if products.shape[1] > k:  # whatever equals the k-th stays in question, so that ties are decided by row
        least = np.partition(products, products.shape[1] - k, axis=1)[:, -k]
        least = np.maximum(least, found[:, -1])
    else:
        least = np.full(len(products), FAR, np.float32)
    for row in np.flatnonzero((products >= least[:, None]).any(axis=1)):
        columns = np.flatnonzero((products[row] >= least[row]) & (products[row] > FAR))
        numbers = np.concatenate([best[row], columns + first])
        values = np.concatenate([found[row], products[row, columns]])
        order = np.lexsort((numbers, -values))[:k]
        best[row], found[row] = numbers[order], values[order]
