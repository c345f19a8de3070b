"""One file being read: its lines, and an account of every row that was taken, marked or refused.

A format asks a :class:`Source` for lines or text and reports what is wrong with a row by
:meth:`Source.reject`; what then happens (stop, skip, or write it aside with its reason) is the
user's choice and not the format's business. Nothing is dropped without being counted.
"""

from __future__ import annotations

import codecs
import contextlib
import dataclasses
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal, cast

from otherwords.errors import DataError
from otherwords.records import Judgement, Pair, Record
from otherwords.sources.files import MAX_LINE, bare_stem, open_binary, replacing

BLOCK = 2**20
OnError = Literal["stop", "skip", "quarantine"]
MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(slots=True)
class Account:
    """What happened to the rows of one reading, shared by all files that belong to it."""

    on_error: OnError = "stop"
    rows: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    marked: Counter[str] = field(default_factory=Counter)
    quarantine: IO[bytes] | None = None
    place: tuple[str, int] | None = None  # the file and line of the record that was given last, where a format tells

    def reject(self, path: str, line: int | None, reason: str, raw: object) -> None:
        if self.on_error == "stop":
            raise DataError(reason, path, line)
        self.skipped[reason] += 1
        if self.quarantine is not None:
            row = {"file": path, "line": line, "reason": reason, "row": raw}
            self.quarantine.write(json.dumps(row, ensure_ascii=False, default=str).encode() + b"\n")


@dataclass(slots=True)
class Source:
    """A file or folder to read, with the user's wishes about how."""

    path: Path | None
    account: Account
    wanted: type[Record] = Pair
    encoding: str | None = None
    lang: str | None = None
    columns: dict[str, str] = field(default_factory=dict)
    scheme: str | None = None
    named: bool = False  # whether the user named the format; a recognised one says less about the texts
    called: str | None = None  # what to call the file in messages, where its path says nothing to the user
    _open: BinaryIO | None = None
    _start: bytes | None = None  # what was read of standard input to recognise it

    @property
    def name(self) -> str:
        return self.called or ("standard input" if self.path is None else str(self.path))

    @property
    def stem(self) -> str:
        return "stdin" if self.path is None else bare_stem(self.path)

    @property
    def wants_pairs(self) -> bool:
        return self.wanted is Pair

    @property
    def wants_judgements(self) -> bool:
        return self.wanted is Judgement

    def beside(self, path: Path) -> Source:
        """Another file of the same reading."""
        return dataclasses.replace(self, path=path, called=None, _open=None, _start=None)

    def reject(self, line: int | None, reason: str, raw: object = None) -> None:
        """A row that cannot be used. Returns only if the user chose to go on without it."""
        self.account.reject(self.name, line, reason, raw)

    def at(self, line: int) -> None:
        """Note where the record stands that is given next, for those who look at records later."""
        self.account.place = self.name, line

    def reject_last(self, id: str, reason: str, raw: object) -> None:
        """The record that was given last cannot be used after all."""
        self.account.rows -= 1
        if self.account.place is None:
            self.reject(None, f"pair {id}: {reason}", raw)
        else:
            self.account.reject(*self.account.place, reason, raw)

    def mark(self, reason: str) -> None:
        """Count a row that is kept although new work would not be allowed to look like this."""
        self.account.marked[reason] += 1

    def error(self, reason: str, line: int | None = None) -> DataError:
        """An error that ends the reading whatever the user chose: the file as a whole is unusable."""
        return DataError(reason, self.name, line)

    def _too_long(self, number: int) -> DataError:
        return self.error(f"the line is longer than {MAX_LINE // 2**20} MB; is this the right format?", number)

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """The unpacked bytes."""
        if self.path is None:
            yield cast("BinaryIO", io.BufferedReader(_Replayed(self._start or b"", sys.stdin.buffer), BLOCK))
            return
        with open_binary(self.path) as stream:
            self._open = stream
            try:
                yield stream
            finally:
                self._open = None

    def fraction(self) -> float:
        """How much of the file has been taken from disk so far, for a progress bar."""
        if self._open is None or self.path is None or self._open.closed:
            return 0.0
        return os.lseek(self._open.fileno(), 0, os.SEEK_CUR) / max(1, self.path.stat().st_size)

    def byte_lines(self) -> Iterator[tuple[int, bytes]]:
        """Numbered lines of a file in UTF-8 as bytes, without line ends and byte order mark."""
        for number, line in self._raw_bytes():
            yield number, line.removesuffix(b"\n").removesuffix(b"\r")

    def byte_blocks(self) -> Iterator[tuple[int, bytes]]:
        """The same bytes as blocks of whole lines, each with the number of its first line."""
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
        """Numbered lines as text with the line ends that they have."""
        encoding = self.actual_encoding
        if encoding != "utf-8":
            yield from self._wide_lines(encoding)
            return
        for number, line in self._raw_bytes():
            try:
                yield number, line.decode("utf-8")
            except UnicodeDecodeError as problem:
                self.reject(number, _not_utf8(problem), line.decode("latin-1"))

    def _raw_bytes(self) -> Iterator[tuple[int, bytes]]:
        with self.binary() as stream:
            for number, line in enumerate(_limited(stream, self), 1):
                yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line

    @property
    def actual_encoding(self) -> str:
        """The encoding that the user named or a byte order mark tells; UTF-8 where neither does."""
        if not self.encoding:
            head = self.head(4)
            return next((name for mark, name in MARKS if head.startswith(mark)), "utf-8")
        try:
            return codecs.lookup(self.encoding).name
        except (LookupError, ValueError):
            raise self.error(f"no such encoding: {self.encoding!r}") from None

    def _wide_lines(self, encoding: str) -> Iterator[tuple[int, str]]:
        with self.binary() as stream:
            try:
                reader = io.TextIOWrapper(stream, encoding, newline="\n")
            except LookupError:
                raise self.error(f"{encoding!r} is not an encoding of text") from None
            try:
                for number, line in enumerate(_limited(reader, self), 1):
                    yield number, line.removeprefix("\ufeff") if number == 1 else line
            except UnicodeError as problem:
                raise self.error(f"is not {encoding}: {problem}") from None
            finally:
                reader.detach()

    def head(self, size: int = 65536) -> bytes:
        """The first bytes, to recognise a format by; those of standard input stay there to be read."""
        if self.path is None:
            if self._start is None:
                self._start = sys.stdin.buffer.read(65536)
            return self._start[:size]
        with self.binary() as stream:
            return stream.read(size)


class _Replayed(io.RawIOBase):
    """Bytes that were read already, and then the rest of the stream that they came from."""

    def __init__(self, start: bytes, stream: BinaryIO) -> None:
        self._start, self._stream = start, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        block = self._start[: len(buffer)] or self._stream.read1(len(buffer))  # type: ignore[attr-defined]
        self._start = self._start[len(buffer) :]
        buffer[: len(block)] = block
        return len(block)


def _limited(stream: Any, source: Source) -> Iterator[Any]:
    """Lines of a binary or text stream; one beyond the limit ends the reading."""
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise source._too_long(number)
        yield line


def _not_utf8(problem: UnicodeDecodeError) -> str:
    byte = problem.object[problem.start]
    return f"not UTF-8 (byte 0x{byte:02x} at column {problem.start + 1}); name another encoding with --encoding"


@contextlib.contextmanager
def keeping_account(on_error: OnError, quarantine: Path | None) -> Iterator[Account]:
    """An account for one reading; an empty quarantine file says that nothing was refused."""
    if on_error != "quarantine":
        yield Account(on_error)
        return
    if quarantine is None:
        raise DataError("--on-error quarantine needs a file to write the refused rows to (--quarantine FILE)")
    with replacing(quarantine) as stream:
        yield Account(on_error, quarantine=stream)
