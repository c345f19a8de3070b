"""Read and write corpora in a named or recognised format. This is the entry point of the package.

with open_records("dev.json", "turku") as corpus:
    for pair in corpus: ...
    print(corpus.account.rows, corpus.account.skipped)
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from otherwords.errors import DataError, LabelError, UsageError
from otherwords.records import Document, Pair, Record
from otherwords.sources.format import NOUNS, Format, Head
from otherwords.sources.formats import FORMATS
from otherwords.sources.io.files import atomic_folder, atomic_write, bare_suffix, list_folder, same_file
from otherwords.sources.quarantine import Quarantine
from otherwords.sources.rows.records import check_columns, with_normal_label
from otherwords.sources.source import OnError, ReadLog, Source, open_read_log

T = TypeVar("T")

# The formats whose columns a user may name; those of a released corpus are fixed.
FORMATS_WITH_COLUMNS = ("labelstudio", "doccano", "prodigy", "hf", "parquet", "xlsx", "jsonl", "csv", "tsv")

# The formats that are one table, so that each annotator may have a column in it.
TABLE_FORMATS = ("csv", "tsv", "xlsx", "parquet")

# The files of a release: its metadata, the folder with the pairs, all of them in our own format, the judgements.
RELEASE_FILE, DATA_FOLDER, PAIRS_FILE, JUDGEMENTS_FILE = "release.json", "data", "pairs.jsonl", "judgements.jsonl"
FILES_IN_RELEASE = {"pairs": Path(DATA_FOLDER, PAIRS_FILE), "judgements": Path(JUDGEMENTS_FILE)}

_BLANK = b"\xef\xbb\xbf\xff\xfe \t\r\n"  # byte order marks and white space


@dataclass(slots=True)
class RecordReader:
    """The records of an open corpus, and the log of reading it."""

    format: Format
    source: Source

    @property
    def account(self) -> ReadLog:
        return self.source.account

    def __iter__(self) -> Iterator[Record]:
        lang, scheme = self.source.lang, self.source.scheme
        for record in self.format.read(self.source):
            if scheme and isinstance(record, Pair):
                try:
                    record = with_normal_label(record, scheme)
                except LabelError as problem:
                    file, line = self.source.place or (self.source.name, None)
                    self.account.reject(file, line, f"pair {record.id}: {problem}", msgspec.to_builtins(record))
                    continue
            self.account.rows += 1
            if lang and isinstance(record, Pair | Document) and record.lang is None:
                yield msgspec.structs.replace(record, lang=lang)
            else:
                yield record

    def pairs(self) -> Iterator[Pair]:
        """Only the pairs."""
        return (record for record in self if isinstance(record, Pair))


@contextlib.contextmanager
def open_records(
    path: str | Path,
    format: str | None = None,
    *,
    noun: str = "pairs",
    on_error: OnError = "stop",
    quarantine: str | Path | Quarantine | None = None,
    encoding: str | None = None,
    lang: str | None = None,
    columns: dict[str, str] | None = None,
    scheme: str | None = None,
    sheet: str | None = None,
    judges: dict[str, str] | None = None,
    called: str | None = None,
) -> Iterator[RecordReader]:
    """Open a corpus. The format is recognised if it is not named; ``-`` is standard input.

    ``sheet`` is that of a workbook, ``judges`` are the annotators by the columns of a table that hold their answers.
    ``called`` replaces the path in messages.
    """
    where = None if str(path) == "-" else Path(path)
    if where is not None and format is None and noun in FILES_IN_RELEASE and (where / RELEASE_FILE).is_file():
        file = where / FILES_IN_RELEASE[noun]  # in one of our releases, the file with these records
        where = file if file.is_file() else where
    check_columns(NOUNS[noun], columns or {})
    rejected = Quarantine.at(quarantine)
    if rejected is not None and same_file(path, rejected.path):
        raise UsageError(f"--quarantine {quarantine} is the input file; name another file", code="same-file")
    if format and columns and format not in FORMATS_WITH_COLUMNS:
        raise UsageError(
            f"--columns goes with {', '.join(FORMATS_WITH_COLUMNS)}; the columns of {format} are fixed",
            code="fixed-columns",
        )
    with open_read_log(on_error, rejected) as log:
        source = Source(where, log, NOUNS[noun], encoding, lang, columns or {}, scheme, format is not None, called)
        source = replace(source, sheet=sheet, judges=judges or {})
        chosen = FORMATS.get(format) if format else recognise(source)
        _check_table(chosen, sheet, judges)
        if NOUNS[noun] not in chosen.nouns:
            known = ", ".join(name for name, kind in NOUNS.items() if kind in chosen.nouns)
            raise UsageError(f"format {chosen.name} has no {noun}; it has {known}", code="noun-not-in-format")
        is_folder = where is not None and chosen.folder and where.is_dir()
        if not is_folder and not source.head(64).strip(_BLANK):
            raise source.error("the file is empty", code="empty-file")
        with contextlib.closing(source):
            yield RecordReader(chosen, source)


def _check_table(chosen: Format, sheet: str | None, judges: dict[str, str] | None) -> None:
    """Refuse options of tables that do not go with the format."""
    if sheet is not None and chosen.name != "xlsx":
        raise UsageError(f"--sheet goes with workbooks, and this is {chosen.name}", code="misplaced-option")
    if judges and chosen.name not in TABLE_FORMATS:
        message = f"--judges goes with {', '.join(TABLE_FORMATS)}; this is {chosen.name}"
        raise UsageError(message, code="misplaced-option")


def recognise(source: Source) -> Format:
    """The format of a file, by its start and suffix. The most specific formats are tried first."""
    if source.path is not None and source.path.is_dir():
        names = "".join(path.name + "\n" for path in list_folder(source.path))
        head = Head("/", names.encode("utf-8", "replace"))
        for candidate in map(FORMATS.get, FORMATS):
            if candidate.folder and candidate.sniff(head):
                return candidate
        raise DataError(
            "is a folder in no known format; name a file, or name the format with --from",
            source.path,
            code="format-not-recognised",
        )
    head = Head(bare_suffix(source.path) if source.path else "", source.head())
    if not head.start.strip(_BLANK):
        raise source.error("the file is empty", code="empty-file")
    for candidate in map(FORMATS.get, FORMATS_WITH_COLUMNS if source.columns or source.judges else FORMATS):
        if candidate.sniff(head):
            return candidate
    raise source.error(
        f"the format is not recognised; name it with --from ({', '.join(FORMATS)})", code="format-not-recognised"
    )


def format_for(path: str | Path, format: str | None = None) -> Format:
    """The format to write: the named one, the one of the suffix, or JSON Lines for standard output."""
    if format:
        return FORMATS.get(format)
    if str(path) == "-":
        return FORMATS.get("jsonl")
    suffix = bare_suffix(Path(path))
    for name in ("jsonl", "csv", "tsv", "parquet"):
        if FORMATS.get(name).suffix == suffix:
            return FORMATS.get(name)
    raise UsageError(
        f"{path}: cannot tell the format from the suffix {suffix!r}; name it with --to", code="format-not-recognised"
    )


def write_records(records: Iterable[Record], path: str | Path, format: str | None = None) -> None:
    """Write records to a file, or to a folder for formats of several files. It appears only when it is complete."""
    chosen = format_for(path, format)
    checked = _check_nouns(records, chosen)
    if chosen.write_folder is not None and str(path) != "-":
        with atomic_folder(Path(path)) as folder:
            chosen.write_folder(checked, folder)
        return
    with atomic_write(None if str(path) == "-" else Path(path)) as stream:
        chosen.write(checked, stream)


def _check_nouns(records: Iterable[Record], chosen: Format) -> Iterator[Record]:
    """The same records; one of a type that the format cannot hold is an error, since none may be dropped silently."""
    for record in records:
        if not isinstance(record, chosen.nouns):
            known = ", ".join(name for name, kind in NOUNS.items() if kind in chosen.nouns)
            raise UsageError(
                f"format {chosen.name} cannot hold a {type(record).__name__.lower()}; it holds {known}",
                code="noun-not-in-format",
            )
        yield record


class WithProgress(Protocol):
    """Passes records, or blocks of them, through while a file is read, to show how far it is."""

    def __call__(self, records: Iterable[T], reading: RecordReader, title: str, /) -> Iterator[T]: ...


def without_progress(records: Iterable[T], reading: RecordReader, title: str, /) -> Iterator[T]:
    """The records unchanged; the command line passes a function that shows a progress bar instead."""
    return iter(records)
