"""The line alignment of two texts: where in the other text each line is.

A :class:`LineAlignment` has pairs of lines, in order on both sides, and a place in the other text for every line.
Time stamps decide where both texts are subtitles and the clock of one can be set by the other; otherwise the words
do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Literal

from otherwords.align.lines.best_path import Cell
from otherwords.align.lines.clock import estimate
from otherwords.align.lines.content import content_pairs
from otherwords.align.lines.timed import Cues, line_times, timed_pairs
from otherwords.errors import DataError, UsageError
from otherwords.records import Document
from otherwords.sources.documents import KINDS
from otherwords.sources.io.files import bare_suffix
from otherwords.sources.source import ReadLog, Source
from otherwords.text.normalise import document_text

Side = Literal[1, 2]
SUBTITLES = (".srt", ".vtt", ".ass", ".ssa", ".sub", ".xml")


@dataclass(frozen=True)
class LineAlignment:
    """Pairs of lines, from 0, in order on both sides; a line may be in several pairs or in none.

    Where the method is ``time``, ``drift`` and ``offset_ms`` give the second clock by the first,
    t2 = drift · t1 + offset.
    """

    pairs: tuple[Cell, ...]
    lines1: int
    lines2: int
    method: Literal["time", "content"]
    offset_ms: float | None = None
    drift: float | None = None

    def place_of(self, line: int, side: Side = 1) -> float:
        """Where in the other text a line of this side begins; the line after the last is at the other's end.

        A line with partners begins where the first of them does. The place of a line without partners is
        interpolated between those of its neighbours.
        """
        places = self._places[side - 1]
        if not 0 <= line < len(places):
            message = f"there is no line {line} on side {side}; it has {len(places) - 1}, counted from 0"
            raise UsageError(message, code="no-such-line")
        return places[line]

    def describe(self) -> dict[str, str | float]:
        """How the lines were aligned, as a document pair keeps it."""
        description: dict[str, str | float] = {"method": self.method}
        if self.offset_ms is not None and self.drift is not None:
            description |= {"offset_ms": round(self.offset_ms), "drift": round(self.drift, 6)}
        return description

    @cached_property
    def _places(self) -> tuple[list[float], list[float]]:
        swapped = sorted((j, i) for i, j in self.pairs)
        return _places(self.pairs, self.lines1, self.lines2), _places(swapped, self.lines2, self.lines1)


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
    known = [
        (-1, -1, -1),
        *((line, matched[0], matched[-1]) for line, matched in partners.items()),
        (lines, others, others),
    ]
    places: list[float] = []
    for (line, _, last), (next_line, first, _) in pairwise(known):
        start, count = min(last + 1, first), next_line - line - 1
        # Lines without a partner are spread at equal distances.
        places += [start + (first - start) * number / count for number in range(count)]
        places.append(float(first))
    return places


def align_files(path1: str | Path, path2: str | Path, encoding: str | None = None) -> LineAlignment:
    """The line alignment of two files; lines are those of the text, without numbers, times and tags."""
    document1, document2 = _document(Path(path1), encoding), _document(Path(path2), encoding)
    return align_lines(document1.text, document2.text, document1.meta.get("cues"), document2.meta.get("cues"))


def _document(path: Path, encoding: str | None) -> Document:
    source = Source(path, ReadLog(), Document, encoding)
    if bare_suffix(path) not in SUBTITLES:
        return Document(id=str(path), text=document_text("\n".join(line for _, line in source.lines())))
    kind = KINDS.get("subtitles")
    documents = [record for record in kind.read(source, kind.checked({})) if isinstance(record, Document)]
    if len(documents) != 1:
        raise DataError(f"has {len(documents)} subtitle documents, one is needed", path, code="not-one-document")
    return documents[0]
