"""Cues: what stands on the screen from one moment to another.

In go the cues of a file as its format tells them, out come the text of the document, a line of a cue a
line, and for each cue its first line and its times, in the order of the screen. Nothing that a file can
get wrong about its times loses a word: it is set right where that can be done, and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from otherwords.sources.source import Source

CLOCK = r"-?\d{1,3}:\d{1,2}(?::\d{1,2})?(?:[,.:]\d{1,6})?"
_CLOCK = re.compile(r"(-?)(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,6}))?")
_CLOCK_OF_COLONS = re.compile(r"(-?)(\d{1,3}):(\d{1,2}):(\d{1,2}):(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Cue:
    """Lines of text without markup, from ``start`` to ``end`` in milliseconds; ``place`` is its line in the file."""

    start: int
    end: int
    lines: tuple[str, ...]
    place: int


def milliseconds(clock: str) -> int | None:
    """The time that ``1:02:03,5`` and its kin tell; None if it is none of them."""
    found = _CLOCK_OF_COLONS.fullmatch(clock) or _CLOCK.fullmatch(clock)
    if found is None:
        return None
    sign, hours, minutes, seconds, fraction = found.groups()
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    time = whole * 1000 + int((fraction or "").ljust(3, "0")[:3])
    return -time if sign else time


def in_order(source: Source, cues: Iterable[Cue]) -> list[Cue]:
    """The cues that have text, by the time at which they start; what was wrong with them is counted."""
    told = list(cues)
    kept = [_set_right(source, cue) for cue in told if cue.lines]
    ordered = sorted(kept, key=lambda cue: cue.start)
    _count(source, "a cue without text, left out", len(told) - len(kept))
    _count(source, "a cue that starts before the one above it, moved", _moved(kept))
    pairs = list(pairwise(ordered))
    _count(source, "a cue that starts before the last one ends", sum(two.start < one.end for one, two in pairs))
    _count(source, "the same cue twice", len(kept) - len({(cue.start, cue.end, cue.lines) for cue in kept}))
    _count(source, "a cue before time 0", sum(cue.start < 0 for cue in kept))
    return ordered


def _moved(cues: list[Cue]) -> int:
    return sum(two.start < one.start for one, two in pairwise(cues))


def _set_right(source: Source, cue: Cue) -> Cue:
    if cue.end > cue.start:
        return cue
    if cue.end == cue.start:
        source.mark("a cue of no length")
        return cue
    source.mark("a cue that ends before it starts, read as of no length")
    return Cue(cue.start, cue.start, cue.lines, cue.place)


def _count(source: Source, reason: str, number: int) -> None:
    if number:
        source.account.marked[reason] += number


def text_and_times(cues: list[Cue]) -> tuple[str, list[list[int]]]:
    """The text of the document, and ``[line, start, end]`` of each cue."""
    lines: list[str] = []
    times: list[list[int]] = []
    for cue in cues:
        times.append([len(lines), cue.start, cue.end])
        lines.extend(cue.lines)
    return "\n".join(lines), times
