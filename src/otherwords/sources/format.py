"""A file format: its name, and functions that recognise, read and write it.

A format is one module under ``formats/`` with a constant ``FORMAT``. Its reader is a generator that turns a
:class:`~otherwords.sources.source.Source` into records; its writer writes records to a binary stream. Some corpora hold
more than pairs (votes, typed phenomena, documents): such a reader yields records of the type ``source.record_type``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from otherwords.errors import UsageError
from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.io.tabular import named_delimiter
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.source import BYTE_ORDER_MARKS, Source

LINES_IN_HEAD = 50
NOUNS: dict[str, type[Record]] = {
    "pairs": Pair,
    "judgements": Judgement,
    "documents": Document,
    "document_pairs": DocumentPair,
}
ALL_NOUNS = tuple(NOUNS.values())


@dataclass(frozen=True, slots=True)
class Head:
    """The start of a file, by which formats are recognised."""

    suffix: str
    start: bytes

    @property
    def text(self) -> str:
        """The start as text. Bytes that do not fit are replaced, so this is only good for recognising a format."""
        for mark, encoding in BYTE_ORDER_MARKS:
            if self.start.startswith(mark):
                return self.start[len(mark) :].decode(encoding, "replace")
        return self.start.decode("utf-8", "replace")

    @property
    def lines(self) -> list[str]:
        """The first lines that are not blank, without a last line that may be cut off, and without ``sep=;``."""
        first, *others = self.text.split("\n")[: LINES_IN_HEAD + 1]
        kept = others[:-1] if named_delimiter(first) else [first, *others[:-1]]
        return [line.removesuffix("\r") for line in kept if line.strip()]

    @property
    def row(self) -> JsonObject:
        """The first line as a JSON object; empty if it is not one."""
        try:
            first = json.loads(self.lines[0]) if self.lines else {}
        except (ValueError, RecursionError):
            return {}
        return first if isinstance(first, dict) else {}


def refuse_stream(name: str) -> Callable[[Iterable[Record], BinaryIO], None]:
    """A stream writer for formats that consist of several files: it raises an error."""

    def write(records: Iterable[Record], stream: BinaryIO) -> None:
        raise UsageError(
            f"format {name} is a folder of files and cannot be written to a stream; name a folder", code="folder-needed"
        )

    return write


@dataclass(frozen=True, slots=True)
class Format:
    """A file format and its functions."""

    name: str
    title: str
    read: Callable[[Source], Iterator[Record]]
    write: Callable[[Iterable[Record], BinaryIO], None]
    sniff: Callable[[Head], bool] = lambda head: False
    suffix: str | None = None
    folder: bool = False
    write_folder: Callable[[Iterable[Record], Path], None] | None = None
    nouns: tuple[type[Record], ...] = (Pair,)
