"""Two aligned versions cut into segments of about a quarter of an hour (Kanerva et al. 2023, §3.1).

In go two texts, their line alignment and, where there are any, the first one's cues; out come the
segments in order, each a stretch of whole lines of both. Every line is in exactly one segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from otherwords.align.lines import LineAlignment
from otherwords.align.timed import Cues
from otherwords.records import Part

MINUTES = 15.0  # Kanerva et al. 2023, §3.1
CHARACTERS_A_SECOND = 6  # Kanerva et al. 2023, Table 1: 4,300 alphanumeric characters in 15 minutes
REST = 1 / 3  # ours: a last segment shorter than this share of the others is joined to the one before


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
    edges1 = [*(_by_clock(cues1, minutes) if cues1 else _by_length(lines1, minutes)), len(lines1)]
    edges2 = [0, *(round(alignment.place_of(edge, 1)) for edge in edges1[1:])]
    ends1, ends2 = _line_ends(lines1), _line_ends(lines2)
    cut = []
    for number, ((a, b), (c, d)) in enumerate(zip(pairwise(edges1), pairwise(edges2), strict=True)):
        if any(line.strip() for line in lines1[a:b]) and any(line.strip() for line in lines2[c:d]):
            part = Part(start1=ends1[a] + 1, end1=ends1[b], start2=ends2[c] + 1, end2=ends2[d])
            cut.append(Segment(number, range(a, b), range(c, d), part))
    return cut


def _by_clock(cues: Cues, minutes: float) -> list[int]:
    """The first line of each segment: of the first cue in each quarter of an hour by the clock of the film."""
    length = 60_000 * minutes
    edges: list[int] = []
    seen = -1
    for line, start, _ in cues:
        if start // length > seen:
            seen = int(start // length)
            edges.append(line if edges else 0)
    rest = max(end for _, _, end in cues) - seen * length
    return edges[:-1] if len(edges) > 1 and rest < REST * length else edges


def _by_length(lines: Sequence[str], minutes: float) -> list[int]:
    """The first line of each segment: equal shares of the characters, about as many as are read in that time."""
    sizes = [len(line) + 1 for line in lines]
    count = max(1, round(sum(sizes) / (60 * minutes * CHARACTERS_A_SECOND)))
    before = accumulate(sizes, initial=0)
    return list(_first_at([sum(sizes) * number / count for number in range(count)], before))


def _first_at(marks: Sequence[float], before: Iterator[int]) -> Iterator[int]:
    """The first line that begins at or behind each mark; marks that meet in one line give one."""
    wanted = iter(marks)
    mark = next(wanted, None)
    for line, size in enumerate(before):
        if mark is not None and size >= mark:
            yield line
            while mark is not None and size >= mark:
                mark = next(wanted, None)


def _line_ends(lines: Sequence[str]) -> list[int]:
    """Where the line before each line ends, in code points; -1 before the first."""
    return list(accumulate((len(line) + 1 for line in lines), initial=-1))
