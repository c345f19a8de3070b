"""Reading and writing pair corpora by format name or by recognising them: the door of this room.

with reading("dev.json", "turku") as pairs:
    for pair in pairs: ...
    print(pairs.account.rows, pairs.account.skipped)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from otherwords.errors import DataError, LabelError, UsageError
from otherwords.records import Document, Pair, Record
from otherwords.sources.files import bare_suffix, replacing, same_file
from otherwords.sources.folders import replacing_folder
from otherwords.sources.format import NOUNS, Format, Head
from otherwords.sources.formats import FORMATS
from otherwords.sources.rows import check_columns, checked_label
from otherwords.sources.source import Account, OnError, Source, keeping_account

# The formats whose columns a user may name; those of a released corpus are what they are.
NAMED_COLUMNS = ("labelstudio", "doccano", "prodigy", "hf", "parquet", "jsonl", "csv", "tsv")

ABOUT_RELEASE = "release.json"  # by which a folder is known as a release of ours
IN_RELEASE = {"pairs": "data/pairs.jsonl", "judgements": "judgements.jsonl"}


@dataclass(slots=True)
class Reading:
    """The records of one file, and the account of what was read."""

    format: Format
    source: Source

    @property
    def account(self) -> Account:
        return self.source.account

    def __iter__(self) -> Iterator[Record]:
        lang, scheme = self.source.lang, self.source.scheme
        for record in self.format.read(self.source):
            if scheme and isinstance(record, Pair):
                try:
                    record = checked_label(record, scheme)
                except LabelError as problem:
                    self.source.reject(None, f"pair {record.id}: {problem}", msgspec.to_builtins(record))
                    continue
            self.account.rows += 1
            if lang and isinstance(record, Pair | Document) and record.lang is None:
                yield msgspec.structs.replace(record, lang=lang)
            else:
                yield record

    def pairs(self) -> Iterator[Pair]:
        """The same, for callers that asked for pairs."""
        return (record for record in self if isinstance(record, Pair))


@contextlib.contextmanager
def reading(
    path: str | Path,
    format: str | None = None,
    *,
    noun: str = "pairs",
    on_error: OnError = "stop",
    quarantine: str | Path | None = None,
    encoding: str | None = None,
    lang: str | None = None,
    columns: dict[str, str] | None = None,
    scheme: str | None = None,
    called: str | None = None,
) -> Iterator[Reading]:
    """Open a corpus. The format is recognised where it is not named; ``-`` is standard input."""
    where = None if str(path) == "-" else Path(path)
    if where is not None and format is None:
        where = _in_release(where, noun)
    check_columns(NOUNS[noun], columns or {})
    if same_file(path, quarantine):
        raise UsageError(f"--quarantine {quarantine}: that is the file to be read; name another")
    if format and columns and format not in NAMED_COLUMNS:
        raise UsageError(f"--columns goes with {', '.join(NAMED_COLUMNS)}; the columns of {format} are fixed")
    with keeping_account(on_error, Path(quarantine) if quarantine else None) as account:
        source = Source(
            where, account, NOUNS[noun], encoding, lang, columns or {}, scheme, named=format is not None, called=called
        )
        chosen = FORMATS.get(format) if format else recognise(source)
        _check(chosen, source, noun)
        yield Reading(chosen, source)


def _in_release(path: Path, noun: str) -> Path:
    """The file of a release of ours that holds what is asked for; anything else as it is."""
    file = path / IN_RELEASE.get(noun, ABOUT_RELEASE)
    return file if noun in IN_RELEASE and (path / ABOUT_RELEASE).is_file() and file.is_file() else path


def _check(chosen: Format, source: Source, noun: str) -> None:
    if NOUNS[noun] not in chosen.nouns:
        known = ", ".join(name for name, kind in NOUNS.items() if kind in chosen.nouns)
        raise UsageError(f"format {chosen.name} has no {noun}; it has {known}")
    if source.path is not None and chosen.recognises_folder(source.path):
        return
    if not source.head(64).strip(b"\xef\xbb\xbf\xff\xfe \t\r\n"):
        raise source.error("is empty")


def recognise(source: Source) -> Format:
    """The format of a file by its start and suffix; the first that knows it, most specific first."""
    if source.path is not None and source.path.is_dir():
        for name in FORMATS:
            candidate = FORMATS.get(name)
            if candidate.recognises_folder(source.path) and candidate.sniff(Head("/", _listing(source.path))):
                return candidate
        raise DataError("is a folder; name a file, or the format with --from", source.path)
    head = Head(bare_suffix(source.path) if source.path else "", source.head())
    if not head.start.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n"):
        raise source.error("is empty")
    for name in NAMED_COLUMNS if source.columns else FORMATS:
        candidate = FORMATS.get(name)
        if candidate.sniff(head):
            return candidate
    raise source.error(f"the format is not recognised; name it with --from ({', '.join(FORMATS)})")


def _listing(folder: Path) -> bytes:
    """The names in a folder, a line each, for a format to recognise it by."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), folder) from None
    return "".join(name + "\n" for name in names).encode("utf-8", "replace")


def format_for(path: str | Path, format: str | None = None) -> Format:
    """The format to write: by name, or by the suffix of the file; JSON Lines on standard output."""
    if format:
        return FORMATS.get(format)
    if str(path) == "-":
        return FORMATS.get("jsonl")
    suffix = bare_suffix(Path(path))
    for name in ("jsonl", "csv", "tsv", "parquet"):
        if FORMATS.get(name).suffix == suffix:
            return FORMATS.get(name)
    raise UsageError(f"{path}: cannot tell the format from the suffix {suffix!r}; name it with --to")


def write(records: Iterable[Record], path: str | Path, format: str | None = None) -> None:
    """Write records; the file, or the folder of a format that is several files, appears only when it is whole."""
    chosen = format_for(path, format)
    fitting = _fitting(records, chosen)
    if chosen.write_folder is not None and str(path) != "-":
        with replacing_folder(Path(path)) as folder:
            chosen.write_folder(fitting, folder)
        return
    with replacing(None if str(path) == "-" else Path(path)) as stream:
        chosen.write(fitting, stream)


def _fitting(records: Iterable[Record], chosen: Format) -> Iterator[Record]:
    """The records, as long as they are of a kind that the format holds: none is left out without a word."""
    for record in records:
        if not isinstance(record, chosen.nouns):
            known = ", ".join(name for name, kind in NOUNS.items() if kind in chosen.nouns)
            raise UsageError(f"format {chosen.name} cannot hold a {type(record).__name__.lower()}; it holds {known}")
        yield record


Watch = Callable[[Iterable[Pair], Reading, str], Iterator[Pair]]


def unwatched(pairs: Iterable[Pair], reading: Reading, title: str) -> Iterator[Pair]:
    """Where nobody looks on: the pairs as they come. A command line puts a progress bar in its place."""
    return iter(pairs)
