"""Where two texts differ, word by word, for a page that marks it.

In go two texts, out come both as pieces, each with whether the other text has it in the same place. Words are those of
the tokeniser ``words``, compared without regard to case; what stands between two marked words is marked with them, so
that a changed phrase is one mark. Texts without blanks between words differ by characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from otherwords.text.tokenise import NativeTokeniser, words

LONGEST = 4000  # characters; what is longer is shown without marks, since nobody would see them


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text."""

    text: str
    differs: bool


def differences(text1: str, text2: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces; joined together, the pieces are the texts."""
    if max(len(text1), len(text2)) > LONGEST:
        return [Piece(text1, False)], [Piece(text2, False)]
    spans1, spans2 = _spans(text1), _spans(text2)
    matcher = SequenceMatcher(None, _words(text1, spans1), _words(text2, spans2), autojunk=False)
    same = matcher.get_matching_blocks()
    kept1 = {place for block in same for place in range(block.a, block.a + block.size)}
    kept2 = {place for block in same for place in range(block.b, block.b + block.size)}
    return _pieces(text1, spans1, kept1), _pieces(text2, spans2, kept2)


def _words(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end].casefold() for start, end in spans]


def _spans(text: str) -> list[tuple[int, int]]:
    return _tokeniser().spans(text)


@cache
def _tokeniser() -> NativeTokeniser:
    found = words()
    assert isinstance(found, NativeTokeniser)
    return found


def _pieces(text: str, spans: list[tuple[int, int]], kept: set[int]) -> list[Piece]:
    marked = _joined([span for place, span in enumerate(spans) if place not in kept], spans)
    return [Piece(text[start:end], differs) for start, end, differs in _cut(len(text), marked) if start < end]


def _joined(changed: list[tuple[int, int]], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Changed words that follow each other, as one stretch."""
    places = {span: place for place, span in enumerate(spans)}
    joined: list[tuple[int, int]] = []
    before = -2
    for span in changed:
        if places[span] == before + 1:
            joined[-1] = (joined[-1][0], span[1])
        else:
            joined.append(span)
        before = places[span]
    return joined


def _cut(length: int, marked: list[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    last = 0
    for start, end in marked:
        yield last, start, False
        yield start, end, True
        last = end
    yield last, length, False
