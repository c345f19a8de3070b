"""Texts without case and punctuation, to find copies that differ in nothing else.

Invisible characters and apostrophes are removed (don't, dont), every other punctuation mark counts as a blank, runs of
blanks are one, case is folded, and letters are composed with their marks (NFC). Symbols, digits and marks of any script
stay. A text of punctuation alone keeps it: an exclamation mark is no copy of a question mark.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray

from otherwords.digests import digest_bytes
from otherwords.text.normalise import normalise

Digests = NDArray[np.uint64]
APOSTROPHES = "'’‘ʼ＇`´"
JUNK = "\ufeff\u200b\u2060\u00ad"  # as normalise has it
MARKS_ALONE = "Sk"  # ^ ¨ ¯


class _Characters(dict[int, str | None]):
    """A translation table that looks characters up in Unicode when they first occur."""

    def __missing__(self, point: int) -> str | None:
        kind = category(chr(point))
        replacement: str | None = (
            None if chr(point) in APOSTROPHES + JUNK else " " if kind[0] == "P" or kind == MARKS_ALONE else chr(point)
        )
        self[point] = replacement
        return replacement


_characters = _Characters()


def plain(text: str) -> str:
    """The text without what copies may differ in."""
    words = normalize("NFC", text.translate(_characters).casefold()).split()
    return " ".join(words) or normalise(text).casefold()


def digests(texts: Iterable[str]) -> Digests:
    """64 bits per text; the chance that any two of ten million texts collide is 3 in a million."""
    return np.frombuffer(b"".join(map(digest_bytes, texts)), np.uint64)
