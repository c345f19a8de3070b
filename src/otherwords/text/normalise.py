"""The forms of a text: normal, so that equal texts compare equal; plain, for copies; and as documents keep it.

The normal form is NFC with every run of white space as one blank, the ends trimmed and invisible leftovers removed.
What carries meaning stays: case, punctuation, the joiners of Persian, Indic scripts and emoji, bidirectional marks.
Quotes are straightened and line breaks kept on request.

The plain form has no case and no punctuation. Invisible characters and apostrophes are removed (don't, dont), every
other punctuation mark counts as a blank, runs of blanks are one, case is folded, and letters are composed with their
marks (NFC). Symbols, digits and marks of any script stay. A text of punctuation alone keeps it: an exclamation mark is
no copy of a question mark.

Documents keep their text in a form that changes as little as possible: NFC, no NUL, and lines that end in a line feed.
"""

from __future__ import annotations

import re
from unicodedata import category, normalize

# Byte order mark, zero-width space, word joiner, soft hyphen: invisible, and left behind by
# conversions. Zero-width (non-)joiners are spelling and stay.
JUNK = "\ufeff\u200b\u2060\u00ad"
_JUNK = re.compile(f"[{JUNK}]")
_SPACE = re.compile(r"\s+")
_LINE_BREAK = re.compile("[\n\r\v\f\x85\u2028\u2029]")
_STRAIGHT = str.maketrans(dict.fromkeys("“”„‟«»〝〞〟＂", '"') | dict.fromkeys("‘’‚‛‹›＇", "'"))
APOSTROPHES = "'’‘ʼ＇`´"
MARKS_ALONE = "Sk"  # ^ ¨ ¯
_LINE_END = re.compile("\r\n?")
_NEXT_LINE = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
_BLANKS_AT_ENDS = re.compile(r"(?<![^\S\n])[^\S\n]++(?=\n|\Z)")


def normalise(text: str, *, straight_quotes: bool = False, keep_lines: bool = False) -> str:
    """The text in its normal form.

    ``straight_quotes`` turns curly, low and angle quotes into ``"`` and ``'``; ``keep_lines`` turns a
    run of white space that contains a line break into one line break instead of a blank.
    """
    if text.isascii() and text.isprintable():  # most of English, in which only blanks are left to do
        return " ".join(text.split())
    # Junk first: it can separate a letter from its mark, which NFC must join.
    text = normalize("NFC", _JUNK.sub("", text))
    if straight_quotes:
        text = text.translate(_STRAIGHT)
    if keep_lines:
        return _SPACE.sub(lambda run: "\n" if _LINE_BREAK.search(run[0]) else " ", text).strip()
    return _SPACE.sub(" ", text).strip()


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


_ASCII = bytes(ord((_characters[point] or chr(point)).lower()) for point in range(128)) + bytes(128)
_ASCII_REMOVED = bytes(point for point in range(128) if _characters[point] is None)


def plain(text: str) -> str:
    """The text without what copies may differ in."""
    if text.isascii():  # the same as below, by bytes
        words = text.encode("ascii").translate(_ASCII, _ASCII_REMOVED).decode("ascii").split()
    else:
        words = normalize("NFC", text.translate(_characters).casefold()).split()
    return " ".join(words) or normalise(text).casefold()


def dropped(char: str) -> bool:
    """Whether a character does not count in a copy."""
    return _characters[ord(char)] in (None, " ")


def document_text(text: str) -> str:
    """The text in that form, otherwise unchanged."""
    return normalize("NFC", _LINE_END.sub("\n", text.replace("\0", "")))


def clean_text(text: str) -> str:
    """The same without control characters and without blanks at the ends of lines."""
    if not text.isprintable():
        text = _CONTROL.sub("", _NEXT_LINE.sub("\n", text.replace("\r\n", "\n")))
        text = _BLANKS_AT_ENDS.sub("", document_text(text))
    return normalize("NFC", text).strip()
