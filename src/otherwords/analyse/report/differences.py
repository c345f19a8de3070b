"""Differences between two texts, word by word, so that a page can mark them.

Words are those of the tokeniser ``words``, compared regardless of case; in scripts without spaces, characters are
compared. The text between two adjacent marked words is marked with them, so that a changed phrase is a single mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from otherwords.text.tokenise import NativeTokeniser, words

LONGEST = 4000  # characters; longer texts are shown without marks, which nobody would see
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a text, and whether it differs from the other text."""

    text: str
    differs: bool


def differences(text1: str, text2: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, which joined together are the texts."""
    if max(len(text1), len(text2)) > LONGEST:
        return [Piece(text1, False)], [Piece(text2, False)]
    spans1, spans2 = _tokeniser().spans(text1), _tokeniser().spans(text2)
    words1 = [text1[start:end].casefold() for start, end in spans1]
    words2 = [text2[start:end].casefold() for start, end in spans2]
    blocks = SequenceMatcher(None, words1, words2, autojunk=False).get_matching_blocks()
    same1 = {index for block in blocks for index in range(block.a, block.a + block.size)}
    same2 = {index for block in blocks for index in range(block.b, block.b + block.size)}
    return _pieces(text1, spans1, same1), _pieces(text2, spans2, same2)


@cache
def _tokeniser() -> NativeTokeniser:
    tokeniser = words()
    assert isinstance(tokeniser, NativeTokeniser)
    return tokeniser


def _pieces(text: str, spans: list[Span], same: set[int]) -> list[Piece]:
    """A text in pieces; adjacent changed words are a single one."""
    changed: list[Span] = []
    for index, (start, end) in enumerate(spans):
        if index in same:
            continue
        if changed and index - 1 not in same:
            changed[-1] = (changed[-1][0], end)
        else:
            changed.append((start, end))
    pieces, last_end = [], 0
    for start, end in changed:
        pieces += [Piece(text[last_end:start], False), Piece(text[start:end], True)]
        last_end = end
    pieces.append(Piece(text[last_end:], False))
    return [piece for piece in pieces if piece.text]
