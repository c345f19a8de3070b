"""The one form in which every document's text is kept: NFC, no NUL, lines that end in a line feed."""

from __future__ import annotations

import re
from unicodedata import normalize

_LINE_END = re.compile("\r\n?")


def plain_text(text: str) -> str:
    """The text in that form; nothing else about it is changed."""
    return normalize("NFC", _LINE_END.sub("\n", text.replace("\0", "")))
