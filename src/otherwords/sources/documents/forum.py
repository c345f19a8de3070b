"""Forum messages from tables (JSON Lines, JSON, CSV, TSV) and vertical text (VRT, as Suomi24 is released).

In goes a file or a folder, out comes a document a message. K3 of the Turku method pairs the openers of
threads that have the same title in the same sub-forum: these two make the group, and position 0 tells
an opener. Who wrote a message is never kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from otherwords.records import Document
from otherwords.sources.documents.dates import is_ambiguous, iso_time
from otherwords.sources.documents.html_bodies import body_text, heading_text
from otherwords.sources.documents.kind import Kind, Options, document_id
from otherwords.sources.documents.table_rows import (
    COMMON_NAMES,
    TABLES,
    Names,
    Row,
    chosen_format,
    clean,
    language_of,
    rows,
    word,
)
from otherwords.sources.documents.vrt import Attributes, messages
from otherwords.sources.documents.walking import documents_of
from otherwords.sources.files import bare_suffix
from otherwords.sources.format import Head
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
FORMATS = ("vrt", "jsonl", "json", "csv", "tsv")
_SUFFIXES = frozenset({".vrt", *TABLES})
# Suomi24's names over the years, the more telling first.
_VRT_NAMES = {
    "subforum": ("topic_names", "topic_names_set", "topic_name_leaf", "topics", "topic", "subforum"),
    "thread": ("thread_id", "thread"),
    "message": ("msg_id", "comment_id", "comment", "id"),
    "time": ("datetime", "date"),
}
_COMMENT_NAMES = ("comment_id", "comment", "position")
_OPENER_TYPES = frozenset({"thread_start", "thread"})
_NOBODY = frozenset({"", "0", "none", "null"})
_LEFT_OUT = "a reply, left out because only openers were asked for"


def read(source: Source, options: Options) -> Iterator[Document]:
    """The messages of a file or folder."""
    chosen_format(options.get("format"), FORMATS)
    return documents_of(source, _SUFFIXES, partial(_read_file, options=options))


def _read_file(source: Source, options: Options) -> Iterator[Document]:
    wanted = options.get("format")
    vertical = wanted == "vrt" or (wanted is None and _looks_vertical(source))
    thread = _Thread()
    for number, row in _vertical_rows(source, options) if vertical else rows(source, NAMES, wanted):
        position = thread.position(row)
        if options.get("openers") and position != 0:
            source.mark(_LEFT_OUT)
            continue
        text = row["text"] if vertical else body_text(row["text"]) if isinstance(row.get("text"), str) else ""
        if text:
            yield _document(source, options, number, row, text, position)
        else:
            source.reject(
                number, "no text in the message; if another column has it, name it with --columns text=…", row
            )


def _looks_vertical(source: Source) -> bool:
    if source.path is not None and bare_suffix(source.path) == ".vrt":
        return True
    return Head("", source.head()).text.lstrip().startswith("<")


def _vertical_rows(source: Source, options: Options) -> Iterator[tuple[int, Row]]:
    def asked_for(attributes: Attributes) -> bool:
        if options.get("openers") and not _is_opener(attributes):
            source.mark(_LEFT_OUT)
            return False
        return True

    for number, attributes, text in messages(source, asked_for):
        row: Row = {"title": attributes.get("title"), "text": "" if attributes.get("empty") == "y" else text}
        for name, known in _VRT_NAMES.items():
            row[name] = next((attributes[one] for one in known if attributes.get(one)), None)
        row["subforum"] = " | ".join(part for part in (row["subforum"] or "").split("|") if part)
        row["opener"] = _is_opener(attributes)
        row["lang"] = attributes.get("lang")
        yield number, row


def _is_opener(attributes: Attributes) -> bool:
    kind = attributes.get("msg_type") or attributes.get("type")
    if kind:
        return kind in _OPENER_TYPES
    return next((attributes[name] for name in _COMMENT_NAMES if name in attributes), "0") in _NOBODY


@dataclass(slots=True)
class _Thread:
    """Counts the messages of the thread being read, for sources that do not number them."""

    name: str | None = None
    count: int = 0

    def position(self, row: Row) -> int | None:
        """The place in the thread: as the row says, else 0 for an opener and a running number for a reply."""
        said = word(row, "position")
        if said is not None and said.isdecimal() and len(said) < 10:
            return int(said)
        if "opener" not in row and "parent" not in row and "thread" not in row:
            return 0 if "title" in row else None
        name = word(row, "thread")
        self.count = self.count + 1 if name is not None and name == self.name else 0
        self.name = name
        if "opener" in row:
            opener = bool(row["opener"])
        elif "parent" in row:
            opener = (word(row, "parent") or "").lower() in _NOBODY
        else:
            opener = self.count == 0
        self.count = 0 if opener else max(1, self.count)
        return self.count


def _document(source: Source, options: Options, number: int, row: Row, text: str, position: int | None) -> Document:
    title = heading_text(str(row["title"])) if word(row, "title") else None
    subforum, thread = _one_line(word(row, "subforum")), word(row, "thread")
    time = iso_time(row.get("time"))
    if row.get("time") is not None and time is None:
        source.mark("a date that cannot be read, left out")
    elif is_ambiguous(row.get("time")):
        source.mark("a date whose day and month could change places, read day first")
    if title is None:
        source.mark("no title: such messages cannot be paired by title")
    meta = {"title": title, "subforum": subforum, "thread": thread, "position": position}
    place = {"file": source.name, "line": number}
    return Document(
        id=document_id("forum", subforum, thread, word(row, "message"), title, time, text),
        text=text,
        lang=language_of(source, word(row, "lang")),
        source=options.get("source") or "forum",
        group=": ".join(part for part in (subforum, title) if part) if title else None,
        time=time,
        licence=word(row, "licence"),
        consent=word(row, "consent"),
        meta={name: value for name, value in (meta | place).items() if value is not None},
    )


def _one_line(text: str | None) -> str | None:
    return " ".join(clean(text).split()) or None if text else None


KIND = Kind(
    name="forum",
    title="forum messages: VRT as Suomi24 is released, JSON Lines, JSON, CSV and TSV",
    read=read,
    fields={
        "text": "the message, a paragraph a line, without its title",
        "group": "sub-forum and title, joined by a colon",
        "time": "when it was written, ISO 8601, in UTC where the zone is known",
        "lang": "as the message says, else as given",
        "source": "forum",
        "licence": "as the row says",
        "consent": "as the row says",
        "meta.title": "the title of the thread, on one line",
        "meta.subforum": "the part of the forum, with the levels above it where they are told",
        "meta.thread": "the thread as the forum names it",
        "meta.position": "0 for the opener of a thread; replies as numbered, else counted",
        "meta.file": "the file as named",
        "meta.line": "the line where the message starts",
    },
    options={"format": None, "source": None, "openers": False},
    formats=FORMATS,
    columns=NAMES,
)
