"""Which documents of an ordered collection are similar: each is compared with those before it, as far back as allowed.

For each text there is the first of those before it that it may be compared with: the start of a time window for news,
the start of the group for forum messages and translations. All pairs with at least a given cosine are found: all
pairs are estimated in single precision, and those whose estimate, plus the largest possible error, reaches the limit
are computed exactly. Only the blocks that the current one can be compared with are in memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from otherwords.align.document_vectors import Fit, VectorBlock, cosines, estimates, fit, rounding, vectorise
from otherwords.engine import cores
from otherwords.measures.columns import Floats, Integers

DOCUMENTS_PER_BLOCK = 512


@dataclass(frozen=True, slots=True)
class ComparedPairs:
    """Which documents are compared. ``firsts`` never decreases; documents of the same side are not compared.

    With ``selected``, only these documents are compared with those before them.
    """

    firsts: Integers
    sides: Integers | None = None
    selected: npt.NDArray[np.bool_] | None = None

    def allows(self, earlier: Integers, later: Integers) -> npt.NDArray[np.bool_]:
        """Which of these pairs are compared."""
        allowed = (self.firsts[later] <= earlier) & (earlier < later)
        if self.sides is not None:
            allowed &= self.sides[later] != self.sides[earlier]
        if self.selected is not None:
            allowed &= self.selected[later]
        return allowed

    def count(self) -> int:
        """The number of compared pairs."""
        places = np.arange(len(self.firsts))
        looking = places if self.selected is None else np.flatnonzero(self.selected)
        total = int((looking - self.firsts[looking]).sum())
        if self.sides is not None:
            for side in np.unique(self.sides):  # without those of one side
                own, ours = np.flatnonzero(self.sides == side), looking[self.sides[looking] == side]
                total -= int((np.searchsorted(own, ours) - np.searchsorted(own, self.firsts[ours])).sum())
        return total


@dataclass(frozen=True, slots=True)
class SimilarPairs:
    """Pairs of places, the earlier and the later, with their cosine, in order."""

    earlier: Integers
    later: Integers
    similarity: Floats


def similar_pairs(
    texts: Sequence[str], compared: ComparedPairs, floor: float, threads: int | None = None
) -> SimilarPairs:
    """All compared pairs with at least this cosine."""
    parts = [SimilarPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    if len(texts):
        fitted = fit(texts)
        with ThreadPoolExecutor(threads or cores()) as pool:
            for window in _windows(fitted, texts, compared, pool):
                search = partial(_compare, fitted, compared, floor, window[-1])
                parts += pool.map(search, window)
    earlier, later = (np.concatenate([getattr(part, name) for part in parts]) for name in ("earlier", "later"))
    similarity = np.concatenate([part.similarity for part in parts])
    order = np.lexsort((later, earlier))
    return SimilarPairs(earlier[order], later[order], similarity[order])


@dataclass(frozen=True, slots=True)
class _PlacedBlock:
    """A block of vectors, and the place of its first document in the collection."""

    start: int
    vectors: VectorBlock


def _windows(
    fitted: Fit, texts: Sequence[str], compared: ComparedPairs, pool: ThreadPoolExecutor
) -> Iterator[list[_PlacedBlock]]:
    """For every block those that it is compared with, itself the last; the next one is read meanwhile."""

    def read(start: int) -> Future[VectorBlock]:
        return pool.submit(vectorise, fitted, texts[start : start + DOCUMENTS_PER_BLOCK])

    window: deque[_PlacedBlock] = deque()
    ahead = read(0)
    for start in range(0, len(texts), DOCUMENTS_PER_BLOCK):
        window.append(_PlacedBlock(start, ahead.result()))
        ahead = read(start + DOCUMENTS_PER_BLOCK)
        while window[0].start + DOCUMENTS_PER_BLOCK <= compared.firsts[start]:
            window.popleft()
        yield list(window)


def _compare(
    fitted: Fit, compared: ComparedPairs, floor: float, later_block: _PlacedBlock, earlier_block: _PlacedBlock
) -> SimilarPairs:
    """The similar pairs of two blocks."""
    likely = estimates(later_block.vectors, earlier_block.vectors) >= floor - rounding(
        later_block.vectors, earlier_block.vectors
    )
    places1, places2 = np.nonzero(likely)
    allowed = compared.allows(places2 + earlier_block.start, places1 + later_block.start)
    places1, places2 = places1[allowed], places2[allowed]
    similarity = cosines(fitted, later_block.vectors, earlier_block.vectors, places1, places2)
    enough = similarity >= floor
    return SimilarPairs(places2[enough] + earlier_block.start, places1[enough] + later_block.start, similarity[enough])
