"""What the functions that read corpora have in common: options of reading, progress, and lists of paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar

from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.sources.reading import RecordReader

StrPath = str | Path
Paths = StrPath | Sequence[StrPath]
RecordT = TypeVar("RecordT")


class ReadingOptions(TypedDict, total=False):
    """How files are read. All may be left out: the format is recognised by its content.

    ``format`` is a name that ``otherwords.formats()`` lists, ``lang`` the language of texts without one, ``columns``
    maps fields to the columns of a table (``{"text1": "a"}``). Labels outside ``scheme`` are refused. ``on_error``
    decides about rows that cannot be read; ``quarantine`` is a file for them and their reasons.
    """

    format: str | None
    lang: str | None
    columns: dict[str, str] | None
    encoding: str | None
    scheme: str | None
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
