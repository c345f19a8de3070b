"""A file being read: its lines, and a log of the rows that were read, marked or rejected.

A reader gets lines or bytes from a :class:`Source` and reports bad rows with :meth:`Source.reject`. What happens to
such a row (stop, skip, or write it to the quarantine file with its reason) is the user's choice and not the reader's.
No row is dropped without being counted.
"""

from __future__ import annotations

import codecs
import contextlib
import dataclasses
import io
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal, cast

from otherwords.errors import BadRow, DataError
from otherwords.records import Judgement, Pair, Record
from otherwords.sources.io.files import MAX_LINE, bare_stem, open_binary
from otherwords.sources.quarantine import Quarantine

BLOCK = 2**20
MOST_REASONS = 10
_NOT_FOR_FILES = frozenset({"unicode_escape", "raw_unicode_escape", "undefined", "idna", "punycode", "utf_7"})
OnError = Literal["stop", "skip", "quarantine"]
Place = tuple[str, int]  # the name of a file, and a line
BYTE_ORDER_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(slots=True)
class ReadLog:
    """What happened to the rows; all files of one corpus share a log.

    Rejected rows are counted by the first ``MOST_REASONS`` reasons, since a reason may name a value that no other row
    has. Rows with other reasons are counted together, under the name of a file that lists them.
    """

    on_error: OnError = "stop"
    rows: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    marked: Counter[str] = field(default_factory=Counter)
    quarantine: IO[bytes] | None = None
    listed_in: Path | None = None  # the file that lists all rejected rows, or those with other reasons
    place: Place | None = None  # the file and line of the last record, for formats that know it

    def reject(self, path: str, line: int | None, reason: str, raw: object) -> None:
        if self.on_error == "stop":
            raise BadRow(reason, path, line, code="bad-row")
        self.set_aside(path, line, reason, raw)
        if reason not in self.skipped and len(self.skipped) >= MOST_REASONS:
            reason = f"other reasons, listed in {self._list_rest({'file': path, 'line': line, 'reason': reason})}"
        self.skipped[reason] += 1

    def set_aside(self, path: str, line: int | None, reason: str, raw: object) -> None:
        """Write a row to the quarantine file, if there is one, without counting it."""
        if self.quarantine is not None:
            _write_row(self.quarantine, {"file": path, "line": line, "reason": reason, "row": raw})

    def _list_rest(self, row: dict[str, object]) -> Path:
        """List a row with one reason too many, unless the quarantine file has it; the file that lists it."""
        if self.listed_in is None:
            handle, name = tempfile.mkstemp(prefix="otherwords-refused-", suffix=".jsonl")
            os.close(handle)
            self.listed_in = Path(name)
        if self.quarantine is None:
            with self.listed_in.open("ab") as stream:
                _write_row(stream, row)
        return self.listed_in


def _write_row(stream: IO[bytes], row: dict[str, object]) -> None:
    stream.write(json.dumps(row, ensure_ascii=False, default=str).encode() + b"\n")


@dataclass(slots=True)
class Source:
    """A file or folder to read, and the user's options for reading it."""

    path: Path | None
    account: ReadLog
    record_type: type[Record] = Pair
    encoding: str | None = None
    lang: str | None = None
    columns: dict[str, str] = field(default_factory=dict)
    scheme: str | None = None
    format_named: bool = False  # whether the user named the format; a recognised one says less about the texts
    display_name: str | None = None  # for messages, if the path means nothing to the user
    sheet: str | None = None  # of a workbook
    judges: dict[str, str] = field(default_factory=dict)  # annotators by the columns of a table with their answers
    _open: BinaryIO | None = None
    _start: bytes | None = None  # the start of standard input, read to recognise the format

    @property
    def name(self) -> str:
        return self.display_name or ("standard input" if self.path is None else str(self.path))

    @property
    def stem(self) -> str:
        if self.path is None:
            return "stdin"
        return bare_stem(self.path if self.path.name else self.path.resolve())  # the folder "." has no name

    def require_path(self, format: str) -> Path:
        """The path; an error for standard input, for formats that cannot be read from a stream."""
        if self.path is None:
            raise self.error(f"{format} cannot be read from standard input; name its path", code="file-needed")
        return self.path

    @property
    def wants_judgements(self) -> bool:
        return self.record_type is Judgement

    def sibling(self, path: Path) -> Source:
        """Another file of the same corpus."""
        return dataclasses.replace(self, path=path, display_name=None, _open=None, _start=None)

    def reject(self, line: int | None, reason: str, raw: object = None) -> None:
        """Report a row that cannot be used. Returns only if the user chose to continue without it."""
        self.account.reject(self.name, line, reason, raw)

    def note_place(self, line: int) -> None:
        """Note the line of the next record, for messages about it by later checks."""
        self.account.place = self.name, line

    @property
    def place(self) -> Place | None:
        """The file and line of the last record, for formats that know it."""
        return self.account.place

    def reject_last(self, id: str, reason: str, raw: object) -> None:
        """Reject the last record after it was read."""
        self.reject_read(self.place, reason if self.place else f"pair {id}: {reason}", raw)

    def reject_read(self, place: Place | None, reason: str, raw: object) -> None:
        """Reject a record after it was read at that place."""
        self.account.rows -= 1
        file, line = place or (self.name, None)
        self.account.reject(file, line, reason, raw)

    def mark(self, reason: str, count: int = 1) -> None:
        """Count rows that are kept although there is something odd about them."""
        if count:
            self.account.marked[reason] += count

    def error(self, reason: str, line: int | None = None, *, code: str = "unspecified") -> DataError:
        """An error about the file as a whole, which ends the reading whatever the user chose."""
        return DataError(reason, self.name, line, code=code)

    def _too_long(self, number: int) -> DataError:
        return self.error(
            f"the line is longer than {MAX_LINE // 2**20} MB; is this the right format?", number, code="line-too-long"
        )

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """The uncompressed bytes."""
        if self.path is None:
            yield cast("BinaryIO", io.BufferedReader(_Replayed(self._start or b"", sys.stdin.buffer), 2**20))
            return
        with open_binary(self.path) as stream:
            self._open = stream
            try:
                yield stream
            finally:
                self._open = None

    def close(self) -> None:
        """Close the file if a reader that failed left it open."""
        if self._open is not None:
            self._open.close()

    def fraction(self) -> float:
        """The fraction of the file that has been read from disk, for a progress bar."""
        if self._open is None or self.path is None or self._open.closed:
            return 0.0
        return os.lseek(self._open.fileno(), 0, os.SEEK_CUR) / max(1, self.path.stat().st_size)

    def byte_lines(self) -> Iterator[tuple[int, bytes]]:
        """Numbered lines of a UTF-8 file as bytes, without line ends and byte order mark."""
        for number, line in self._raw_bytes():
            yield number, line.removesuffix(b"\n").removesuffix(b"\r")

    def byte_blocks(self) -> Iterator[tuple[int, bytes]]:
        """Blocks of whole lines as bytes, each with the number of its first line."""
        number, rest = 1, b""
        with self.binary() as stream:
            while block := stream.read(BLOCK):
                whole, end, rest = (rest + block).rpartition(b"\n")
                if len(rest) > MAX_LINE:
                    raise self._too_long(number + whole.count(b"\n") + len(end))
                if end:
                    yield number, whole.removeprefix(codecs.BOM_UTF8) if number == 1 else whole
                    number += whole.count(b"\n") + 1
        if rest:
            yield number, rest.removeprefix(codecs.BOM_UTF8) if number == 1 else rest

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines as text, without line ends. A line in another encoding is rejected."""
        for number, line in self.raw_lines():
            yield number, line.removesuffix("\n").removesuffix("\r")

    def raw_lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines as text, with their line ends."""
        encoding = self.actual_encoding
        if encoding != "utf-8":
            yield from self._wide_lines(encoding)
            return
        for number, line in self._raw_bytes():
            try:
                yield number, line.decode("utf-8")
            except UnicodeDecodeError as problem:
                byte, column = problem.object[problem.start], problem.start + 1
                reason = f"not UTF-8 (byte 0x{byte:02x} at column {column}); name another encoding with --encoding"
                self.reject(number, reason, line.decode("latin-1"))

    def _raw_bytes(self) -> Iterator[tuple[int, bytes]]:
        with self.binary() as stream:
            for number, line in enumerate(_limited_lines(stream, self), 1):
                yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line

    @property
    def actual_encoding(self) -> str:
        """The encoding that the user named, else that of a byte order mark, else UTF-8."""
        if not self.encoding:
            head = self.head(4)
            return next((name for mark, name in BYTE_ORDER_MARKS if head.startswith(mark)), "utf-8")
        try:
            return codecs.lookup(self.encoding).name
        except (LookupError, ValueError):
            raise self.error(f"no such encoding: {self.encoding!r}", code="no-such-encoding") from None

    def _wide_lines(self, encoding: str) -> Iterator[tuple[int, str]]:
        with self.binary() as stream:
            try:
                reader = io.TextIOWrapper(stream, encoding, newline="\n")
            except LookupError:
                raise self.error(f"{encoding!r} is not an encoding of text", code="no-such-encoding") from None
            try:
                for number, line in enumerate(_limited_lines(reader, self), 1):
                    yield number, line.removeprefix("\ufeff") if number == 1 else line
            except UnicodeError as problem:
                raise self.error(f"the file is not {encoding}: {problem}", code="wrong-encoding") from None
            finally:
                if not stream.closed:
                    reader.detach()

    def utf8_blocks(self, declared: Callable[[bytes], str | None] | None = None) -> Iterator[bytes]:
        """Blocks of UTF-8 without byte order mark, whatever the encoding, for the streaming readers of JSON and XML.

        The encoding is the one the user named, else that of a byte order mark, else the one that the file declares,
        else UTF-8, whose bytes are passed on unchanged. Bytes that do not fit the encoding are an error.
        """
        with self.binary() as stream:
            block = stream.read(BLOCK)
            marked = next((name for mark, name in BYTE_ORDER_MARKS if block.startswith(mark)), None)
            encoding = self._python_encoding(self.encoding or marked or (declared and declared(block)) or "utf-8")
            decoder = codecs.getincrementaldecoder(encoding)() if encoding != "utf-8" else None
            first = True
            try:
                while block:
                    text = decoder.decode(block).encode() if decoder else block
                    yield text.removeprefix(codecs.BOM_UTF8) if first else text
                    first, block = False, stream.read(BLOCK)
                if decoder:
                    decoder.decode(b"", final=True)
            except UnicodeError as problem:
                message = f"the file is not {encoding}: {problem}; name its encoding with --encoding"
                raise self.error(message, code="wrong-encoding") from None

    def _python_encoding(self, encoding: str) -> str:
        try:
            name = codecs.lookup(encoding).name
            b"".decode(name)
        except (LookupError, ValueError):
            name = "undefined"
        if name.replace("-", "_") in _NOT_FOR_FILES:
            message = f"no such encoding: {encoding!r}; name the right one with --encoding"
            raise self.error(message, code="no-such-encoding")
        return name

    def content(self, what: str) -> bytes:
        """All bytes of a file that holds one text; a file that is too large for ``what`` is an error."""
        with self.binary() as stream:
            content = stream.read(MAX_LINE + 1)
        if len(content) > MAX_LINE:
            message = f"the file is larger than {MAX_LINE // 2**20} MB, which is too large for {what}"
            raise self.error(message, code="element-too-large")
        return content

    def head(self, size: int = 65536) -> bytes:
        """The first bytes, to recognise a format; those of standard input can still be read afterwards."""
        if self.path is None:
            if self._start is None:
                self._start = sys.stdin.buffer.read(65536)
            return self._start[:size]
        with self.binary() as stream:
            return stream.read(size)


class _Replayed(io.RawIOBase):
    """A stream whose first bytes have been read already: these bytes, then the rest."""

    def __init__(self, start: bytes, stream: BinaryIO) -> None:
        self._start, self._stream = start, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        block = self._start[: len(buffer)] or self._stream.read1(len(buffer))  # type: ignore[attr-defined]
        self._start = self._start[len(buffer) :]
        buffer[: len(block)] = block
        return len(block)


def _limited_lines(stream: Any, source: Source) -> Iterator[Any]:
    """Lines of a binary or text stream; a line over the limit is an error."""
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise source._too_long(number)
        yield line


@contextlib.contextmanager
def open_read_log(on_error: OnError, quarantine: str | Path | Quarantine | None) -> Iterator[ReadLog]:
    """A log for one corpus. The quarantine file is written even if no row was rejected."""
    if on_error != "quarantine":
        yield ReadLog(on_error)
        return
    if (file := Quarantine.at(quarantine)) is None:
        raise DataError(
            "--on-error quarantine needs a file for the rejected rows; name it with --quarantine FILE",
            code="no-quarantine-file",
        )
    with file.rows() as stream:
        yield ReadLog(on_error, quarantine=stream, listed_in=file.path)
