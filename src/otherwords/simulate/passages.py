"""Passages of two documents that somebody might extract as a pair.

Sentences, or the lines of subtitles that belong together, are paired by their similarity, the most alike first. What is
verbatim is no paraphrase, and what has nothing in common none either. People do not keep to sentences: sometimes the
next one belongs to it, sometimes only a part is meant. Offsets are code points of the documents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from otherwords.annotate.side_by_side import Side, SideBySide
from otherwords.simulate.chance import draw
from otherwords.simulate.seen import similarities
from otherwords.text.packs import pack

LEAST, MOST = 0.15, 0.9  # similarity of what is extracted
LEAST_ANYWHERE = 0.3  # … where nothing but that says that two sentences belong together
AWAY = 0.2  # what a place at the other end of the document costs
KEPT = 0.7  # of the candidates; nobody finds all
WITH_NEXT, PART = 0.12, 0.12
FEWEST = 12  # characters of a part
MOST_SENTENCES = 150
_PART_ENDS = re.compile(r"[,;:،、；：—–]\s*")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """Two passages."""

    one: Span
    two: Span


def passages(documents: SideBySide, seed: int) -> list[Found]:
    """What somebody extracts from a document pair, in the order of the first document."""
    if documents.lines is not None:
        pairs = [Found((start1, end1), (start2, end2)) for start1, end1, start2, end2 in documents.lines]
        candidates = _best(documents, pairs, LEAST, [1.0] * len(pairs))
    else:
        candidates = _aligned(documents)
    told = []
    for place, one in enumerate(candidates):
        names = (seed, documents.one.text[slice(*one.one)], documents.two.text[slice(*one.two)])
        if draw("kept", *names) < KEPT:
            following = candidates[place + 1] if place + 1 < len(candidates) else None
            told.append(_shaped(documents, one, following, *names))
    taken = [Found((one.start1, one.end1), (one.start2, one.end2)) for one in documents.pairs]
    return [one for one in _apart(told) if not any(_share(one, other) for other in taken)]


def _aligned(documents: SideBySide) -> list[Found]:
    """Sentences that are alike and not far from each other."""
    part = documents.part
    ones = _sentences(documents.one, part.start1, part.end1)
    twos = _sentences(documents.two, part.start2, part.end2)
    pairs = [Found(one, two) for one in ones for two in twos]
    near = [
        1 - AWAY * abs(place1 / len(ones) - place2 / len(twos))
        for place1 in range(len(ones))
        for place2 in range(len(twos))
    ]
    return _best(documents, pairs, LEAST_ANYWHERE, near)


def _sentences(side: Side, start: int, end: int) -> list[Span]:
    found = pack(side.lang).sentences(side.text[start:end], lines=True)
    return [(start + one, start + two) for one, two in found[:MOST_SENTENCES]]


def _best(documents: SideBySide, pairs: list[Found], least: float, near: list[float]) -> list[Found]:
    """The most alike pairs within the band, each passage once, in the order of the first document."""
    if not pairs:
        return []
    texts1 = [documents.one.text[slice(*pair.one)] for pair in pairs]
    texts2 = [documents.two.text[slice(*pair.two)] for pair in pairs]
    scores = similarities(texts1, texts2)
    order = sorted(range(len(pairs)), key=lambda place: (-scores[place] * near[place], place))
    used: set[tuple[int, Span]] = set()
    told = []
    for place in order:
        one = pairs[place]
        sides = {(1, one.one), (2, one.two)}
        if scores[place] < LEAST or sides & used:
            continue
        used |= sides
        if least <= scores[place] <= MOST:  # what is verbatim keeps its place, so that nothing else is paired with it
            told.append(one)
    return sorted(told, key=lambda one: (one.one, one.two))


def _shaped(documents: SideBySide, one: Found, following: Found | None, *names: object) -> Found:
    """A pair of passages as somebody would select it: whole, with the next, or a part."""
    drawn = draw("shape", *names)
    if following is not None and drawn < WITH_NEXT and _next(documents, one, following):
        return Found((one.one[0], following.one[1]), (one.two[0], following.two[1]))
    if drawn >= 1 - PART:
        return Found(_part(documents.one.text, one.one), _part(documents.two.text, one.two))
    return one


def _next(documents: SideBySide, one: Found, following: Found) -> bool:
    """Whether nothing stands between two pairs of passages in either document."""
    between1 = documents.one.text[one.one[1] : following.one[0]]
    between2 = documents.two.text[one.two[1] : following.two[0]]
    in_order = following.one[0] >= one.one[1] and following.two[0] >= one.two[1]
    return in_order and not between1.strip() and not between2.strip()


def _part(text: str, span: Span) -> Span:
    """The stretch before the first comma or the like, if that is not too short."""
    start, end = span
    stop = next((mark.start() for mark in _PART_ENDS.finditer(text, start, end) if mark.start() - start >= FEWEST), end)
    return start, stop


def _apart(found: list[Found]) -> list[Found]:
    """Those that have nothing in common with one before."""
    told: list[Found] = []
    for one in found:
        if not any(_share(one, other) for other in told):
            told.append(one)
    return told


def _share(one: Found, other: Found) -> bool:
    return all(
        first[0] < second[1] and second[0] < first[1] for first, second in ((one.one, other.one), (one.two, other.two))
    )
