"""The fields of posts in the exports of the platforms.

Field names (with dots for nested fields) are tried in order, and the many ways to list addresses and hashtags become
lists of texts. Covered are exports of Twitter/X (version 1 with ``extended_tweet``, version 2 with or without its
``data`` envelope, archives), of snscrape and similar tools, of Mastodon and of Bluesky. A name from the user comes
first.
"""

from __future__ import annotations

import re
import unicodedata
from html.parser import HTMLParser
from typing import Any

from otherwords.sources.rows.json_objects import field_at, text_at
from otherwords.sources.rows.records import JsonObject

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


FIELDS: dict[str, tuple[str, ...]] = {
    "text": ("extended_tweet.full_text", "note_tweet.text", "full_text", "text", "rawContent", "content", "body",
             "message", "post_text", "tweet_text"),
    "time": ("time", "created_at", "createdAt", "date", "datetime", "timestamp", "published", "created_utc"),
    "post": ("id_str", "id", "post_id", "tweet_id", "status_id", "uri", "cid"),
    "lang": ("lang", "language", "langs"),
    "trend": ("trend", "trend_name", "trending_topic", "trending"),
    "topic": ("topic", "category"),
    "urls": ("urls", "extended_tweet.entities.urls", "entities.urls", "links", "outlinks", "url_entities",
             "facets", "card"),
    "hashtags": ("hashtags", "extended_tweet.entities.hashtags", "entities.hashtags", "tags"),
}  # fmt: skip
ENVELOPES = ("data", "tweet", "post", "status", "record", "value", "commit")
_DEPTH = 3
_ADDRESS_KEYS = ("unwound_url", "expanded_url", "expanded", "url", "uri", "href")
_TAG_KEYS = ("text", "tag", "name", "title")
_FACETS = "features"


def unwrap_post(row: JsonObject) -> JsonObject:
    """The post without the envelope in which a stream or archive delivers it."""
    for _ in range(_DEPTH):
        inner = next((row[name] for name in ENVELOPES if isinstance(row.get(name), dict)), None)
        if inner is None or any(text_at(row, path) for path in FIELDS["text"]):
            break
        row = inner
    return row


def post_field(row: JsonObject, field: str, columns: dict[str, str]) -> Any:
    """The value of a field, under the user's name for it or else under the known ones."""
    for path in (columns[field],) if field in columns else FIELDS[field]:
        value = row.get(path)
        if value is None and "." in path:
            value = field_at(row, path)
        if value not in (None, "", [], {}):
            return value
    return None


def addresses_in(value: Any) -> list[str]:
    """Addresses from a text, a list of texts or a list of entities; the longest form of each."""
    return [text for text in _texts(value, _ADDRESS_KEYS) if "." in text or "://" in text]


def hashtags_in(value: Any) -> list[str]:
    """Hashtags without their sign, from a text, a list of texts or a list of entities."""
    return [text.lstrip("#＃") for text in _texts(value, _TAG_KEYS) if text.lstrip("#＃")]


def _texts(value: Any, keys: tuple[str, ...]) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str):
        return list(dict.fromkeys(value.split()))
    texts: dict[str, None] = {}  # each once, in order
    for entry in value if isinstance(value, list) else [value]:
        inner = entry.get(_FACETS) if isinstance(entry, dict) else None
        for part in inner if isinstance(inner, list) else [entry]:  # the links of a Bluesky facet are one level deeper
            if isinstance(part, dict):
                part = next((part[key] for key in keys if isinstance(part.get(key), str) and part[key]), None)
            if isinstance(part, str) and part.strip():
                texts[part.strip()] = None
    return list(texts)


def without_tags(text: str) -> str:
    """The visible text of a post in HTML (Mastodon); any other text unchanged."""
    if not (text.lstrip().startswith("<p>") or "<br" in text or "</a>" in text):
        return text
    reader = _VisibleText()
    reader.feed(text)
    reader.close()
    return "".join(reader.parts).strip()


class _VisibleText(HTMLParser):
    """Collects the text between tags; paragraphs and breaks end lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br" or (tag == "p" and self.parts):
            self.parts.append("\n" if tag == "br" else "\n\n")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
