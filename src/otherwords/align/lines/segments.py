"""Two aligned versions cut into segments of about a quarter of an hour (Kanerva et al. 2023, §3.1).

A segment is a stretch of whole lines of both versions; every line is in exactly one segment.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate, pairwise

from otherwords.align.lines.align import LineAlignment
from otherwords.align.lines.timed import Cues
from otherwords.records import Part

MINUTES = 15.0  # Kanerva et al. 2023, §3.1
CHARACTERS_PER_SECOND = 6  # Kanerva et al. 2023, Table 1: 4,300 alphanumeric characters in 15 minutes
REST = 1 / 3  # ours: a last segment shorter than this share of the others joins the one before


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of both versions: lines, and the code points that they cover."""

    number: int
    lines1: range
    lines2: range
    part: Part

    def pairs(self, alignment: LineAlignment) -> list[list[int]]:
        """The line alignment inside, counted from the segment's first lines."""
        return [
            [i - self.lines1.start, j - self.lines2.start]
            for i, j in alignment.pairs
            if i in self.lines1 and j in self.lines2
        ]


def segments(
    text1: str, text2: str, alignment: LineAlignment, cues1: Cues | None = None, minutes: float = MINUTES
) -> list[Segment]:
    """The segments that have words on both sides: by the first version's clock, or by shares of its characters."""
    lines1, lines2 = text1.split("\n"), text2.split("\n")
    # Where the line before each line ends, in code points; -1 before the first.
    ends1, ends2 = ([*accumulate((len(line) + 1 for line in lines), initial=-1)] for lines in (lines1, lines2))
    if cues1:
        starts = _by_clock(cues1, minutes)
    else:  # equal shares of the characters, about as many as are read in that time; each begins with the next line
        total = ends1[-1] + 1
        count = max(1, round(total / (60 * minutes * CHARACTERS_PER_SECOND)))
        starts = list(dict.fromkeys(bisect_left(ends1, total * number / count - 1) for number in range(count)))
    edges1 = [*starts, len(lines1)]
    edges2 = [0, *(round(alignment.place_of(edge, 1)) for edge in edges1[1:])]
    cut: list[Segment] = []
    for number, ((from1, to1), (from2, to2)) in enumerate(zip(pairwise(edges1), pairwise(edges2), strict=True)):
        if any(line.strip() for line in lines1[from1:to1]) and any(line.strip() for line in lines2[from2:to2]):
            part = Part(start1=ends1[from1] + 1, end1=ends1[to1], start2=ends2[from2] + 1, end2=ends2[to2])
            cut.append(Segment(number, range(from1, to1), range(from2, to2), part))
    return cut


def _by_clock(cues: Cues, minutes: float) -> list[int]:
    """The first line of each segment: that of the first cue in each quarter of an hour of the film."""
    length = 60_000 * minutes
    edges: list[int] = []
    seen = -1
    for line, start, _ in cues:
        if start // length > seen:
            seen = int(start // length)
            edges.append(line if edges else 0)
    rest = max(end for _, _, end in cues) - seen * length
    return edges[:-1] if len(edges) > 1 and rest < REST * length else edges
