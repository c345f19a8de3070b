"""Two files aligned line by line: subtitles with their cues, anything else as plain text."""

from __future__ import annotations

from pathlib import Path

from otherwords.align.lines import LineAlignment, align_lines
from otherwords.errors import DataError
from otherwords.records import Document
from otherwords.sources.documents import KINDS
from otherwords.sources.documents.plain_text import plain_text
from otherwords.sources.files import bare_suffix
from otherwords.sources.source import Account, Source

SUBTITLES = (".srt", ".vtt", ".ass", ".ssa", ".sub", ".xml")


def align_files(path1: str | Path, path2: str | Path, encoding: str | None = None) -> LineAlignment:
    """The line alignment of two files; lines are those of the text, without numbers, times and tags."""
    one, two = _document(Path(path1), encoding), _document(Path(path2), encoding)
    return align_lines(one.text, two.text, one.meta.get("cues"), two.meta.get("cues"))


def _document(path: Path, encoding: str | None) -> Document:
    source = Source(path, Account(), Document, encoding)
    if bare_suffix(path) not in SUBTITLES:
        return Document(id=str(path), text=plain_text("\n".join(line for _, line in source.lines())))
    kind = KINDS.get("subtitles")
    documents = [record for record in kind.read(source, kind.checked({})) if isinstance(record, Document)]
    if len(documents) != 1:
        raise DataError(f"holds {len(documents)} subtitle documents, one is needed", path)
    return documents[0]
