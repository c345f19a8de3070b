"""What platforms mark in a post: addresses, user names, hashtags, the signs of a repost.

Patterns only, for the reader (which lists addresses and hashtags where an export does not) and for
the cleaning (which takes them out). A hashtag or a user name may be in any script, so marks that
belong to letters (Hindi vowels, joiners) are part of it; an address ends where Chinese or Japanese
text goes on without a blank, as it does on every platform.
"""

from __future__ import annotations

import re
import unicodedata

_BLOCKS_WITH_MARKS = (range(0x0300, 0x1E00), range(0xA600, 0xAC00), range(0xFE20, 0xFE30))
_MARKS = "".join(
    chr(code) for block in _BLOCKS_WITH_MARKS for code in block if unicodedata.category(chr(code))[0] == "M"
)
LETTER = rf"[\w{_MARKS}\u200c\u200d]"
_EAST_ASIAN = "\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef"
_IN_ADDRESS = rf"[^\s<>\"“”«»…\x00-\x1f{_EAST_ASIAN}]"
_AFTER_ADDRESS = r"(?<![.,!?;:'’)\]}*])"
# A domain without a scheme counts only where nothing else could be meant.
_BARE = r"(?:www\.|t\.co/|pic\.twitter\.com/|pic\.x\.com/|bit\.ly/|youtu\.be/)"

ADDRESS = re.compile(rf"(?<![A-Za-z0-9_@])(?:https?://|{_BARE}){_IN_ADDRESS}*{_AFTER_ADDRESS}", re.IGNORECASE)
# What is left of an address where a platform has cut the post short.
CUT_ADDRESS = re.compile(rf"(?<![A-Za-z0-9_])(?:https?(?::/{{0,2}}{_IN_ADDRESS}*)?|htt?)…", re.IGNORECASE)
USER_NAME = re.compile(r"(?<![\w@＠.])[@＠][A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*(?:@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)?")
HASHTAG = re.compile(rf"(?<![\w&/#＃])[#＃](?=[\d_]*[^\W\d_]){LETTER}+")


def may_hold_address(text: str) -> bool:
    """Whether it is worth searching: every address has a slash, or starts with www."""
    return "/" in text or "www" in text.lower()


def addresses(text: str) -> list[str]:
    """The addresses in a post, each once, in order."""
    return list(dict.fromkeys(found.group() for found in ADDRESS.finditer(text))) if may_hold_address(text) else []


def hashtags(text: str) -> list[str]:
    """The hashtags in a post without their sign, each once, in order."""
    if "#" not in text and "＃" not in text:
        return []
    bare = ADDRESS.sub(" ", text)
    return list(dict.fromkeys(found.group()[1:] for found in HASHTAG.finditer(bare)))
