"""Which lines of two texts correspond, by their words.

The pairs (i, j) are the best monotone path over the lexical similarity of lines. A pair of lines is worth more the
better its neighbours on the diagonal fit too, which distinguishes one "Yes." from the next. Long texts are searched
around anchors only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from otherwords.align.lines.anchors import windows
from otherwords.align.lines.best_path import Cell, RewardRow, best_path
from otherwords.align.lines.vectors import LineVectors, Similarities, cosines, line_vectors

# Ours: round values, chosen with a look at the Swedish subtitles of bench/lines.py, so its figures are not of
# unseen films. Values around them (81 settings) reach its targets too; chosen on 16 films and tested on the
# seventeenth, in turn, they put 97.0 and 98.7 % of the passages within a line, 99.3 and 99.8 % within three.
LEAST = 0.1  # lines below this cosine are not a pair, however well their neighbours fit
NEIGHBOURS = 0.5  # weight of the lines before and after
THRESHOLD = 0.2  # similarity that unrelated lines of a language reach; only what is above counts
STEP = 0.5  # a pair of lines that both have a partner must be half as similar as the weaker of these pairs
SCALE = 1_000  # rewards are whole thousandths
BLOCK = 128  # lines compared at once


def content_pairs(lines1: Sequence[str], lines2: Sequence[str]) -> list[Cell]:
    """The pairs of corresponding lines, in order on both sides."""
    vectors1, vectors2 = line_vectors(lines1, lines2)
    compared = list(_compare(vectors1, vectors2))
    path = {(i, j): float(compared[i][1][j - compared[i][0].first]) for i, j in best_path([row for row, _ in compared])}
    # Cells that the path only crosses on its way between better ones are left out: where lines are broken elsewhere, a
    # line shares words with two lines that each have a partner of their own; a chance similarity is much weaker.
    best1: dict[int, float] = {}
    best2: dict[int, float] = {}
    for (i, j), similarity in path.items():
        best1[i] = max(similarity, best1.get(i, 0.0))
        best2[j] = max(similarity, best2.get(j, 0.0))
    return [(i, j) for (i, j), similarity in path.items() if similarity >= STEP * min(best1[i], best2[j])]


def _compare(vectors1: LineVectors, vectors2: LineVectors) -> Iterator[tuple[RewardRow, Similarities]]:
    """For every line of the first text the rewards and the similarities in its window."""
    open_to = enumerate(windows(vectors1, vectors2))
    for _, block in groupby(open_to, key=lambda numbered: numbered[0] // BLOCK):
        numbered = list(block)
        first, last = numbered[0][0], numbered[-1][0]
        columns = range(numbered[0][1].start, max(window.stop for _, window in numbered))
        # One more line on every side, for the neighbours.
        around = cosines(vectors1, range(first - 1, last + 2), vectors2, range(columns.start - 1, columns.stop + 1))
        own = around[1:-1, 1:-1]
        supported = own + NEIGHBOURS * (around[:-2, :-2] + around[2:, 2:])
        worth = np.where(own >= LEAST, supported - THRESHOLD, 0)
        rewards = np.rint(SCALE * worth.clip(min=0)).astype(np.int64)
        for number, window in numbered:
            inside = slice(window.start - columns.start, window.stop - columns.start)
            yield RewardRow(window.start, rewards[number - first, inside]), own[number - first, inside]
