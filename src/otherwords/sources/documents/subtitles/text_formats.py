"""Cues of the text formats: SubRip (.srt), WebVTT (.vtt), SubStation (.ass, .ssa) and MicroDVD (.sub).

The readers accept files as people and programs really write them. SubRip is read by its time lines alone, so that
missing or repeated numbers, and blank lines inside cues or none between them, lose nothing. In WebVTT a blank line ends
a cue, and notes, styles and regions are not cues. In SubStation the ``Format`` line of the events names the fields; the
text is the last one and may contain commas. The times of MicroDVD are numbers of frames; the frame rate is the user's,
else that of the first cue, ``{1}{1}25``, else that of films on disc, and then the file is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from otherwords.sources.documents.subtitles.cues import (
    CLOCK,
    Cue,
    milliseconds,
    visible_lines,
    visible_styled_lines,
)
from otherwords.sources.source import Source

Start = tuple[int, tuple[int, int]]
USUAL_RATE = 23.976
_TIMES = re.compile(rf"\s*({CLOCK})\s*-{{1,3}}>\s*({CLOCK})(?=\s|$).*")
_NUMBER = re.compile(r"\s*\d{1,7}\s*")
_NO_CUE = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
_EVENT_FIELDS = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
_FRAME_CUE = re.compile(r"\s*\{(\d{1,9})\}\{(\d{0,9})\}(.*)")
_RATE = re.compile(r"\s*(\d{1,3}(?:[.,]\d{1,6})?)\s*")


def subrip(source: Source, text: str) -> Iterator[Cue]:
    """The cues of a SubRip file."""
    lines = text.split("\n")
    starts = [(place, times) for place, line in enumerate(lines) if (times := _times(source, line))]
    if starts and any(line.strip() and not _NUMBER.fullmatch(line) for line in lines[: starts[0][0]]):
        source.mark("text before the first cue, left out")
    for (place, (start, end)), next_start in _with_next_start(starts, len(lines)):
        if place == 0 or not _NUMBER.fullmatch(lines[place - 1]):
            source.mark("a cue without its number")
        inside = lines[place + 1 : next_start]
        if next_start < len(lines) and inside and _NUMBER.fullmatch(inside[-1]):
            inside.pop()
        yield Cue(start, end, visible_lines(inside), place + 1)


def webvtt(source: Source, text: str) -> Iterator[Cue]:
    """The cues of a WebVTT file."""
    block: list[str] = []
    for place, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            block.append(line)
            continue
        first = place - len(block)
        is_head = first == 1 and bool(block) and block[0].startswith("WEBVTT") and "-->" not in "".join(block)
        if block and not is_head and not _NO_CUE.match(block[0]):
            starts = [(at, times) for at, line in enumerate(block) if (times := _times(source, line))]
            if not starts:
                source.mark("text outside any cue, left out")
            for (at, (start, end)), next_start in _with_next_start(starts, len(block)):
                yield Cue(start, end, visible_lines(block[at + 1 : next_start]), first + at)
        block = []


def _with_next_start(starts: list[Start], length: int) -> Iterator[tuple[Start, int]]:
    """Each time line with the line of the next one, or with the end."""
    return zip(starts, [*(place for place, _ in starts[1:]), length], strict=False)


def _times(source: Source, line: str) -> tuple[int, int] | None:
    """The two times of a time line; None for other lines."""
    if "->" not in line:
        return None
    match = _TIMES.fullmatch(line)
    start, end = (milliseconds(match[1]), milliseconds(match[2])) if match else (None, None)
    if start is None or end is None:
        if line.strip()[:1].isdigit():
            source.mark("a time line that cannot be read, kept as text")
        return None
    return start, end


def substation(source: Source, text: str) -> Iterator[Cue]:
    """The cues of the dialogue events of a SubStation file; comments are not cues."""
    fields, in_events = _EVENT_FIELDS, False
    for place, line in enumerate(text.split("\n"), 1):
        key, _, rest = line.strip().partition(":")
        if key.startswith("["):
            in_events = key.lower().startswith("[events")
        elif in_events and key.lower() == "format":
            names = [name.strip().lower() for name in rest.split(",")]
            fields = names if {"start", "end"} < set(names) and names[-1] == "text" else _EVENT_FIELDS
        elif key.lower() == "dialogue":
            cells = rest.split(",", len(fields) - 1)
            event = dict(zip(fields, cells, strict=False))
            start, end = (milliseconds(event.get(name, "").strip()) for name in ("start", "end"))
            if start is None or end is None or len(cells) < len(fields):
                source.mark("an event that cannot be read, left out")
            else:
                yield Cue(start, end, visible_styled_lines(event["text"]), place)


def microdvd(source: Source, text: str, rate: float | None) -> Iterator[Cue]:
    """The cues of a MicroDVD file at a frame rate."""
    first = True
    for place, line in enumerate(text.split("\n"), 1):
        match = _FRAME_CUE.fullmatch(line)
        if match is None:
            if line.strip():
                source.mark("text outside any cue, left out")
            continue
        file_rate = _RATE.fullmatch(match[3]) if first else None
        first = False
        if file_rate and float(file_rate[1].replace(",", ".")) > 0:
            rate = rate or float(file_rate[1].replace(",", "."))
            continue
        if rate is None:
            source.mark(f"no frame rate, read at {USUAL_RATE} frames a second; name another with the option fps")
            rate = USUAL_RATE
        start, end = int(match[1]), int(match[2] or match[1])
        lines = visible_lines(match[3].split("|"))
        yield Cue(round(start * 1000 / rate), round(end * 1000 / rate), lines, place)


def is_microdvd(text: str) -> bool:
    """Whether the text starts with a MicroDVD cue."""
    return _FRAME_CUE.match(text.lstrip()) is not None
