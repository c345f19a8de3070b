"""Quora Question Pairs: a TSV or CSV with header, in which a quoted question may hold line breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.records import Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import Layout
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, header_of, quoted_rows, write_rows

LAYOUT = Layout(
    "qqp",
    columns={
        "id": "id",
        "qid1": "meta.qid1",
        "qid2": "meta.qid2",
        "question1": "text1",
        "question2": "text2",
        "is_duplicate": "label",
    },
    lang="en",
)


def read(source: Source) -> Iterator[Record]:
    """The pairs; the header tells whether tabs or commas are between the cells."""
    tabs = len(header_of(source, "\t"))
    rows = quoted_rows(source, "\t", tabs) if tabs > 1 else quoted_rows(source)
    yield from LAYOUT.pairs(source, headed(rows, source))


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """As the TSV that Quora released."""
    write_rows(LAYOUT.table(records), stream, "\t")


def sniff(head: Head) -> bool:
    first = head.lines[0].replace('"', "").rstrip() if head.lines else ""
    return any(first.split(delimiter) == list(LAYOUT.columns) for delimiter in "\t,")


FORMAT = Format(name="qqp", title="Quora Question Pairs", read=read, write=write, sniff=sniff, suffix=".tsv")
