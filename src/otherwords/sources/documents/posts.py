"""Posts of a social platform: JSON, an object a line, as exports and collectors write it.

In goes a file, out comes a document a post, its text as written (HTML of Mastodon made plain); what
is cleaned, cut and grouped is the work of :mod:`otherwords.align.posts`. Of the author nothing is
kept. The fields are found under the names of the platforms or those that the user gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from otherwords.errors import UsageError
from otherwords.records import Document
from otherwords.sources.documents.json_objects import Object, json_objects
from otherwords.sources.documents.kind import Kind, Options, document_id
from otherwords.sources.documents.plain_text import plain_text
from otherwords.sources.documents.posts_fields import (
    FIELDS,
    addresses_in,
    hashtags_in,
    named,
    unpacked,
    without_tags,
)
from otherwords.sources.documents.posts_marks import addresses, hashtags
from otherwords.sources.documents.posts_time import post_time
from otherwords.sources.source import Source
from otherwords.text.languages import UNDETERMINED, language

NO_TIME = "no time: such posts come before all others of their group"
UNREADABLE_TIME = "a time that cannot be read, kept in meta.time"


def read(source: Source, options: Options) -> Iterator[Document]:
    """The posts of a file."""
    for line, row in json_objects(source):
        post = unpacked(row)
        text = named(post, "text", source.columns)
        if not isinstance(text, str) or not (plain := plain_text(without_tags(text))).strip():
            source.reject(line, _no_text(post, source), row)
            continue
        yield _document(source, options, line, post, plain)


def _no_text(post: Object, source: Source) -> str:
    if column := source.columns.get("text"):
        return f"no text in the field {column!r}"
    if any(path in post for path in FIELDS["text"]):
        return "no text: the post is empty"
    return f"no text: name its field with --columns text=NAME (there are: {', '.join(list(post)[:12]) or 'none'})"


def _document(source: Source, options: Options, line: int, post: Object, text: str) -> Document:
    said = named(post, "time", source.columns)
    time = post_time(said)
    meta: dict[str, Any] = {name: found for name in ("post", "trend", "topic") if (found := _text(source, post, name))}
    meta["urls"] = addresses_in(named(post, "urls", source.columns)) or addresses(text)
    meta["hashtags"] = hashtags_in(named(post, "hashtags", source.columns)) or hashtags(text)
    meta |= {"file": source.name, "line": line}
    if time is None:
        source.mark(NO_TIME if said is None else UNREADABLE_TIME)
        if said is not None:
            meta["time"] = said
    return Document(
        id=document_id("posts", meta.get("post"), text, time, meta.get("trend"), *meta["urls"]),
        text=text,
        lang=source.lang or _language(named(post, "lang", source.columns)),
        source=options.get("source", "posts"),
        time=time,
        meta=meta,
    )


def _text(source: Source, post: Object, field: str) -> str | None:
    """A field as one line of text; a trend may be an object with a name."""
    found = named(post, field, source.columns)
    if isinstance(found, dict):
        found = found.get("name")
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        return None
    return " ".join(plain_text(str(found)).split()) or None


def _language(found: Any) -> str | None:
    for tag in found if isinstance(found, list) else [found]:
        try:
            code = language(tag) if isinstance(tag, str) else UNDETERMINED
        except UsageError:
            continue
        if code != UNDETERMINED:
            return code
    return None


KIND = Kind(
    name="posts",
    title="posts of a social platform, grouped later by trend or shared URL",
    read=read,
    fields={
        "text": "the post as written",
        "lang": "the language that the platform or the user says",
        "source": "posts, or what the user says",
        "time": "when it was posted, in UTC where the zone is known",
        "meta.post": "the platform's id of the post",
        "meta.urls": "the addresses it shares, in their longest form; those in the text where none are listed",
        "meta.hashtags": "its hashtags without the sign; those in the text where none are listed",
        "meta.trend": "the trending topic under which it was collected",
        "meta.topic": "the topic that a person gave it",
        "meta.time": "the time as the export has it, where it cannot be read",
        "meta.file": "the file it comes from",
        "meta.line": "the line of the file on which it starts",
    },
    options={"source": "posts"},
    formats=("jsonl", "json"),
    columns=FIELDS,
)
