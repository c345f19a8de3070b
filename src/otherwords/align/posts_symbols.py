"""Which characters of a post are no part of its language: emoji and most symbols.

"Emojis and most symbols are cleaned while punctuation are kept" (MultiPIT, appendix B). Out go
Unicode's symbols (So, Sk, Sm) with all that holds an emoji together (joiners, variation selectors,
skin tones, flags, keycaps, tags), private characters and controls. What a sentence needs stays:
currency, comparison and arithmetic signs, degrees, quote-like accents, East Asian abbreviations. Joiners
that belong to Persian or Indic spelling stay too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

KEPT = frozenset("+<=>~±×÷−⁄°№℃℉℅`´＋＜＝＞～￤")
EAST_ASIAN_ABBREVIATIONS = range(0x3200, 0x3400)
EAST_ASIAN_EMOJI = frozenset("㊗㊙")
LETTERS_AS_EMOJI = frozenset("ℹ")
EMOJI_BLOCKS = range(0x1F000, 0x1FB00)  # also what Python's own Unicode version does not know yet
_LAST = 0x20000  # beyond it there are letters, and what the next lines name
_SYMBOLS = frozenset({"So", "Sk", "Sm", "Co"})
_HELD_TOGETHER = "\ufe0e\ufe0f\u20e3\U000e0020-\U000e007f"
_PRIVATE = "\U000f0000-\U0010ffff"
_CONTROLS = "\x00-\x08\x0e-\x1e\x7f-\x84\x86-\x9f"
IN_ASCII = re.compile(r"[|^\x00-\x08\x0e-\x1e\x7f]+")  # all of it that is in ASCII, for speed


@cache
def symbols() -> re.Pattern[str]:
    """A run of characters to take out."""
    one = f"[{_symbol_class()}{_HELD_TOGETHER}{_CONTROLS}{_PRIVATE}]"
    return re.compile(rf"(?:[0-9#*]\ufe0f?\u20e3|{one}(?:\u200d+(?={one}))?)+\u200d*")


def is_symbol(char: str) -> bool:
    """Whether this one character goes out wherever it stands."""
    if char in KEPT or ord(char) in EAST_ASIAN_ABBREVIATIONS:
        return char in EAST_ASIAN_EMOJI
    category = unicodedata.category(char)
    return category in _SYMBOLS or char in LETTERS_AS_EMOJI or (category == "Cn" and ord(char) in EMOJI_BLOCKS)


def _symbol_class() -> str:
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in _ranges())


def _ranges() -> Iterator[tuple[int, int]]:
    first: int | None = None
    for code in range(_LAST + 1):
        inside = code < _LAST and is_symbol(chr(code))
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None
