"""The fields of posts in the exports of the platforms.

Field names (with dots for nested fields) are tried in order, and the many ways to list addresses and hashtags become
lists of texts. Covered are exports of Twitter/X (version 1 with ``extended_tweet``, version 2 with or without its
``data`` envelope, archives), of snscrape and similar tools, of Mastodon and of Bluesky. A name from the user comes
first.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from otherwords.sources.rows.json_objects import field_at, text_at
from otherwords.sources.rows.records import JsonObject

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
