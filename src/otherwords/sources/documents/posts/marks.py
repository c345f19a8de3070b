"""Patterns of addresses, user names and hashtags in posts.

The reader uses them to list addresses and hashtags if an export does not, and the cleaning to remove them. A hashtag or
user name may be in any script, so combining marks of letters (Hindi vowels, joiners) are part of it. An address ends
where Chinese or Japanese text follows without a blank, as on all platforms.
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
# A domain without a scheme counts only if it cannot mean anything else.
_BARE = r"(?:www\.|t\.co/|pic\.twitter\.com/|pic\.x\.com/|bit\.ly/|youtu\.be/)"

ADDRESS = re.compile(rf"(?<![A-Za-z0-9_@])(?:https?://|{_BARE}){_IN_ADDRESS}*{_AFTER_ADDRESS}", re.IGNORECASE)
# The rest of an address where a platform has cut the post short.
CUT_ADDRESS = re.compile(rf"(?<![A-Za-z0-9_])(?:https?(?::/{{0,2}}{_IN_ADDRESS}*)?|htt?)…", re.IGNORECASE)
USER_NAME = re.compile(r"(?<![\w@＠.])[@＠][A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*(?:@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)?")
HASHTAG = re.compile(rf"(?<![\w&/#＃])[#＃](?=[\d_]*[^\W\d_]){LETTER}+")


def may_hold_address(text: str) -> bool:
    """Whether a search is worthwhile: every address has a slash or starts with www."""
    return "/" in text or "www" in text.lower()


def addresses(text: str) -> list[str]:
    """The addresses in a post, each once, in order."""
    return list(dict.fromkeys(match.group() for match in ADDRESS.finditer(text))) if may_hold_address(text) else []


def hashtags(text: str) -> list[str]:
    """The hashtags in a post without their sign, each once, in order."""
    if "#" not in text and "＃" not in text:
        return []
    bare = ADDRESS.sub(" ", text)
    return list(dict.fromkeys(match.group()[1:] for match in HASHTAG.finditer(bare)))
