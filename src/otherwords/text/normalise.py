"""One form for each text, so that equal texts compare equal.

In goes any string, out comes NFC with every run of white space as one blank, the ends trimmed and
invisible junk gone. What carries meaning stays: case, punctuation, the joiners of Persian, Indic
scripts and emoji, bidirectional marks. Quotes and line breaks are touched or kept on request.
"""

from __future__ import annotations

import re
from unicodedata import normalize

# Byte order mark, zero-width space, word joiner, soft hyphen: invisible, and left behind by
# conversions. Zero-width (non-)joiners are spelling and stay.
_JUNK = re.compile("[\ufeff\u200b\u2060\u00ad]")
_SPACE = re.compile(r"\s+")
_LINE_BREAK = re.compile("[\n\r\v\f\x85\u2028\u2029]")
_STRAIGHT = str.maketrans(dict.fromkeys("“”„‟«»〝〞〟＂", '"') | dict.fromkeys("‘’‚‛‹›＇", "'"))


def normalise(text: str, *, straight_quotes: bool = False, keep_lines: bool = False) -> str:
    """The text in its one form.

    ``straight_quotes`` turns curly, low and angle quotes into ``"`` and ``'``; ``keep_lines`` turns a
    run of white space that holds a line break into one line break instead of a blank.
    """
    # Junk first: it can stand between a letter and its mark, which NFC must then join.
    text = normalize("NFC", _JUNK.sub("", text))
    if straight_quotes:
        text = text.translate(_STRAIGHT)
    text = _SPACE.sub(_blank_or_break, text) if keep_lines else _SPACE.sub(" ", text)
    return text.strip()


def _blank_or_break(run: re.Match[str]) -> str:
    return "\n" if _LINE_BREAK.search(run[0]) else " "
