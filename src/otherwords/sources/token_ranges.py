"""Between token numbers and character ranges, for corpora whose texts are cut into tokens by blanks.

Numbers count from 0. Neighbouring tokens make one range, which takes in the blank between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_TOKEN = re.compile(r"\S+")
Span = tuple[int, int]


def token_spans(text: str) -> list[Span]:
    """Where each token of a text lies."""
    return [found.span() for found in _TOKEN.finditer(text)]


def ranges_of(numbers: Iterable[int], spans: Sequence[Span]) -> list[list[int]]:
    """The ranges that these tokens cover; ValueError for a number beyond the text."""
    ranges: list[list[int]] = []
    last = None
    for number in sorted(set(numbers)):
        if not 0 <= number < len(spans):
            raise ValueError(f"token {number} in a text of {len(spans)} tokens")
        start, end = spans[number]
        if last is not None and number == last + 1:
            ranges[-1][1] = end
        else:
            ranges.append([start, end])
        last = number
    return ranges


def numbers_of(ranges: Iterable[Sequence[int]], spans: Sequence[Span]) -> list[int]:
    """The tokens that ranges touch."""
    wanted = [(start, end) for start, end in ranges]
    return [number for number, (start, end) in enumerate(spans) if any(start < b and a < end for a, b in wanted)]
