"""Quora Question Pairs: a TSV or CSV with header, in which a quoted question may hold line breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.records import Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import Layout
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, quoted_rows, write_rows

LAYOUT = Layout(
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
    header = (Head("", source.head()).lines or [""])[0]
    yield from LAYOUT.pairs(source, headed(quoted_rows(source, "\t" if "\t" in header else ","), source))


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """As the TSV that Quora released."""
    write_rows(LAYOUT.table(records), stream, "\t")


def sniff(head: Head) -> bool:
    first = head.lines[0].replace('"', "").rstrip() if head.lines else ""
    return any(first.split(delimiter) == list(LAYOUT.columns) for delimiter in "\t,")


FORMAT = Format(name="qqp", title="Quora Question Pairs", read=read, write=write, sniff=sniff, suffix=".tsv")
