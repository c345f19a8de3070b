"""Sentences of a post without what its platform adds, with their places in the post.

What is removed is not cut out but covered, character by character, so that the covered post is as long as the
original and every offset in it is an offset in the original. Sentences are found in the covered post; only then are
the covers dropped (MultiPIT §2.1 and appendix B).

Covered are addresses, user names, the signs of a repost (``RT @name:``), hashtags at the end of a line, emoji and
most symbols. A hashtag inside a sentence is one of its words and loses only its sign. Character references
(``&amp;``) become their character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape

from otherwords.sources.documents.posts.fields import ADDRESS, CUT_ADDRESS, HASHTAG, USER_NAME, may_hold_address
from otherwords.text import Pack
from otherwords.text.normalise import normalise

BLANK = "\x1f"  # white space to all our rules, yet in no text: marks where something was
GONE = "\u2060"  # invisible and not white space; normalise() removes it

_NAME = USER_NAME.pattern
_REPOST = re.compile(rf"(?<!\w)(?:RT|MT|QT)[\s:]*{_NAME}\s*:?|\A\s*RT\b:?|(?<!\w)(?:[Vv]ia|[Hh]/[Tt]|cc)\s+{_NAME}")
_POSSESSED = re.compile(rf"{_NAME}(?:['’]s\b)?")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")
_LINE_END = re.compile(r"[^\S\n]*(?:\n|\Z)")
_CLOSING = r"[.,;:!?…،؛؟。、！？)\]}]"
_BEFORE_CLOSING = re.compile(rf"\s*{BLANK}\s*(?={_CLOSING}(?!\s+{_CLOSING}))")  # a row of lone marks ends no sentence
_EMPTY_BRACKETS = re.compile(rf"\(\s*{BLANK}\s*\)|\[\s*{BLANK}\s*\]|（\s*{BLANK}\s*）")
_LEFT_AT_START = re.compile(r"(?:[\s,;:!?)\]}،؛、。|…]|\.(?!\d)|[-–—](?=\s))+")
_LEFT_AT_END = "-–—|:(["

KEPT = frozenset("+<=>~±×÷−⁄°№℃℉℅`´＋＜＝＞～￤")
EAST_ASIAN_ABBREVIATIONS = range(0x3200, 0x3400)
EAST_ASIAN_EMOJI = frozenset("㊗㊙")
LETTERS_AS_EMOJI = frozenset("ℹ")
EMOJI_BLOCKS = range(0x1F000, 0x1FB00)  # also what Python's own Unicode version does not know yet
_LAST = 0x20000  # beyond it there are letters, and what the next lines list
_SYMBOLS = frozenset({"So", "Sk", "Sm", "Co"})
_HELD_TOGETHER = "\ufe0e\ufe0f\u20e3\U000e0020-\U000e007f"
_PRIVATE = "\U000f0000-\U0010ffff"
_CONTROLS = "\x00-\x08\x0e-\x1e\x7f-\x84\x86-\x9f"
IN_ASCII = re.compile(r"[|^\x00-\x08\x0e-\x1e\x7f]+")  # the ASCII part of it, for speed


@dataclass(frozen=True, slots=True)
class CleanSentence:
    """A cleaned sentence and the span of the post that it comes from."""

    start: int
    end: int
    text: str


def clean_sentences(post: str, pack: Pack) -> list[CleanSentence]:
    """The sentences of a post. A line break ends one: posts have no paragraphs of several lines."""
    whole = cover(post)
    sentences = []
    for start, end in pack.sentences(whole, lines=True):
        left = _LEFT_AT_START.match(whole, start, end)
        start = left.end() if left else start
        text = whole[start:end]
        if BLANK in text:  # without covers and the punctuation that belonged to them
            text = _BEFORE_CLOSING.sub("", _EMPTY_BRACKETS.sub(BLANK, text))
        if text := _without_loose_end(normalise(text)):
            sentences.append(CleanSentence(start, end, text))
    return sentences


def cover(post: str) -> str:
    """The post with covers over everything that is not language; as long as the post."""

    def character(match: re.Match[str]) -> str:
        char = unescape(match.group())
        return char + GONE * (len(match.group()) - 1) if len(char) == 1 and char.isprintable() else match.group()

    text = _REFERENCE.sub(character, post) if "&" in post else post
    text = ADDRESS.sub(_cover_match, text) if may_hold_address(text) else text
    text = CUT_ADDRESS.sub(_cover_match, text) if "…" in text else text
    if "@" in text or "＠" in text or "RT" in text:
        text = _POSSESSED.sub(_cover_match, _REPOST.sub(_cover_match, text))
    text = (IN_ASCII if text.isascii() else symbols()).sub(_cover_match, text)
    return _without_hashtags(text) if "#" in text or "＃" in text else text


def _cover_match(match: re.Match[str]) -> str:
    """Covers for a match; a line break inside it stays, because it ends a sentence."""
    return "\n".join(BLANK * len(line) for line in match.group().split("\n"))


def _without_hashtags(text: str) -> str:
    """Cover hashtags at the end of a line, with those right before them; of others only the sign."""
    trailing = text_after = None
    parts: list[str] = []
    end = len(text)
    for tag in reversed(list(HASHTAG.finditer(text))):
        close = text[tag.end() : text_after] if trailing else ""
        trailing = bool(_LINE_END.match(text, tag.end())) or bool(trailing and not close.strip())
        text_after = tag.start()
        sign = BLANK if tag.start() == 0 or text[tag.start() - 1].isspace() else GONE
        kept = BLANK * len(tag.group()) if trailing else sign + tag.group()[1:]
        parts += [text[tag.end() : end], kept]
        end = tag.start()
    return "".join([text[:end], *reversed(parts)])


def _without_loose_end(text: str) -> str:
    """The text without lone dashes, colons or brackets at the end, left over from an address after them."""
    while text and text[-1] in _LEFT_AT_END:
        bare = text.rstrip(_LEFT_AT_END)
        if not bare.endswith(" "):
            break
        text = bare.rstrip()
    return text


@cache
def symbols() -> re.Pattern[str]:
    """Matches a run of characters to remove."""
    ranges = "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in _ranges())
    symbol = f"[{ranges}{_HELD_TOGETHER}{_CONTROLS}{_PRIVATE}]"
    return re.compile(rf"(?:[0-9#*]\ufe0f?\u20e3|{symbol}(?:\u200d+(?={symbol}))?)+\u200d*")


def is_symbol(char: str) -> bool:
    """Whether this character is removed wherever it occurs."""
    if char in KEPT or ord(char) in EAST_ASIAN_ABBREVIATIONS:
        return char in EAST_ASIAN_EMOJI
    category = unicodedata.category(char)
    return category in _SYMBOLS or char in LETTERS_AS_EMOJI or (category == "Cn" and ord(char) in EMOJI_BLOCKS)


def _ranges() -> Iterator[tuple[int, int]]:
    first: int | None = None
    for code in range(_LAST + 1):
        inside = code < _LAST and is_symbol(chr(code))
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None
