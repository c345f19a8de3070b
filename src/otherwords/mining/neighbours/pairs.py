"""Unique unordered pairs from lists of neighbours, with margin scores.

A cosine means more where a sentence has few near neighbours: the ratio margin divides it by the mean of the mean
cosines of both sentences to their neighbours (Artetxe and Schwenk 2019, section 3.1). Pairs come
block by block, each once, although both rows may have the other in their lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import UsageError
from otherwords.mining.neighbours.lists import BLOCK, NeighbourLists


@dataclass(frozen=True, slots=True)
class NeighbourPairs:
    """Pairs of rows, the lower first, with their scores and, of cosines, their margins."""

    rows1: NDArray[np.int64]
    rows2: NDArray[np.int64]
    scores: NDArray[np.float32]
    margins: NDArray[np.float32] | None

    def __len__(self) -> int:
        return len(self.rows1)

    def at_least(self, score: float) -> NeighbourPairs:
        """Those with at least a score."""
        near = self.scores >= score
        margins = None if self.margins is None else self.margins[near]
        return NeighbourPairs(self.rows1[near], self.rows2[near], self.scores[near], margins)


def unique_pairs(
    lists: NeighbourLists, rows: range | None = None, rows_per_block: int = BLOCK
) -> Iterator[NeighbourPairs]:
    """Every pair in the lists once, those found at some rows or at all; of cosines with margins.

    A pair is found at its lower row if that has the other in its list, else at its higher row; so only the lists of the
    rows in hand and of their neighbours are read.
    """
    chosen = range(lists.manifest.rows) if rows is None else rows
    for start in chosen[::rows_per_block]:
        yield _block(lists, start, min(start + rows_per_block, chosen.stop))


def _block(lists: NeighbourLists, start: int, stop: int) -> NeighbourPairs:
    ids, found = lists.ids[start:stop], lists.scores[start:stop].ravel()
    rows = np.repeat(np.arange(start, stop), ids.shape[1])
    others = ids.ravel().astype(np.int64)
    present = others >= 0
    rows, others, found = rows[present], others[present], found[present]
    later = others < rows  # the other row is lower, and has the pair already if this row is in its list
    kept = ~later
    kept[later] = ~(lists.ids[others[later]] == rows[later, None]).any(axis=1)
    rows, others, scores = rows[kept], others[kept], found[kept]
    rows1, rows2 = np.minimum(rows, others), np.maximum(rows, others)
    order = np.lexsort((rows2, rows1))
    rows1, rows2, scores = rows1[order], rows2[order], scores[order]
    margins = None
    if lists.manifest.metric == "cosine":
        margins = ratio_margins(scores, mean_scores(lists, rows1), mean_scores(lists, rows2))
    return NeighbourPairs(rows1, rows2, scores, margins)


def mean_scores(lists: NeighbourLists, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean cosine of chosen rows to their neighbours; 0 for a row without any."""
    if lists.manifest.metric != "cosine":
        raise UsageError("margins are for cosines; search with the metric cosine", code="margin-metric")
    present = lists.ids[rows] >= 0
    sums = np.where(present, lists.scores[rows], 0).sum(axis=1, dtype=np.float64)
    means: NDArray[np.float64] = sums / np.maximum(present.sum(axis=1), 1)
    return means


def ratio_margins(
    scores: NDArray[np.float32], means1: NDArray[np.float64], means2: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Cosines divided by the mean of both means; 0 where that is not above 0."""
    middle = (means1 + means2) / 2
    return np.where(middle > 0, scores / np.where(middle > 0, middle, 1), 0).astype(np.float32)
