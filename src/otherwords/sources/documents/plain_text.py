"""The form in which documents keep their text: NFC, no NUL, and lines that end in a line feed."""

from __future__ import annotations

import re
from unicodedata import normalize

_LINE_END = re.compile("\r\n?")
_NEXT_LINE = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
_BLANKS_AT_ENDS = re.compile(r"(?<![^\S\n])[^\S\n]++(?=\n|\Z)")


def plain_text(text: str) -> str:
    """The text in that form, otherwise unchanged."""
    return normalize("NFC", _LINE_END.sub("\n", text.replace("\0", "")))


def clean_text(text: str) -> str:
    """The same without control characters and without blanks at the ends of lines."""
    if not text.isprintable():
        text = _CONTROL.sub("", _NEXT_LINE.sub("\n", text.replace("\r\n", "\n")))
        text = _BLANKS_AT_ENDS.sub("", plain_text(text))
    return normalize("NFC", text).strip()
