"""PARADE (He et al. 2020), definitions of computer-science terms: a TSV with four-class and binary labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.records import Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import Layout
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, plain_rows, write_plain_rows

FOUR_CLASS = "Four-class labels"
CLASSES = ("0", "1", "2", "3")
LAYOUT = Layout(
    "parade",
    columns={
        FOUR_CLASS: "meta.four_class",
        "Binary labels": "label",
        "Entity": "group",
        "Definition1": "text1",
        "Definition2": "text2",
    },
    lang="en",
)


def read(source: Source) -> Iterator[Record]:
    """The pairs under their binary label; the four-class one is ``meta.four_class``, the entity the group."""
    yield from LAYOUT.pairs(source, _checked(source, headed(plain_rows(source), source)))


def _checked(source: Source, rows: Iterator[tuple[int, dict[str, str]]]) -> Iterator[tuple[int, dict[str, str]]]:
    for number, row in rows:
        four_class = row.get(FOUR_CLASS, "").strip()
        if four_class and four_class not in CLASSES:
            source.reject(number, f"four-class label {four_class!r} is not one of {' '.join(CLASSES)}", row)
        else:
            yield number, row


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The released layout; a pair from elsewhere has no four-class label."""
    write_plain_rows(LAYOUT.table(records), stream)


def sniff(head: Head) -> bool:
    return bool(head.lines) and [name.strip() for name in head.lines[0].split("\t")][:5] == list(LAYOUT.columns)


FORMAT = Format(
    name="parade", title="PARADE, definitions in computer science", read=read, write=write, sniff=sniff, suffix=".txt"
)
