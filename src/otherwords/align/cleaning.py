"""A post without what its platform adds, cut into sentences that still know where they stood.

What goes out is not cut out but covered, character by character, so that the covered post is as long
as the post as written and every offset in it is an offset in the original. Sentences are found in
the covered post; only then are the covers dropped. In goes a post, out come sentences with their
code points in the post (MultiPIT §2.1 and appendix B).

Covered are addresses, user names, the signs of a repost (``RT @name:``), hashtags at the end of a
line, emoji and most symbols. A hashtag inside a sentence is one of its words and loses only its
sign. Character references (``&amp;``) become their character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from otherwords.align.posts_symbols import IN_ASCII, symbols
from otherwords.sources.documents.posts_marks import ADDRESS, CUT_ADDRESS, HASHTAG, USER_NAME, may_hold_address
from otherwords.text import Pack
from otherwords.text.normalise import normalise

BLANK = "\x1f"  # white space to every rule of ours, yet in no text: marks where something was
GONE = "\u2060"  # invisible and not white space; normalise() takes it out

_NAME = USER_NAME.pattern
_REPOST = re.compile(rf"(?<!\w)(?:RT|MT|QT)[\s:]*{_NAME}\s*:?|\A\s*RT\b:?|(?<!\w)(?:[Vv]ia|[Hh]/[Tt]|cc)\s+{_NAME}")
_POSSESSED = re.compile(rf"{_NAME}(?:['’]s\b)?")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")
_LINE_END = re.compile(r"[^\S\n]*(?:\n|\Z)")
_BEFORE_CLOSING = re.compile(rf"\s*{BLANK}\s*(?=[.,;:!?…،؛؟。、！？)\]}}])")
_EMPTY_BRACKETS = re.compile(rf"\(\s*{BLANK}\s*\)|\[\s*{BLANK}\s*\]|（\s*{BLANK}\s*）")
_LEFT_AT_START = re.compile(r"(?:[\s,;:!?)\]}،؛、。|…]|\.(?!\d)|[-–—](?=\s))+")
_LEFT_AT_END = "-–—|:(["


@dataclass(frozen=True, slots=True)
class Sentence:
    """A cleaned sentence and the stretch of the post that it was made from."""

    start: int
    end: int
    text: str


def cleaned_sentences(post: str, pack: Pack) -> list[Sentence]:
    """The sentences of a post. A line break ends one: posts have no paragraphs that go over lines."""
    whole = covered(post)
    found = (_tidied(whole, start, end) for start, end in pack.sentences(whole, lines=True))
    return [sentence for sentence in found if sentence.text]


def covered(post: str) -> str:
    """The post with covers over all that is not its language; as long as the post."""
    text = _REFERENCE.sub(_character, post) if "&" in post else post
    text = ADDRESS.sub(_blanks, text) if may_hold_address(text) else text
    text = CUT_ADDRESS.sub(_blanks, text) if "…" in text else text
    if "@" in text or "＠" in text or "RT" in text:
        text = _POSSESSED.sub(_blanks, _REPOST.sub(_blanks, text))
    text = (IN_ASCII if text.isascii() else symbols()).sub(_blanks, text)
    return _without_hashtags(text) if "#" in text or "＃" in text else text


def _blanks(found: re.Match[str]) -> str:
    """Covers; a line break that was within stays, since it ends a sentence."""
    return "\n".join(BLANK * len(line) for line in found.group().split("\n"))


def _character(found: re.Match[str]) -> str:
    char = unescape(found.group())
    return char + GONE * (len(found.group()) - 1) if len(char) == 1 and char.isprintable() else found.group()


def _without_hashtags(text: str) -> str:
    """Hashtags at the end of a line are covered, with those right before them; of others only the sign is."""
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


def _tidied(whole: str, start: int, end: int) -> Sentence:
    """The sentence without covers and without the punctuation that only they had given a reason to be."""
    left = _LEFT_AT_START.match(whole, start, end)
    start = left.end() if left else start
    text = whole[start:end]
    if BLANK in text:
        text = _BEFORE_CLOSING.sub("", _EMPTY_BRACKETS.sub(BLANK, text))
    return Sentence(start, end, _without_loose_end(normalise(text)))


def _without_loose_end(text: str) -> str:
    """Without dashes, colons or brackets that stand alone at the end, where an address stood behind them."""
    while text and text[-1] in _LEFT_AT_END:
        bare = text.rstrip(_LEFT_AT_END)
        if not bare.endswith(" "):
            break
        text = bare.rstrip()
    return text
