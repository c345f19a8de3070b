"""Posts of social platforms: JSON objects as exports and collectors write them.

Each post is a document with its text as written (the HTML of Mastodon as plain text); cleaning and grouping is done by
:mod:`otherwords.align.posts`. Nothing about the author is kept. Fields are found by the names that the platforms use,
or by those that the user names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from otherwords.errors import UsageError
from otherwords.records import Document
from otherwords.sources.documents.dates import iso_time
from otherwords.sources.documents.kind import Kind, KindOption, Options, document_id
from otherwords.sources.documents.posts.fields import (
    FIELDS,
    addresses,
    addresses_in,
    hashtags,
    hashtags_in,
    post_field,
    unwrap_post,
    without_tags,
)
from otherwords.sources.rows.json_objects import json_objects
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.source import Source
from otherwords.text.languages import UNDETERMINED, language
from otherwords.text.normalise import document_text

NO_TIME = "no time: such posts come before all others of their group"
UNREADABLE_TIME = "a time that cannot be read, kept in meta.time"
_TWITTER_TIME = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{4}) (\d{4})")
_MICROSECONDS_FROM = 10**14  # in milliseconds that is the year 5138


def read(source: Source, options: Options) -> Iterator[Document]:
    """The posts of a file."""
    for line, row in json_objects(source):
        post = unwrap_post(row)
        text = post_field(post, "text", source.columns)
        if isinstance(text, str) and (plain := document_text(without_tags(text))).strip():
            yield _document(source, options, line, post, plain)
        elif column := source.columns.get("text"):
            source.reject(line, f"a text is expected in the field {column!r}, and there is none", row)
        elif any(path in post for path in FIELDS["text"]):
            source.reject(line, "no text: the post is empty", row)
        else:
            found = ", ".join(list(post)[:12]) or "none"
            source.reject(line, f"no text; name its field with --columns text=NAME (found: {found})", row)


def _document(source: Source, options: Options, line: int, post: JsonObject, text: str) -> Document:
    raw_time = post_field(post, "time", source.columns)
    time = post_time(raw_time)
    meta: JsonObject = {name: value for name in ("post", "trend", "topic") if (value := _text(source, post, name))}
    meta["urls"] = addresses_in(post_field(post, "urls", source.columns)) or addresses(text)
    meta["hashtags"] = hashtags_in(post_field(post, "hashtags", source.columns)) or hashtags(text)
    meta |= {"file": source.name, "line": line}
    if time is None:
        source.mark(NO_TIME if raw_time is None else UNREADABLE_TIME)
        if raw_time is not None:
            meta["time"] = raw_time
    return Document(
        id=document_id("posts", meta.get("post"), text, time, meta.get("trend"), *meta["urls"]),
        text=text,
        lang=source.lang or _language(post_field(post, "lang", source.columns)),
        source=options.get("source", "posts"),
        time=time,
        meta=meta,
    )


def _text(source: Source, post: JsonObject, field: str) -> str | None:
    """A field as one line of text; a trend may be an object with a name."""
    value = post_field(post, field, source.columns)
    if isinstance(value, dict):
        value = value.get("name")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return " ".join(document_text(str(value)).split()) or None


def _language(tags: Any) -> str | None:
    for tag in tags if isinstance(tags, list) else [tags]:
        try:
            code = language(tag) if isinstance(tag, str) else UNDETERMINED
        except UsageError:
            continue
        if code != UNDETERMINED:
            return code
    return None


def post_time(value: object) -> str | None:
    """The time in ISO 8601, in UTC with ``Z`` if the zone is known; None if it cannot be read.

    Twitter has its own order of the parts; all other forms are read by :mod:`~otherwords.sources.documents.dates`.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= _MICROSECONDS_FROM:
        value = value / 1000
    if isinstance(value, str):
        value = _TWITTER_TIME.sub(r"\2 \1 \5 \3 \4", value.strip())
        value = value.removesuffix(" UTC") + "Z" if value.endswith(" UTC") else value
    return iso_time(value)


KIND = Kind(
    name="posts",
    title="posts of a social platform, grouped later by trend or shared URL",
    read=read,
    fields={
        "text": "the post as written",
        "lang": "the language that the user or the platform names",
        "source": "posts, or the option source",
        "time": "when it was posted, ISO 8601, in UTC if the zone is known",
        "meta.post": "the platform's id of the post",
        "meta.urls": "the addresses it shares, in their longest form; those in the text if none are listed",
        "meta.hashtags": "its hashtags without the sign; those in the text if none are listed",
        "meta.trend": "the trending topic under which it was collected",
        "meta.topic": "the topic that a person assigned",
        "meta.time": "the time as in the export, if it cannot be read",
        "meta.file": "the file",
        "meta.line": "the line in the file",
    },
    options={"source": KindOption("posts", "a name", "the name of the source")},
    formats={
        "jsonl": "one post per line as a JSON object, as exports and collectors of the platforms write them",
        "json": "one list of such objects",
    },
    columns=FIELDS,
    names="The first that a post has counts; a dot leads into an object, and envelopes such as `data` are opened.",
    needed=("text",),
    example="sources/posts/posts.jsonl",
)
