"""The line alignment of two texts: where in the other text each line stands.

In go two texts and, where they are subtitles, their cues; out comes a :class:`LineAlignment`: pairs
of lines, in order on both sides, and a place in the other text for every line. Time stamps decide
where both have them and one clock can be set by the other; otherwise the words do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from otherwords.align.clock import estimate
from otherwords.align.content import content_pairs
from otherwords.align.path import Cell
from otherwords.align.timed import Cues, line_times, timed_pairs
from otherwords.errors import UsageError

Side = Literal[1, 2]


@dataclass(frozen=True)
class LineAlignment:
    """Pairs of lines, from 0, in order on both sides; a line may be in several pairs or in none.

    ``drift`` and ``offset_ms`` tell the second clock by the first, t2 = drift · t1 + offset, where the
    method is ``time``.
    """

    pairs: tuple[Cell, ...]
    lines1: int
    lines2: int
    method: Literal["time", "content"]
    offset_ms: float | None = None
    drift: float | None = None

    def place_of(self, line: int, side: Side = 1) -> float:
        """Where in the other text a line of this side begins; the line behind the last is at the other's end.

        A line with partners begins where the first of them does. One without lies between its
        neighbours' partners, as far as it lies between its neighbours.
        """
        places = self._places[side - 1]
        if not 0 <= line < len(places):
            raise UsageError(f"there is no line {line} on side {side}; it has {len(places) - 1}, counted from 0")
        return places[line]

    @cached_property
    def _places(self) -> tuple[list[float], list[float]]:
        turned = sorted((j, i) for i, j in self.pairs)
        return _places(self.pairs, self.lines1, self.lines2), _places(turned, self.lines2, self.lines1)


def align_lines(text1: str, text2: str, cues1: Cues | None = None, cues2: Cues | None = None) -> LineAlignment:
    """Align two texts line by line: by time where both have cues and the clocks agree, else by content."""
    lines1, lines2 = text1.split("\n"), text2.split("\n")
    if cues1 and cues2:
        times1, times2 = line_times(lines1, cues1), line_times(lines2, cues2)
        clock = estimate(times1.cues, times2.cues)
        if clock is not None:
            pairs = timed_pairs(times1, times2, clock)
            return LineAlignment(tuple(pairs), len(lines1), len(lines2), "time", clock.offset_ms, clock.drift)
    return LineAlignment(tuple(content_pairs(lines1, lines2)), len(lines1), len(lines2), "content")


def _places(pairs: Iterable[Cell], lines: int, others: int) -> list[float]:
    partners: dict[int, list[int]] = {}
    for line, other in pairs:
        partners.setdefault(line, []).append(other)
    known = [(-1, -1, -1), *((line, met[0], met[-1]) for line, met in partners.items()), (lines, others, others)]
    places: list[float] = []
    for (line, _, last), (next_line, first, _) in pairwise(known):
        places += _spread(min(last + 1, first), first, next_line - line - 1)
        places.append(float(first))
    return places


def _spread(start: int, end: int, count: int) -> Sequence[float]:
    """So many places from ``start`` on, at equal distances before ``end``."""
    return [start + (end - start) * number / count for number in range(count)]
