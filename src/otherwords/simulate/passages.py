"""Passages of two documents that an annotator might extract as a pair.

Sentences, or the lines of subtitles that belong together, are paired by their similarity, the most similar first.
Verbatim copies are not paraphrases, and neither are passages with nothing in common. People are not bound to sentences:
sometimes they include the next one, sometimes they select a part. Offsets are code points of the documents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from otherwords.annotate.documents.side_by_side import DocumentSide, SideBySide
from otherwords.simulate.chance import draw
from otherwords.simulate.visible_texts import similarities
from otherwords.text.packs import pack

LEAST, MOST = 0.15, 0.9  # similarity of what is extracted
LEAST_ANYWHERE = 0.3  # … if nothing else says that two sentences belong together
DISTANCE_COST = 0.2  # the cost of a place at the other end of the document
KEPT = 0.7  # share of the candidates; nobody finds all
WITH_NEXT, PART = 0.12, 0.12
FEWEST = 12  # characters of a part
MOST_SENTENCES = 150
_PART_ENDS = re.compile(r"[,;:،、；：—–]\s*")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PassagePair:
    """A passage of each document."""

    span1: Span
    span2: Span


def extract_passages(documents: SideBySide, seed: int) -> list[PassagePair]:
    """What an annotator extracts from a document pair, in the order of the first document."""
    if documents.lines is not None:
        pairs = [PassagePair((start1, end1), (start2, end2)) for start1, end1, start2, end2 in documents.lines]
        candidates = _best(documents, pairs, LEAST, [1.0] * len(pairs))
    else:
        candidates = _similar_sentences(documents)
    selected: list[PassagePair] = []
    for place, pair in enumerate(candidates):
        names = (seed, documents.one.text[slice(*pair.span1)], documents.two.text[slice(*pair.span2)])
        if draw("kept", *names) < KEPT:
            following = candidates[place + 1] if place + 1 < len(candidates) else None
            passages = _select(documents, pair, following, *names)
            if not any(_overlap(passages, other) for other in selected):
                selected.append(passages)
    known = [PassagePair((pair.start1, pair.end1), (pair.start2, pair.end2)) for pair in documents.pairs]
    return [pair for pair in selected if not any(_overlap(pair, other) for other in known)]


def _similar_sentences(documents: SideBySide) -> list[PassagePair]:
    """Pairs of sentences that are similar and not far from each other."""
    part = documents.part
    sentences1 = _sentences(documents.one, part.start1, part.end1)
    sentences2 = _sentences(documents.two, part.start2, part.end2)
    pairs = [PassagePair(span1, span2) for span1 in sentences1 for span2 in sentences2]
    near = [
        1 - DISTANCE_COST * abs(place1 / len(sentences1) - place2 / len(sentences2))
        for place1 in range(len(sentences1))
        for place2 in range(len(sentences2))
    ]
    return _best(documents, pairs, LEAST_ANYWHERE, near)


def _sentences(side: DocumentSide, start: int, end: int) -> list[Span]:
    spans = pack(side.lang).sentences(side.text[start:end], lines=True)
    return [(start + first, start + last) for first, last in spans[:MOST_SENTENCES]]


def _best(documents: SideBySide, pairs: list[PassagePair], least: float, near: list[float]) -> list[PassagePair]:
    """The most similar pairs within the band, each passage once, in the order of the first document."""
    if not pairs:
        return []
    texts1 = [documents.one.text[slice(*pair.span1)] for pair in pairs]
    texts2 = [documents.two.text[slice(*pair.span2)] for pair in pairs]
    scores = similarities(texts1, texts2)
    order = sorted(range(len(pairs)), key=lambda place: (-scores[place] * near[place], place))
    used: set[tuple[int, Span]] = set()
    best = []
    for place in order:
        pair = pairs[place]
        sides = {(1, pair.span1), (2, pair.span2)}
        if scores[place] < LEAST or sides & used:
            continue
        used |= sides
        if least <= scores[place] <= MOST:  # verbatim passages are used up, so that nothing else is paired with them
            best.append(pair)
    return sorted(best, key=lambda pair: (pair.span1, pair.span2))


def _select(documents: SideBySide, pair: PassagePair, following: PassagePair | None, *names: object) -> PassagePair:
    """A pair of passages as an annotator would select it: whole, with the next, or a part."""
    drawn = draw("shape", *names)
    if following is not None and drawn < WITH_NEXT:
        between1 = documents.one.text[pair.span1[1] : following.span1[0]]
        between2 = documents.two.text[pair.span2[1] : following.span2[0]]
        in_order = following.span1[0] >= pair.span1[1] and following.span2[0] >= pair.span2[1]
        if in_order and not between1.strip() and not between2.strip():
            return PassagePair((pair.span1[0], following.span1[1]), (pair.span2[0], following.span2[1]))
    if drawn >= 1 - PART:
        return PassagePair(_part(documents.one.text, pair.span1), _part(documents.two.text, pair.span2))
    return pair


def _part(text: str, span: Span) -> Span:
    """The stretch before the first comma or similar mark, if that is not too short."""
    start, end = span
    stop = next((mark.start() for mark in _PART_ENDS.finditer(text, start, end) if mark.start() - start >= FEWEST), end)
    return start, stop


def _overlap(pair: PassagePair, other: PassagePair) -> bool:
    sides = ((pair.span1, other.span1), (pair.span2, other.span2))
    return all(span[0] < second[1] and second[0] < span[1] for span, second in sides)
