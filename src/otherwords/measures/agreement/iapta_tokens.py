"""Phenomena in tokens, which is what IAPTA compares.

The scopes of phenomena are code points; here every scope becomes a set of tokens. A set is the bits of one whole
number, so that intersection and counting are one step each, however long the text is. A token belongs to a scope that
touches it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from typing import NamedTuple

from otherwords.records import Phenomenon
from otherwords.text.packs import pack
from otherwords.text.tokenise import locate_tokens


class TokenisedText(NamedTuple):
    """A tokenised text: where its tokens begin and end, and its length, all in code points."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    length: int


TokenisedPair = tuple[TokenisedText, TokenisedText]


class MarkedTokens(NamedTuple):
    """A phenomenon whose scopes and keys are sets of tokens."""

    type: str
    scope1: int
    scope2: int
    projection: str | None
    key1: int
    key2: int


def tokenise_text(text: str, lang: str | None = None, tokeniser: str | None = None) -> TokenisedText:
    """Tokenise a text by this tokeniser, or by the one of its language."""
    places = locate_tokens(text, tokeniser or pack(lang).tokeniser)
    return TokenisedText(tuple(start for start, _ in places), tuple(end for _, end in places), len(text))


def mark_tokens(phenomenon: Phenomenon, cuts: TokenisedPair, types: Collection[str] | None = None) -> MarkedTokens:
    """The phenomenon in tokens; a ValueError says why it cannot be compared. Without ``types`` any type is known."""
    if types is not None and phenomenon.type not in types:
        raise ValueError(f"the type {phenomenon.type} is unknown")
    first, second = cuts
    scope1, scope2 = _tokens(phenomenon.scope1, first, "scope"), _tokens(phenomenon.scope2, second, "scope")
    if not scope1 and not scope2:
        raise ValueError("the scope is empty")
    key1 = _tokens(phenomenon.key1, first, "key") if phenomenon.key1 else 0
    key2 = _tokens(phenomenon.key2, second, "key") if phenomenon.key2 else 0
    return MarkedTokens(phenomenon.type, scope1, scope2, phenomenon.projection, key1, key2)


def _tokens(ranges: Sequence[Sequence[int]], text: TokenisedText, noun: str) -> int:
    """The tokens that ranges touch, as bits."""
    covered = 0
    for start, end in ranges:
        if start < 0 or end > text.length:
            raise ValueError(f"the {noun} reaches beyond the text")
        if start >= end:
            raise ValueError(f"a part of the {noun} is empty")
        first, last = bisect_right(text.ends, start), bisect_left(text.starts, end)
        covered |= (1 << last) - (1 << first)
    return covered
