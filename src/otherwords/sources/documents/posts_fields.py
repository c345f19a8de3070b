"""Where the exports of the platforms keep the parts of a post.

A table of field names (dots for one inside the other) in the order in which they are tried, and what
makes lists of the many ways to write addresses and hashtags. Covered are the exports of Twitter/X
(version 1 with ``extended_tweet``, version 2 with or without its ``data`` envelope, archives), of
snscrape and its kin, of Mastodon and of Bluesky. A name that the user gives goes before all of them.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from otherwords.sources.documents.json_objects import Object, field_at, text_at

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


def unpacked(row: Object) -> Object:
    """The post itself, out of the envelope in which a stream or an archive delivers it."""
    for _ in range(_DEPTH):
        inner = next((row[name] for name in ENVELOPES if isinstance(row.get(name), dict)), None)
        if inner is None or any(text_at(row, path) for path in FIELDS["text"]):
            break
        row = inner
    return row


def named(row: Object, field: str, columns: dict[str, str]) -> Any:
    """What the post has under a field, by the user's name for it or else by the known ones."""
    for path in (columns[field],) if field in columns else FIELDS[field]:
        found = row.get(path)
        if found is None and "." in path:
            found = field_at(row, path)
        if found not in (None, "", [], {}):
            return found
    return None


def addresses_in(found: Any) -> list[str]:
    """Addresses from a text, a list of texts or a list of entities; the longest form of each."""
    return [text for text in _texts(found, _ADDRESS_KEYS) if "." in text or "://" in text]


def hashtags_in(found: Any) -> list[str]:
    """Hashtags without their sign."""
    return [text.lstrip("#＃") for text in _texts(found, _TAG_KEYS) if text.lstrip("#＃")]


def _texts(found: Any, keys: tuple[str, ...]) -> list[str]:
    if found is None:
        return []
    if isinstance(found, str):
        return list(dict.fromkeys(found.split()))
    entries = found if isinstance(found, list) else [found]
    flat = (part for entry in entries for part in _parts(entry))
    return list(dict.fromkeys(text for entry in flat if (text := _one(entry, keys))))


def _parts(entry: Any) -> list[Any]:
    """A Bluesky facet holds its links one level further down."""
    inner = entry.get(_FACETS) if isinstance(entry, dict) else None
    return inner if isinstance(inner, list) else [entry]


def _one(entry: Any, keys: tuple[str, ...]) -> str | None:
    if isinstance(entry, dict):
        entry = next((entry[key] for key in keys if isinstance(entry.get(key), str) and entry[key]), None)
    return entry.strip() or None if isinstance(entry, str) else None


def without_tags(text: str) -> str:
    """A post that is kept as HTML (Mastodon) as the text that its readers see; any other as it is."""
    if not (text.lstrip().startswith("<p>") or "<br" in text or "</a>" in text):
        return text
    reader = _Visible()
    reader.feed(text)
    reader.close()
    return "".join(reader.parts).strip()


class _Visible(HTMLParser):
    """Collects what is between tags; a paragraph and a break are line ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br" or (tag == "p" and self.parts):
            self.parts.append("\n" if tag == "br" else "\n\n")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
