"""Convert token numbers to character ranges and back, for texts that are tokenised by blanks.

Numbers count from 0. Adjacent tokens make one range, which includes the blank between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from otherwords.sources.source import Source

_TOKEN = re.compile(r"\S+")
Span = tuple[int, int]


def token_spans(text: str) -> list[Span]:
    """The character range of each token."""
    return [match.span() for match in _TOKEN.finditer(text)]


def char_ranges(numbers: Iterable[int], spans: Sequence[Span]) -> list[list[int]]:
    """The character ranges that the tokens cover; a number outside the text covers nothing."""
    ranges: list[list[int]] = []
    last = None
    for number in sorted(set(numbers).intersection(range(len(spans)))):
        start, end = spans[number]
        if last is not None and number == last + 1:
            ranges[-1][1] = end
        else:
            ranges.append([start, end])
        last = number
    return ranges


def mark_numbers_outside(source: Source, numbers: Iterable[int], spans: Sequence[Span]) -> bool:
    """Whether a token has a number outside the text, as in some released corpora; it is kept and counted."""
    outside = any(not 0 <= number < len(spans) for number in numbers)
    if outside:
        source.mark("a token number outside the text")
    return outside


def token_numbers(ranges: Iterable[Sequence[int]], spans: Sequence[Span]) -> list[int]:
    """The numbers of the tokens that overlap the ranges."""
    known = [(start, end) for start, end in ranges]
    return [number for number, (start, end) in enumerate(spans) if any(start < b and a < end for a, b in known)]
