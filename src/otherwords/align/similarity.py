"""Which documents of an ordered collection are similar: each compared with those before it, as far back as it may look.

In go the texts in order and, for each, the first of those before it that it may meet: the start of a
time window for news, the start of the group for forum messages and translations. Out come all pairs
with at least a given cosine. Nothing is lost: all pairs are estimated in single precision, and all
whose estimate, with more than the error it can have, reaches the limit are computed exactly. Only the
batches that the present one can meet are in memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from otherwords.align.document_vectors import Batch, Fit, batch, cosines, estimates, fit, rounding
from otherwords.measures.columns import Floats, Integers
from otherwords.measures.parallel import cores

AT_ONCE = 512  # documents a batch


@dataclass(frozen=True, slots=True)
class Meetings:
    """Who may meet whom. ``firsts`` never falls; documents of one ``side`` do not meet each other.

    Where ``asked`` is given only these documents look back, at all that they may meet.
    """

    firsts: Integers
    sides: Integers | None = None
    asked: npt.NDArray[np.bool_] | None = None

    def among(self, earlier: Integers, later: Integers) -> npt.NDArray[np.bool_]:
        """Which of these pairs may meet."""
        allowed = (self.firsts[later] <= earlier) & (earlier < later)
        if self.sides is not None:
            allowed &= self.sides[later] != self.sides[earlier]
        if self.asked is not None:
            allowed &= self.asked[later]
        return allowed

    def count(self) -> int:
        """How many pairs that are."""
        every = np.arange(len(self.firsts))
        looking = every if self.asked is None else np.flatnonzero(self.asked)
        total = int((looking - self.firsts[looking]).sum())
        return total if self.sides is None else total - self._of_one_side(self.sides, looking)

    def _of_one_side(self, sides: Integers, looking: Integers) -> int:
        total = 0
        for side in np.unique(sides):
            own, ours = np.flatnonzero(sides == side), looking[sides[looking] == side]
            total += int((np.searchsorted(own, ours) - np.searchsorted(own, self.firsts[ours])).sum())
        return total


@dataclass(frozen=True, slots=True)
class Similar:
    """Pairs of places, the earlier and the later, with their cosine; in order."""

    earlier: Integers
    later: Integers
    similarity: Floats

    def __len__(self) -> int:
        return len(self.similarity)


def similar(texts: Sequence[str], meetings: Meetings, floor: float, threads: int | None = None) -> Similar:
    """All pairs that may meet and have at least this cosine."""
    found: list[Similar] = []
    if len(texts):
        fitted = fit(texts)
        with ThreadPoolExecutor(threads or cores()) as pool:
            for window in _windows(fitted, texts, meetings, pool):
                search = partial(_compared, fitted, meetings, floor, window[-1])
                found += pool.map(search, window)
    return _in_order(found)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A batch, and the place of its first document in the collection."""

    start: int
    batch: Batch


def _windows(
    fitted: Fit, texts: Sequence[str], meetings: Meetings, pool: ThreadPoolExecutor
) -> Iterator[list[_Placed]]:
    """For every batch those that it can meet, itself the last; the next one is read meanwhile."""

    def read(start: int) -> Future[Batch]:
        return pool.submit(batch, fitted, texts[start : start + AT_ONCE])

    window: deque[_Placed] = deque()
    ahead = read(0)
    for start in range(0, len(texts), AT_ONCE):
        window.append(_Placed(start, ahead.result()))
        ahead = read(start + AT_ONCE)
        while window[0].start + AT_ONCE <= meetings.firsts[start]:
            window.popleft()
        yield list(window)


def _compared(fitted: Fit, meetings: Meetings, floor: float, late: _Placed, early: _Placed) -> Similar:
    """The similar pairs of two batches."""
    likely = estimates(late.batch, early.batch) >= floor - rounding(late.batch, early.batch)
    places1, places2 = np.nonzero(likely)
    allowed = meetings.among(places2 + early.start, places1 + late.start)
    places1, places2 = places1[allowed], places2[allowed]
    similarity = cosines(fitted, late.batch, early.batch, places1, places2)
    enough = similarity >= floor
    return Similar(places2[enough] + early.start, places1[enough] + late.start, similarity[enough])


def _in_order(found: Sequence[Similar]) -> Similar:
    empty = Similar(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    parts = [empty, *found]
    earlier, later, similarity = (
        np.concatenate([part.earlier for part in parts]),
        np.concatenate([part.later for part in parts]),
        np.concatenate([part.similarity for part in parts]),
    )
    order = np.lexsort((later, earlier))
    return Similar(earlier[order], later[order], similarity[order])
