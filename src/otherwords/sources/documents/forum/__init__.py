"""Forum messages from tables (JSON Lines, JSON, CSV, TSV, Excel) and vertical text (VRT, the format of Suomi24).

Each message is a document. K3 of the Turku method pairs the openers of threads with the same title in the same
sub-forum: title and sub-forum make the group, and an opener has position 0. The author of a message is never kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from otherwords.records import Document
from otherwords.sources.documents.file_walk import read_each_file
from otherwords.sources.documents.forum.vrt import Attributes, messages
from otherwords.sources.documents.kind import FORMAT, Kind, KindOption, Options, document_id
from otherwords.sources.documents.news.html_bodies import body_text, heading_text
from otherwords.sources.documents.table_rows import (
    COMMON_NAMES,
    TABLE_LOOKS,
    TABLE_NAMES,
    TABLES,
    Names,
    Row,
    cell_text,
    check_format,
    named_rows,
    row_language,
    row_time,
)
from otherwords.sources.format import Head
from otherwords.sources.io.files import bare_suffix
from otherwords.sources.io.json_stream import first_character
from otherwords.sources.source import Source

NAMES: Names = {
    **COMMON_NAMES,
    "title": ("title", "thread_title", "subject", "heading"),
    "text": ("text", "body", "message", "content", "selftext"),
    "subforum": ("subforum", "sub_forum", "forum", "subreddit", "board", "topic_names", "topic", "section", "category"),
    "thread": ("thread", "thread_id", "topic_id"),
    "message": ("message_id", "msg_id", "post_id", "comment_id", "id"),
    "position": ("position", "index", "post_number", "number"),
    "parent": ("parent", "parent_id", "reply_to", "in_reply_to"),
}
FORMATS = {
    "vrt": "vertical text as Suomi24 is released: `<text …>` elements, one token per line",
    **TABLE_LOOKS,
}
_SUFFIXES = frozenset({".vrt", *TABLES})
# The names in the releases of Suomi24 over the years, the most informative first.
_VRT_NAMES = {
    "subforum": ("topic_names", "topic_names_set", "topic_name_leaf", "topics", "topic", "subforum"),
    "thread": ("thread_id", "thread"),
    "message": ("msg_id", "comment_id", "comment", "id"),
    "time": ("datetime", "date"),
}
_COMMENT_NAMES = ("comment_id", "comment", "position")
_OPENER_TYPES = frozenset({"thread_start", "thread"})
_NO_PARENT = frozenset({"", "0", "none", "null"})
_REPLY_SKIPPED = "a reply, left out because only openers were asked for"


def read(source: Source, options: Options) -> Iterator[Document]:
    """The messages of a file or folder."""
    check_format(options.get("format"), tuple(FORMATS))
    return read_each_file(source, _SUFFIXES, partial(_read_file, options=options))


def _read_file(source: Source, options: Options) -> Iterator[Document]:
    format = options.get("format")
    vertical = format == "vrt"
    if format is None:
        named = source.path is not None and bare_suffix(source.path) == ".vrt"
        vertical = named or first_character(Head("", source.head())) == "<"
    thread = _ThreadCounter()
    for number, row in _vertical_rows(source, options) if vertical else named_rows(source, NAMES, format):
        position = thread.position(row)
        if options.get("openers") and position != 0:
            source.mark(_REPLY_SKIPPED)
            continue
        text = row["text"] if vertical else body_text(row["text"]) if isinstance(row.get("text"), str) else ""
        if text:
            yield _document(source, options, number, row, text, position)
        else:
            reason = "the message has no text; if it is in another column, name it with --columns text=…"
            source.reject(number, reason, row)


def _vertical_rows(source: Source, options: Options) -> Iterator[tuple[int, Row]]:
    def is_included(attributes: Attributes) -> bool:
        if options.get("openers") and not _is_opener(attributes):
            source.mark(_REPLY_SKIPPED)
            return False
        return True

    for number, attributes, text in messages(source, is_included):
        row: Row = {"title": attributes.get("title"), "text": "" if attributes.get("empty") == "y" else text}
        for field, names in _VRT_NAMES.items():
            row[field] = next((attributes[name] for name in names if attributes.get(name)), None)
        row["subforum"] = " | ".join(part for part in (row["subforum"] or "").split("|") if part)
        row["opener"] = _is_opener(attributes)
        row["lang"] = attributes.get("lang")
        yield number, row


def _is_opener(attributes: Attributes) -> bool:
    kind = attributes.get("msg_type") or attributes.get("type")
    if kind:
        return kind in _OPENER_TYPES
    return next((attributes[name] for name in _COMMENT_NAMES if name in attributes), "0") in _NO_PARENT


@dataclass(slots=True)
class _ThreadCounter:
    """Counts the messages of a thread, for sources that do not number them."""

    name: str | None = None
    count: int = 0

    def position(self, row: Row) -> int | None:
        """The position of a message in its thread: as in the row, else 0 for an opener and counted for replies."""
        number = cell_text(row, "position")
        if number is not None and number.isdecimal() and len(number) < 10:
            return int(number)
        if "opener" not in row and "parent" not in row and "thread" not in row:
            return 0 if "title" in row else None
        name = cell_text(row, "thread")
        self.count = self.count + 1 if name is not None and name == self.name else 0
        self.name = name
        if "opener" in row:
            opener = bool(row["opener"])
        elif "parent" in row:
            opener = (cell_text(row, "parent") or "").lower() in _NO_PARENT
        else:
            opener = self.count == 0
        self.count = 0 if opener else max(1, self.count)
        return self.count


def _document(source: Source, options: Options, number: int, row: Row, text: str, position: int | None) -> Document:
    title = heading_text(str(row["title"])) if cell_text(row, "title") else None
    subforum, thread = " ".join((cell_text(row, "subforum") or "").split()) or None, cell_text(row, "thread")
    time = row_time(source, row)
    if title is None:
        source.mark("no title: such messages cannot be paired by title")
    meta = {"title": title, "subforum": subforum, "thread": thread, "position": position}
    place = {"file": source.name, "line": number}
    return Document(
        id=document_id("forum", subforum, thread, cell_text(row, "message"), title, time, text),
        text=text,
        lang=row_language(source, cell_text(row, "lang")),
        source=options.get("source") or "forum",
        group=": ".join(part for part in (subforum, title) if part) if title else None,
        time=time,
        licence=cell_text(row, "licence"),
        consent=cell_text(row, "consent"),
        meta={name: value for name, value in (meta | place).items() if value is not None},
    )


KIND = Kind(
    name="forum",
    title="forum messages: VRT as Suomi24 is released, JSON Lines, JSON, CSV, TSV and Excel",
    read=read,
    fields={
        "text": "the message, one paragraph per line, without its title",
        "group": "sub-forum and title, joined by a colon",
        "time": "when it was written, ISO 8601, in UTC if the zone is known",
        "lang": "the language of the message, else the one that the user named",
        "source": "forum, or the option source",
        "licence": "the licence in the row",
        "consent": "the consent in the row",
        "meta.title": "the title of the thread, on one line",
        "meta.subforum": "the part of the forum, with the levels above it if they are known",
        "meta.thread": "the id of the thread in the forum",
        "meta.position": "0 for the opener of a thread; the number of a reply, else counted",
        "meta.file": "the file",
        "meta.line": "the line where the message starts",
    },
    options={
        "format": FORMAT,
        "source": KindOption(None, "a name", "the name of the source, instead of forum"),
        "openers": KindOption(False, "true or false", "only the first message of each thread, which is what is paired"),
    },
    formats=FORMATS,
    columns=NAMES,
    names=TABLE_NAMES,
    needed=("text",),
    example="sources/forum/messages.jsonl",
)
