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

from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.source import Source

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
        for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
            if self.start.startswith(mark):
                return self.start[2:].decode(encoding, "replace")
        return self.start.decode("utf-8-sig", "replace")

    @property
    def lines(self) -> list[str]:
        """The complete lines of the start that are not blank."""
        return [line for line in self.text.splitlines()[:50] if line.strip()]

    @property
    def row(self) -> dict[str, Any]:
        """The first line as a JSON object; empty if it is none."""
        try:
            first = json.loads(self.lines[0]) if self.lines else {}
        except ValueError:
            return {}
        return first if isinstance(first, dict) else {}


def _never(head: Head) -> bool:
    return False


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
    nouns: tuple[type[Record], ...] = (Pair,)

    def recognises_folder(self, path: Path) -> bool:
        """Whether a folder may be given where a file is expected."""
        return self.folder and path.is_dir()
