"""What a file format is: a name, how to recognise it, how to read it and how to write it.

A format is one module under ``formats/`` with a constant ``FORMAT``. Reading is a generator from a
:class:`~otherwords.sources.source.Source` to records; writing takes records to a stream of bytes.
Some corpora hold more than pairs (votes, typed phenomena, documents): such a format looks at
``source.wanted`` and yields the noun that was asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from otherwords.errors import UsageError
from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.source import MARKS, Source

LINES_IN_HEAD = 50
NOUNS: dict[str, type[Record]] = {
    "pairs": Pair,
    "judgements": Judgement,
    "documents": Document,
    "document_pairs": DocumentPair,
}


@dataclass(frozen=True, slots=True)
class Head:
    """The start of a file, as a format sees it when it is asked whether the file is its own."""

    suffix: str
    start: bytes

    @property
    def text(self) -> str:
        """The start as text, whatever its encoding; only good for recognising things."""
        for mark, encoding in MARKS:
            if self.start.startswith(mark):
                return self.start[len(mark) :].decode(encoding, "replace")
        return self.start.decode("utf-8", "replace")

    @property
    def lines(self) -> list[str]:
        """The first lines that are not blank. The last of several may be cut off, and is left out if it has no end."""
        first, *others = self.text.split("\n")[: LINES_IN_HEAD + 1]
        return [line.removesuffix("\r") for line in [first, *others[:-1]] if line.strip()]

    @property
    def row(self) -> dict[str, Any]:
        """The first line as a JSON object; empty if it is none."""
        try:
            first = json.loads(self.lines[0]) if self.lines else {}
        except (ValueError, RecursionError):
            return {}
        return first if isinstance(first, dict) else {}


def _never(head: Head) -> bool:
    return False


def folder_only(name: str) -> Callable[[Iterable[Record], BinaryIO], None]:
    """The stream writer of a format that is several files: it says so."""

    def write(records: Iterable[Record], stream: BinaryIO) -> None:
        raise UsageError(f"format {name} is a folder of files and cannot be written to a stream; name a folder")

    return write


@dataclass(frozen=True, slots=True)
class Format:
    """One way in which pairs lie on disk."""

    name: str
    title: str
    read: Callable[[Source], Iterator[Record]]
    write: Callable[[Iterable[Record], BinaryIO], None]
    sniff: Callable[[Head], bool] = _never
    suffix: str | None = None
    folder: bool = False
    write_folder: Callable[[Iterable[Record], Path], None] | None = None
    nouns: tuple[type[Record], ...] = (Pair,)

    def recognises_folder(self, path: Path) -> bool:
        """Whether a folder may be given where a file is expected."""
        return self.folder and path.is_dir()
