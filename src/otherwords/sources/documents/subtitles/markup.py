"""What is not text in the lines of a cue: tags, codes and entities.

In go the raw lines of a cue, out come its lines as they are read on the screen. Only markup goes:
dashes of speakers, music notes and what is written for the hard of hearing are words of the version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from otherwords.sources.documents.html_bodies import resolved
from otherwords.sources.documents.table_rows import clean
from otherwords.text.normalise import normalise

_BREAK = re.compile(r"<\s*+br\s*+/?\s*+>", re.IGNORECASE)
# Tags of SubRip and WebVTT, and the time stamps inside a line of karaoke; <Laughs> is no tag.
_TAG = re.compile(
    r"<\s*+/?\s*+(?:i|b|u|s|em|strong|font|span|c|v|ruby|rt|lang|p|div|small|big|sub|sup|center)(?:[\s.=/][^<>]*+)?+>"
    r"|<(?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3}>",
    re.IGNORECASE,
)
_OVERRIDE = re.compile(r"\{\\[^{}]*\}")  # {\an8}, {\i1}: codes of Advanced SubStation that stray into other formats
_MICRODVD_CODE = re.compile(r"\{[a-z]:[^{}]*\}", re.IGNORECASE)  # {y:i}, {c:$0000ff}
_BLOCK = re.compile(r"\{[^{}]*\}")
_DRAWING = re.compile(r"\{[^{}]{0,500}\\p[1-9][^{}]{0,500}\}.*?(?=\{[^{}]{0,500}\\p0|\Z)", re.DOTALL)


def shown(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines of a SubRip, WebVTT or MicroDVD cue without markup and without those that are empty."""
    text = _BREAK.sub("\n", "\n".join(lines))
    return _lines(resolved(_MICRODVD_CODE.sub("", _OVERRIDE.sub("", _TAG.sub("", text)))))


def shown_styled(text: str) -> tuple[str, ...]:
    """The lines of an Advanced SubStation event: all braces are codes, and a drawing is no text."""
    text = _BLOCK.sub("", _DRAWING.sub("", text))
    return _lines(text.replace(r"\N", "\n").replace(r"\n", "\n").replace(r"\h", " "))


def plain(text: str) -> tuple[str, ...]:
    """The lines of a text that has no markup."""
    return _lines(text)


def _lines(text: str) -> tuple[str, ...]:
    lines = (normalise(line) for line in clean(text).split("\n"))
    return tuple(line for line in lines if line)
