"""Where two long texts certainly correspond, so that only the neighbourhood of these places has to be searched.

For every line of the first text there is a window of lines of the second. Anchors are pairs of lines that share
n-grams which few lines have; of all of them the heaviest chain that goes forward in both texts is kept. Between two
anchors everything is open, with some spare lines on either side, so a stretch that one text leaves out stays a
stretch.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

import numpy as np

from otherwords.align.lines.vectors import Indices, LineVectors, Similarities

SEARCH_ALL = 1_000_000  # tables of up to this many cells are searched whole: anchors would not save time
RARE = 8  # an n-gram in more lines of a text than this says little about where a line belongs
SURE = 0.15  # the part of the cosine that rare n-grams alone must reach
SPARE = 50  # lines beyond an anchor, which may be a few lines off
WIDEST = 1_000  # lines between two far anchors that are searched, around the straight line


def windows(vectors1: LineVectors, vectors2: LineVectors) -> list[range]:
    """The lines of the second text that each line of the first may match; both ends only move forward."""
    if len(vectors1) * len(vectors2) <= SEARCH_ALL:
        return [range(len(vectors2))] * len(vectors1)
    lines1, lines2 = len(vectors1), len(vectors2)
    corners = [(-1, -1), *heaviest_chain(*shared_rarities(vectors1, vectors2)), (lines1, lines2)]
    low, high = np.zeros(lines1, np.int64), np.full(lines1, lines2)
    # From the anchor before a line to the one after it, with lines to spare.
    for (row, column), (next_row, next_column) in pairwise(corners):
        low[row + 1 : next_row + 1] = column
        high[max(row, 0) : next_row] = next_column + 1
    straight = np.interp(np.arange(lines1), [row for row, _ in corners], [column for _, column in corners])
    low = np.maximum(low - SPARE, straight.astype(np.int64) - WIDEST // 2).clip(0, lines2)
    high = np.minimum(high + SPARE, straight.astype(np.int64) + WIDEST // 2).clip(0, lines2)
    return [range(start, max(start, end)) for start, end in zip(low.tolist(), high.tolist(), strict=True)]


def shared_rarities(vectors1: LineVectors, vectors2: LineVectors) -> tuple[Indices, Indices, Similarities]:
    """Pairs of lines, in order, with the part of their cosine that rare n-grams contribute, where it is large."""
    rows1, rows2 = vectors1.rows(), vectors2.rows()
    in1 = np.bincount(vectors1.grams, minlength=vectors1.vocabulary)
    in2 = np.bincount(vectors2.grams, minlength=vectors1.vocabulary)
    rare = (in1 > 0) & (in2 > 0) & (in1 <= RARE) & (in2 <= RARE)
    ours, theirs = np.flatnonzero(rare[vectors1.grams]), np.flatnonzero(rare[vectors2.grams])
    theirs = theirs[np.argsort(vectors2.grams[theirs], kind="stable")]
    firsts = np.searchsorted(vectors2.grams[theirs], vectors1.grams[ours])
    times = in2[vectors1.grams[ours]]
    left = np.repeat(ours, times)
    nth = np.arange(len(left)) - np.repeat(np.cumsum(times) - times, times)
    right = theirs[np.repeat(firsts, times) + nth]
    keys, which = np.unique(rows1[left] * len(vectors2) + rows2[right], return_inverse=True)
    parts = np.bincount(which, vectors1.weights[left] * vectors2.weights[right], minlength=len(keys))
    sure = parts >= SURE
    lines1, lines2 = np.divmod(keys[sure], len(vectors2))
    return lines1, lines2, parts[sure].astype(np.float32)


def heaviest_chain(lines1: Indices, lines2: Indices, weights: Similarities) -> list[tuple[int, int]]:
    """The chain of pairs with the greatest sum of weights that never goes back on either side.

    ``ends`` are the second lines where a best chain ends, each heavier than those before it; a chain
    that is neither shorter nor heavier than another is dropped.
    """
    ends: list[int] = []
    sums: list[float] = []
    last: list[int] = []
    before: list[int] = []
    for number, (line, weight) in enumerate(zip(lines2.tolist(), weights.tolist(), strict=True)):
        place = bisect_right(ends, line)
        before.append(last[place - 1] if place else -1)
        total = weight + (sums[place - 1] if place else 0.0)
        place = bisect_left(ends, line)
        stop = place
        while stop < len(ends) and sums[stop] <= total:
            stop += 1
        ends[place:stop], sums[place:stop], last[place:stop] = [line], [total], [number]
    chain = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append((int(lines1[number]), int(lines2[number])))
        number = before[number]
    return chain[::-1]
