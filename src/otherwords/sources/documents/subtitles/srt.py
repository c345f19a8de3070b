"""SubRip (.srt) and WebVTT (.vtt) files, as people and programs really write them.

In goes the text of a file, out come its cues. SubRip is read by its time lines alone, so that missing
or doubled numbers, and blank lines inside or none between cues, lose nothing. WebVTT does have rules:
a blank line ends a cue, and its notes, styles and regions are no cues.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from otherwords.sources.documents.subtitles.cues import CLOCK, Cue, milliseconds
from otherwords.sources.documents.subtitles.markup import shown
from otherwords.sources.source import Source

Start = tuple[int, tuple[int, int]]
_TIMES = re.compile(rf"\s*({CLOCK})\s*-{{1,3}}>\s*({CLOCK})(?=\s|$).*")
_NUMBER = re.compile(r"\s*\d{1,7}\s*")
_NO_CUE = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")


def subrip(source: Source, text: str) -> Iterator[Cue]:
    """The cues of a SubRip file."""
    lines = text.split("\n")
    starts = [(place, times) for place, line in enumerate(lines) if (times := _times(source, line))]
    if starts and any(line.strip() and not _NUMBER.fullmatch(line) for line in lines[: starts[0][0]]):
        source.mark("text before the first cue, left out")
    for (place, (start, end)), following in _with_ends(starts, len(lines)):
        if place == 0 or not _NUMBER.fullmatch(lines[place - 1]):
            source.mark("a cue without its number")
        inside = lines[place + 1 : following]
        if following < len(lines) and inside and _NUMBER.fullmatch(inside[-1]):
            inside.pop()
        yield Cue(start, end, shown(inside), place + 1)


def webvtt(source: Source, text: str) -> Iterator[Cue]:
    """The cues of a WebVTT file."""
    block: list[str] = []
    for place, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            block.append(line)
            continue
        if block:
            yield from _cue_of(source, block, place - len(block))
        block = []


def _cue_of(source: Source, block: list[str], place: int) -> Iterator[Cue]:
    if _NO_CUE.match(block[0]) or (place == 1 and block[0].startswith("WEBVTT") and "-->" not in "".join(block)):
        return
    starts = [(at, times) for at, line in enumerate(block) if (times := _times(source, line))]
    if not starts:
        source.mark("text outside any cue, left out")
    for (at, (start, end)), following in _with_ends(starts, len(block)):
        yield Cue(start, end, shown(block[at + 1 : following]), place + at)


def _with_ends(starts: list[Start], length: int) -> Iterator[tuple[Start, int]]:
    """Each time line with the line where its cue ends: at the next one, or at the end."""
    return zip(starts, [*(place for place, _ in starts[1:]), length], strict=False)


def _times(source: Source, line: str) -> tuple[int, int] | None:
    """The two times of a time line; None if the line is none."""
    if "->" not in line:
        return None
    found = _TIMES.fullmatch(line)
    start, end = (milliseconds(found[1]), milliseconds(found[2])) if found else (None, None)
    if start is None or end is None:
        if line.strip()[:1].isdigit():
            source.mark("a time line that cannot be read, kept as text")
        return None
    return start, end
