"""Which writing systems a text uses, and which way it runs.

Scripts have their Unicode names (``Latin``, ``Han``, ``Arabic``), from the same fixed tables as the tokeniser
``words``. Blanks, digits and punctuation belong to all scripts (``Common``); scripts without a name here are
``Other``.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

from otherwords import _kernels

COMMON = "Common"
WITHOUT_BLANKS = frozenset({"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"})


def script(char: str) -> str:
    """The script of one character."""
    (name,) = _kernels.script_counts(char)
    return name


def scripts(text: str) -> dict[str, int]:
    """How many characters of each script the text has, ``Common`` included, the most frequent first."""
    counts = _kernels.script_counts(text)
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def direction(text: str) -> Literal["ltr", "rtl"]:
    """Which way the text runs, by its first character with a direction (Unicode Annex 9, rule P2)."""
    for char in text:
        match unicodedata.bidirectional(char):
            case "L":
                return "ltr"
            case "R" | "AL":
                return "rtl"
    return "ltr"


def unsegmented(text: str) -> bool:
    """Whether the text is mostly in scripts that are written without blanks between words."""
    counts = scripts(text)
    without = sum(count for name, count in counts.items() if name in WITHOUT_BLANKS)
    return 2 * without > sum(counts.values()) - counts.get(COMMON, 0)
