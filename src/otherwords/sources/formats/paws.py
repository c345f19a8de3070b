"""PAWS (Zhang et al. 2019) and PAWS-X: a TSV of id, two sentences and label, with or without its header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

from otherwords.records import Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import BINARY, Layout, has_labels
from otherwords.sources.source import Source
from otherwords.sources.tabular import Row, headed, plain_rows, write_plain_rows

LAYOUT = Layout(
    "paws",
    columns={"id": "id", "sentence1": "text1", "sentence2": "text2", "label": "label"},
    lang="en",
    anyones=True,
)
NOISY = "noisy_label"  # what the silver files of PAWS-Wiki call it
_ROW = re.compile(r"\d+\t[^\t]+\t[^\t]+\t[01]\t?")


def read(source: Source) -> Iterator[Record]:
    """The pairs. Of the named format they are English unless the user names another language, as for PAWS-X."""
    yield from LAYOUT.pairs(source, headed(_without_header(plain_rows(source)), source, list(LAYOUT.columns)))


def _without_header(rows: Iterator[Row]) -> Iterator[Row]:
    for number, cells in rows:
        if not _is_header(cells):
            yield number, cells
        break
    yield from rows


def _is_header(cells: list[str]) -> bool:
    names = [cell.strip() for cell in cells if cell.strip()]
    return names[:-1] == list(LAYOUT.columns)[:-1] and names[-1] in ("label", NOISY)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """With the header."""
    write_plain_rows(chain([list(LAYOUT.columns)], map(LAYOUT.cells, records)), stream)


def sniff(head: Head) -> bool:
    """By the header over labels of 0 and 1, or by every row being a number, two texts and 0 or 1."""
    lines = head.lines
    if lines and _is_header(lines[0].split("\t")):
        return has_labels((line.rstrip("\t").split("\t") for line in lines), BINARY)
    return bool(lines) and all(_ROW.fullmatch(line) for line in lines)


FORMAT = Format(
    name="paws", title="PAWS and PAWS-X, pairs with high overlap", read=read, write=write, sniff=sniff, suffix=".tsv"
)
