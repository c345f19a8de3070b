"""Where a passage may begin and end: inside its document, without blanks at its edges, never inside a character.

What a reader takes for one character can be many code points: a letter with its accents, a flag, a family of emoji.
An edge inside such a cluster is moved outwards. The rules are those of Unicode's annex 29 except for the conjuncts of
Indic scripts (GB9c), which a person may well want to cut.
"""

from __future__ import annotations

import re
from unicodedata import category

from otherwords.errors import Refused

Span = tuple[int, int]

_JOINER = "\u200d"
# Not marks by category, but part of the character before: non-joiner, skin tones, tags of flags, kana voice marks.
_EXTENDING = re.compile("[\u200c\u200d\uff9e\uff9f\u0e33\u0eb3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_PREPENDING = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd]")
_REGIONAL = re.compile("[\U0001f1e6-\U0001f1ff]")
_PICTOGRAPH = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff\U0001fc00-\U0001fffd]"
)
# Hangul letters by what may follow them in a syllable: leading, vowel and trailing ones, and whole syllables.
_LEADING, _VOWEL, _TRAILING = "\u1100-\u115f\ua960-\ua97c", "\u1160-\u11a7\ud7b0-\ud7c6", "\u11a8-\u11ff\ud7cb-\ud7fb"
_SYLLABLE = re.compile(
    f"[{_LEADING}][{_LEADING}{_VOWEL}\uac00-\ud7a3]|[{_VOWEL}\uac00-\ud7a3][{_VOWEL}{_TRAILING}]|[{_TRAILING}][{_TRAILING}]"
)
_OPEN_SYLLABLES = 28  # every 28th syllable has no trailing letter, and may be followed by a vowel


def check_span(text: str, span: Span, within: Span) -> Span:
    """The span as it may be stored; a span outside the text or without words is refused."""
    start, end = span
    first, last = within
    if not 0 <= start < end <= len(text):
        raise Refused(f"{start}–{end} is not a range of {len(text):,} characters; select it again", code="bad-range")
    if start < first or end > last:
        raise Refused(f"{start}–{end} is outside the part {first}–{last}; select inside it", code="outside-part")
    selected = text[start:end]
    start, end = start + len(selected) - len(selected.lstrip()), end - len(selected) + len(selected.rstrip())
    while start > first and inside_cluster(text, start):
        start -= 1
    while end < last and inside_cluster(text, end):
        end += 1
    if all(char.isspace() or category(char) in ("Cc", "Cf") for char in text[start:end]):
        raise Refused("the selection is empty; select some words", code="empty-selection")
    return start, end


def inside_cluster(text: str, place: int) -> bool:
    """Whether a cut at this place would go through one character as readers see it."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before == "\r" and after == "\n":
        return True
    if _is_control(before) or _is_control(after):
        return False
    if _extends(after) or _PREPENDING.match(before):
        return True
    if before == _JOINER and _PICTOGRAPH.match(after):
        first = place - 2
        while first > 0 and _extends(text[first]) and text[first] != _JOINER:
            first -= 1
        return first >= 0 and _PICTOGRAPH.match(text[first]) is not None
    if _REGIONAL.match(before) and _REGIONAL.match(after):  # two of them make a flag
        first = place
        while first > 0 and _REGIONAL.match(text[first - 1]):
            first -= 1
        return (place - first) % 2 == 1
    if not _SYLLABLE.match(before + after):
        return False
    closed = "\uac00" <= before <= "\ud7a3" and (ord(before) - 0xAC00) % _OPEN_SYLLABLES
    return not closed or re.match(f"[{_TRAILING}]", after) is not None


def _is_control(char: str) -> bool:
    if category(char) == "Cf":
        return not _EXTENDING.match(char) and not _PREPENDING.match(char)
    return category(char) in ("Cc", "Zl", "Zp")


def _extends(char: str) -> bool:
    return category(char) in ("Mn", "Mc", "Me") or _EXTENDING.match(char) is not None
