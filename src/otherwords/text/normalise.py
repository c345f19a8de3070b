"""One form for each text, so that equal texts compare equal.

The form is NFC with every run of white space as one blank, the ends trimmed and invisible leftovers removed. What
carries meaning stays: case, punctuation, the joiners of Persian, Indic scripts and emoji, bidirectional marks. Quotes
are straightened and line breaks kept on request.
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
    """The text in its normal form.

    ``straight_quotes`` turns curly, low and angle quotes into ``"`` and ``'``; ``keep_lines`` turns a
    run of white space that contains a line break into one line break instead of a blank.
    """
    # Junk first: it can separate a letter from its mark, which NFC must join.
    text = normalize("NFC", _JUNK.sub("", text))
    if straight_quotes:
        text = text.translate(_STRAIGHT)
    if keep_lines:
        return _SPACE.sub(lambda run: "\n" if _LINE_BREAK.search(run[0]) else " ", text).strip()
    return _SPACE.sub(" ", text).strip()
