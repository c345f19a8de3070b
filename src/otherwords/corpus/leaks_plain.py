"""Texts without case and punctuation, so that copies are found that differ in nothing else.

Invisible junk and apostrophes go (don't, dont), every other punctuation mark counts as a blank, runs of blanks are
one, case is folded, and letters are one with their marks (NFC). Symbols, digits and marks of any script stay. A text
of punctuation alone keeps it: an exclamation mark is no copy of a question mark.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray

from otherwords.text.normalise import normalise

Digests = NDArray[np.uint64]
APOSTROPHES = "'’‘ʼ＇`´"
JUNK = "\ufeff\u200b\u2060\u00ad"  # as normalise has it
MARKS_ALONE = "Sk"  # ^ ¨ ¯


class _Signs(dict[int, str | None]):
    """What becomes of each character; looked up in Unicode when it is first met."""

    def __missing__(self, point: int) -> str | None:
        kind = category(chr(point))
        kept: str | None = (
            None if chr(point) in APOSTROPHES + JUNK else " " if kind[0] == "P" or kind == MARKS_ALONE else chr(point)
        )
        self[point] = kept
        return kept


_signs = _Signs()


def plain(text: str) -> str:
    """The text without what copies may differ in."""
    words = normalize("NFC", text.translate(_signs).casefold()).split()
    return " ".join(words) or normalise(text).casefold()


def digests(texts: Iterable[str]) -> Digests:
    """64 bits a text; among ten million texts the chance that any two meet is 3 in a million."""
    told = b"".join(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts)
    return np.frombuffer(told, np.uint64)
