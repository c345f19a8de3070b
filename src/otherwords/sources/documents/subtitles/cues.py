"""Cues: lines of text that are on the screen from one moment to another.

Tags, codes and entities are removed from the lines, so that the result is what is read on the screen. Only markup is
removed: dashes of speakers, music notes and remarks for the hard of hearing belong to the text. The cues of a file
become the text of the document and, for each cue, its first line and its times, in the order of the screen. Wrong times
never lose a word: they are fixed if possible, and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from otherwords.sources.documents.news.html_bodies import unescape_entities
from otherwords.sources.source import Source
from otherwords.text.normalise import clean_text, normalise

CLOCK = r"-?\d{1,3}:\d{1,2}(?::\d{1,2})?(?:[,.:]\d{1,6})?"
_CLOCK = re.compile(r"(-?)(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,6}))?")
_CLOCK_OF_COLONS = re.compile(r"(-?)(\d{1,3}):(\d{1,2}):(\d{1,2}):(\d{1,3})")
_BREAK = re.compile(r"<\s*+br\s*+/?\s*+>", re.IGNORECASE)
# Tags of SubRip and WebVTT, and time stamps inside a line of karaoke; <Laughs> is not a tag.
_TAG = re.compile(
    r"<\s*+/?\s*+(?:i|b|u|s|em|strong|font|span|c|v|ruby|rt|lang|p|div|small|big|sub|sup|center)(?:[\s.=/][^<>]*+)?+>"
    r"|<(?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3}>",
    re.IGNORECASE,
)
_OVERRIDE = re.compile(r"\{\\[^{}]*\}")  # {\an8}, {\i1}: codes of Advanced SubStation that occur in other formats too
_MICRODVD_CODE = re.compile(r"\{[a-z]:[^{}]*\}", re.IGNORECASE)  # {y:i}, {c:$0000ff}
_BLOCK = re.compile(r"\{[^{}]*\}")
_DRAWING = re.compile(r"\{[^{}]{0,500}\\p[1-9][^{}]{0,500}\}.*?(?=\{[^{}]{0,500}\\p0|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cue:
    """Lines of text without markup, from ``start`` to ``end`` in milliseconds; ``place`` is its line in the file."""

    start: int
    end: int
    lines: tuple[str, ...]
    place: int


def milliseconds(clock: str) -> int | None:
    """The time of ``1:02:03,5`` and similar forms; None for other texts."""
    match = _CLOCK_OF_COLONS.fullmatch(clock) or _CLOCK.fullmatch(clock)
    if match is None:
        return None
    sign, hours, minutes, seconds, fraction = match.groups()
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    time = whole * 1000 + int((fraction or "").ljust(3, "0")[:3])
    return -time if sign else time


def visible_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines of a SubRip, WebVTT or MicroDVD cue without markup and empty lines."""
    text = _BREAK.sub("\n", "\n".join(lines))
    return plain_lines(unescape_entities(_MICRODVD_CODE.sub("", _OVERRIDE.sub("", _TAG.sub("", text)))))


def visible_styled_lines(text: str) -> tuple[str, ...]:
    """The lines of an Advanced SubStation event; anything in braces is a code, and drawings are not text."""
    text = _BLOCK.sub("", _DRAWING.sub("", text))
    return plain_lines(text.replace(r"\N", "\n").replace(r"\n", "\n").replace(r"\h", " "))


def plain_lines(text: str) -> tuple[str, ...]:
    """The lines of a text without markup that are not empty."""
    return tuple(filter(None, map(normalise, clean_text(text).split("\n"))))


def ordered_cues(source: Source, cues: Iterable[Cue]) -> list[Cue]:
    """The cues with text, ordered by start; what is wrong with them is counted."""
    all_cues = list(cues)
    kept = []
    for cue in (cue for cue in all_cues if cue.lines):
        if cue.end == cue.start:
            source.mark("a cue of no length")
        elif cue.end < cue.start:
            source.mark("a cue that ends before it starts, read as of no length")
        kept.append(replace(cue, end=max(cue.start, cue.end)))
    ordered = sorted(kept, key=lambda cue: cue.start)
    source.mark("a cue without text, left out", len(all_cues) - len(kept))
    moved = sum(second.start < first.start for first, second in pairwise(kept))
    source.mark("a cue that starts before the one above it, moved", moved)
    overlaps = sum(second.start < first.end for first, second in pairwise(ordered))
    source.mark("a cue that starts before the last one ends", overlaps)
    source.mark("the same cue twice", len(kept) - len({(cue.start, cue.end, cue.lines) for cue in kept}))
    source.mark("a cue before time 0", sum(cue.start < 0 for cue in kept))
    return ordered


def text_and_times(cues: list[Cue]) -> tuple[str, list[list[int]]]:
    """The text of the document, and ``[line, start, end]`` of each cue."""
    lines: list[str] = []
    times: list[list[int]] = []
    for cue in cues:
        times.append([len(lines), cue.start, cue.end])
        lines.extend(cue.lines)
    return "\n".join(lines), times
