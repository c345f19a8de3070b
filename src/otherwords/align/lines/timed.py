"""Which lines of two subtitle versions are on the screen at the same time.

The cues of a version give the times of every line; from the times of two versions and the clock between them come the
pairs of lines, in order on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from otherwords.align.lines.best_path import Cell
from otherwords.align.lines.clock import Clock
from otherwords.errors import DataError

Cues = Sequence[Sequence[int]]  # [line, start_ms, end_ms], the line being the first of the cue
Times = npt.NDArray[np.float64]

TOGETHER = 0.5  # share of the shorter line's time that both must be on the screen; less is a late cue


@dataclass(frozen=True, slots=True)
class LineTimes:
    """When each line begins and ends, in milliseconds and without overlap; and when the cues begin."""

    starts: Times
    ends: Times
    cues: Times


def line_times(lines: Sequence[str], cues: Cues) -> LineTimes:
    """The times of all lines: the time of a cue is divided among its lines by their characters.

    Cues that overlap end where the next begins, and cues that begin together share their time.
    """
    ordered = _check_cues(cues, len(lines))
    starts, ends = np.zeros(len(lines)), np.zeros(len(lines))
    following = [*ordered[1:], (len(lines), ordered[-1][2], ordered[-1][2])]
    for (line, start, end), (next_line, next_start, _) in zip(ordered, following, strict=True):
        if next_line < len(lines):
            end = min(end, next_start)
        sizes = np.array([len(text) + 1 for text in lines[line:next_line]], np.float64)
        edges = start + (max(end, start + 1) - start) * np.concatenate([[0], np.cumsum(sizes)]) / sizes.sum()
        starts[line:next_line], ends[line:next_line] = edges[:-1], edges[1:]
    return LineTimes(starts, ends, np.array([start for _, start, _ in ordered], np.float64))


def _check_cues(cues: Cues, lines: int) -> list[tuple[int, int, int]]:
    """The cues in order, those that begin together as one; the first includes all lines before the second."""
    joined: list[tuple[int, int, int]] = []
    for cue in cues:
        if len(cue) != 3 or not 0 <= cue[0] < lines:
            message = f"the cue {list(cue)} is not [line, start_ms, end_ms] with a line below {lines}"
            raise DataError(message, code="not-a-cue")
        line, start, end = cue
        if joined and (line <= joined[-1][0] or start < joined[-1][1]):
            message = f"the cue {list(cue)} is out of order: lines and start times must increase"
            raise DataError(message, code="cues-out-of-order")
        if joined and start == joined[-1][1]:
            joined[-1] = (joined[-1][0], start, max(end, joined[-1][2]))
        else:
            joined.append((line, start, end) if joined else (0, start, end))
    return joined


def timed_pairs(times1: LineTimes, times2: LineTimes, clock: Clock) -> list[Cell]:
    """The lines that are on the screen together for at least half the time of the shorter one.

    The lines of a version follow one another without overlap, so the pairs cannot cross.
    """
    starts1, ends1 = clock.second(times1.starts), clock.second(times1.ends)
    pairs = []
    i = j = 0
    while i < len(starts1) and j < len(times2.starts):
        start, end = max(starts1[i], times2.starts[j]), min(ends1[i], times2.ends[j])
        shorter = min(ends1[i] - starts1[i], times2.ends[j] - times2.starts[j])
        if end - start >= TOGETHER * shorter:
            pairs.append((i, j))
        if ends1[i] <= times2.ends[j]:
            i += 1
        else:
            j += 1
    return pairs
