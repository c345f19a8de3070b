"""What the functions that read corpora have in common: options of reading, progress, and lists of paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar

from otherwords.errors import DataError, UsageError

if TYPE_CHECKING:
    from otherwords.sources.reading import RecordReader

StrPath = str | Path
Paths = StrPath | Sequence[StrPath]
RecordT = TypeVar("RecordT")
_BYTES_PER_CHARACTER = 4  # of UTF-8, at most


class ReadingOptions(TypedDict, total=False):
    """How files are read. All may be left out: the format is recognised by its content.

    ``format`` is a name that ``otherwords.formats()`` lists, ``lang`` the language of texts without one, ``columns``
    maps fields to the columns of a table (``{"text1": "a"}``), ``sheet`` is that of a workbook. Labels outside
    ``scheme`` are refused. ``on_error`` decides about rows that cannot be read; ``quarantine`` is a file for them and
    their reasons.
    """

    format: str | None
    lang: str | None
    columns: dict[str, str] | None
    encoding: str | None
    scheme: str | None
    sheet: str | None
    on_error: Literal["stop", "skip", "quarantine"]
    quarantine: str | Path | None


class ReadingProgress(Protocol):
    """Passes records through while a file is read, to show how far it is."""

    def __call__(self, records: Iterable[RecordT], reading: RecordReader, title: str, /) -> Iterator[RecordT]: ...


def no_progress(records: Iterable[RecordT], reading: RecordReader, title: str, /) -> Iterator[RecordT]:
    """Pass the records through."""
    return iter(records)


def path_list(paths: Paths) -> list[StrPath]:
    """Several paths, or one, as a list."""
    return [paths] if isinstance(paths, str | Path) else list(paths)


def one_quarantine(options: ReadingOptions) -> dict[str, Any]:
    """The options with one file for the rejected rows of everything that is read with them."""
    from otherwords.sources.quarantine import Quarantine

    shared: dict[str, Any] = dict(options)
    return shared | {"quarantine": Quarantine.at(options.get("quarantine"))}


def check_quarantine(target: StrPath, options: ReadingOptions) -> None:
    """Refuse to write rejected rows into the file that is the output."""
    from otherwords.sources.io.files import same_file

    quarantine = options.get("quarantine")
    if same_file(target, quarantine):
        message = f"--quarantine {quarantine} is the output file; name another file"
        raise UsageError(message, code="same-file")


def read_markdown(file: StrPath, noun: str) -> str:
    """The text of a Markdown file, of which no more is read than fits on the site; ``-`` is standard input."""
    from otherwords.annotate.schemes.guidelines import MAX_CHARACTERS
    from otherwords.sources.io.files import open_binary

    path = None if str(file) == "-" else Path(file)
    place = path or "standard input"
    most = _BYTES_PER_CHARACTER * MAX_CHARACTERS
    with open_binary(path) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        message = f"too long; {noun} has at most {MAX_CHARACTERS:,} characters"
        raise DataError(message, place, code="text-too-long")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise DataError("not UTF-8; save the text as UTF-8", place, line, code="not-utf8") from None
