"""The rows of the files that a pool is made of, in blocks of a fixed number.

Text with one sentence a line, JSON Lines, tables and Parquet, compressed or not, files and folders of files: whatever
``import … sentences`` reads. Blocks depend on nothing but the files, so that a killed run knows which of them are done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from otherwords.errors import DataError
from otherwords.mining.pool.options import PoolOptions
from otherwords.records import Document
from otherwords.sources.documents.file_walk import source_files
from otherwords.sources.documents.sentences import EMPTY_LINE, FORMATS, NAMES, SUFFIXES, has_lines, sentence_rows
from otherwords.sources.documents.table_rows import cell_text, check_format
from otherwords.sources.io.files import COMPRESSED
from otherwords.sources.source import ReadLog, Source

FIELDS = {**NAMES, "source": ("source", "corpus")}
NO_TEXT, EMPTY = "no text", "empty line"
STREAM = "-"  # standard input
UNPACKED = 4  # how many times larger text is without compression, for an estimate
PACKED = frozenset({*COMPRESSED, ".parquet"})


class PoolRow(NamedTuple):
    """A sentence as a file has it, and where it stands."""

    text: str
    lang: str | None
    source: str
    group: str | None
    name: str | None
    place: str


class InputFile(msgspec.Struct, frozen=True):
    """A file that a pool is made of; size and time say whether it is still the same."""

    path: str
    bytes: int
    changed: int


def input_files(paths: Sequence[str | Path]) -> list[InputFile]:
    """The files, those of folders included; standard input has no size."""
    found: list[InputFile] = []
    for path in paths:
        for source in _sources([path], PoolOptions(), ReadLog("skip")):
            if source.path is None:
                found.append(InputFile(STREAM, 0, -1))
                continue
            try:
                state = source.path.stat()
            except OSError as problem:
                raise DataError(problem.strerror or str(problem), source.path, code="file-unreadable") from None
            found.append(InputFile(str(source.path), state.st_size, state.st_mtime_ns))
    return found


def text_bytes(files: Iterable[InputFile]) -> int:
    """About how many bytes of text the files hold."""
    return sum(file.bytes * (UNPACKED if Path(file.path).suffix.lower() in PACKED else 1) for file in files)


def row_blocks(
    paths: Sequence[str | Path], options: PoolOptions, log: ReadLog, rows: int
) -> Iterator[tuple[PoolRow, ...]]:
    """All rows of all files, so many at a time; what has no text is counted in the log."""
    stream = _rows(paths, options, log)
    while block := tuple(islice(stream, rows)):
        yield block


def refused(log: ReadLog) -> dict[str, int]:
    """How many rows were left out while they were read, by reason."""
    reasons = dict(log.skipped)
    if log.marked[EMPTY_LINE]:
        reasons[EMPTY] = log.marked[EMPTY_LINE]
    if log.marked[NO_TEXT]:
        reasons[NO_TEXT] = log.marked[NO_TEXT]
    return reasons


def _rows(paths: Sequence[str | Path], options: PoolOptions, log: ReadLog) -> Iterator[PoolRow]:
    format = check_format(options.format, tuple(FORMATS))
    for source in _sources(paths, options, log):
        yield from _lines(source) if has_lines(source, format) else _records(source, format)


def _lines(source: Source) -> Iterator[PoolRow]:
    """A short way for what most pools are; texts are cleaned later, on all cores."""
    stem, name = source.stem, source.name
    for number, line in source.lines():
        if line and not line.isspace():
            yield PoolRow(line, None, stem, None, None, f"{name}:{number}")
        else:
            source.mark(EMPTY_LINE)


def _records(source: Source, format: str | None) -> Iterator[PoolRow]:
    for number, row in sentence_rows(source, format, FIELDS):
        text = cell_text(row, "text")
        if text is None:
            source.mark(NO_TEXT)
            continue
        yield PoolRow(
            text=text,
            lang=cell_text(row, "lang"),
            source=cell_text(row, "source") or source.stem,
            group=cell_text(row, "group"),
            name=cell_text(row, "name"),
            place=f"{source.name}:{number}",
        )


def _sources(paths: Sequence[str | Path], options: PoolOptions, log: ReadLog) -> Iterator[Source]:
    for path in paths:
        file = None if str(path) == STREAM else Path(path)
        if file is not None and not file.exists():
            raise DataError("there is no such file or folder", file, code="file-unreadable")
        yield from source_files(
            Source(file, log, Document, options.encoding, options.lang, dict(options.columns)), SUFFIXES
        )
