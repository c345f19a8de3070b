"""Reading a document source in a test: all documents, and the log of the reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from otherwords.records import Document
from otherwords.sources.documents import KINDS
from otherwords.sources.source import ReadLog, Source, open_read_log


def documents(kind: str, path: Path, **options: Any) -> list[Document]:
    return read(kind, path, **options)[0]


def read(
    kind: str,
    path: Path,
    *,
    columns: dict[str, str] | None = None,
    encoding: str | None = None,
    lang: str | None = None,
    **options: Any,
) -> tuple[list[Document], ReadLog]:
    """The documents of a reading that skips what it must."""
    log = ReadLog("skip")
    source = Source(path, log, Document, encoding, lang, columns or {})
    chosen = KINDS.get(kind)
    chosen.check_columns(source.columns)
    results = list(chosen.read(source, chosen.checked(options)))
    return [document for document in results if isinstance(document, Document)], log


def rejected(kind: str, path: Path, tmp_path: Path, **options: Any) -> list[tuple[str, int | None, str]]:
    """Name, line and reason of all that a reading refuses."""
    aside = tmp_path / "refused.jsonl"
    chosen = KINDS.get(kind)
    with open_read_log("quarantine", aside) as log:
        list(chosen.read(Source(path, log, Document), chosen.checked(options)))
    rows = [msgspec.json.decode(line) for line in aside.read_bytes().splitlines()]
    return [(Path(row["file"]).name, row["line"], row["reason"]) for row in rows]
