"""Texts without case and punctuation, to find copies that differ in nothing else.

Invisible characters and apostrophes are removed (don't, dont), every other punctuation mark counts as a blank, runs of
blanks are one, case is folded, and letters are composed with their marks (NFC). Symbols, digits and marks of any script
stay. A text of punctuation alone keeps it: an exclamation mark is no copy of a question mark.
"""

from __future__ import annotations

from unicodedata import category, normalize

from otherwords.text.normalise import normalise

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


def dropped(char: str) -> bool:
    """Whether a character does not count in a copy."""
    return _characters[ord(char)] in (None, " ")
