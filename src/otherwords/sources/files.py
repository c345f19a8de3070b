"""Opening and replacing files: compression by suffix, limits that hold against hostile input, atomic writing.

In goes a path (or ``-``), out comes a stream of bytes that cannot exhaust the machine: a line has a
largest length, and a compressed file a largest ratio. What is written appears under its name only
when it is whole.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import hashlib
import io
import lzma
import os
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from otherwords.errors import DataError, WriteError

MAX_LINE = 32 * 2**20
MAX_RATIO = 250  # text packs to a tenth or a fiftieth; a bomb to a thousandth
RATIO_FREE = 64 * 2**20  # below this much unpacked text, any ratio is allowed
COMPRESSED = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd", ".zip": "zip"}
MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"}
# What the unpackers raise on damaged data; zipfile alone has five ways of saying it.
_DAMAGED = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    OverflowError,
    NotImplementedError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)


def bare_suffix(path: Path) -> str:
    """The suffix that tells the format: ``.jsonl`` of ``pairs.jsonl.gz``."""
    return path.with_suffix("").suffix.lower() if path.suffix.lower() in COMPRESSED else path.suffix.lower()


def bare_stem(path: Path) -> str:
    """The name without suffixes of format and compression."""
    return Path(path.stem).stem if path.suffix.lower() in COMPRESSED else path.stem


@contextlib.contextmanager
def open_binary(path: Path | None) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked; None is standard input. What is wrong with it is a DataError."""
    if path is None:
        yield sys.stdin.buffer
        return
    try:
        with _opened(path) as stream:
            yield stream
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path) from None


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if path.is_dir():
        raise DataError("is a folder, a file is needed", path)
    if path.is_fifo():  # its start, read to recognise the format, would be missing afterwards
        raise DataError("is a pipe and can be read only once; give it as standard input, with - for its name", path)
    with path.open("rb") as raw:
        compression = COMPRESSED.get(path.suffix.lower()) or _compression_told_by(raw.read(4))
        raw.seek(0)
        if compression is None:
            yield raw
            return
        size = os.fstat(raw.fileno()).st_size
        with contextlib.ExitStack() as stack:
            try:
                unpacked = _unpacked(raw, compression, path, stack)
            except _DAMAGED as problem:
                raise DataError(f"not usable as {compression} ({problem})", path) from None
            yield cast("BinaryIO", io.BufferedReader(_Guarded(unpacked, raw.fileno(), size, path), 2**18))


def _compression_told_by(start: bytes) -> str | None:
    """The compression of a file whose name does not tell; an archive has to be called one."""
    return next((name for magic, name in MAGIC.items() if start.startswith(magic)), None)


def _unpacked(raw: BinaryIO, compression: str, path: Path, stack: contextlib.ExitStack) -> IO[bytes]:
    if compression == "gzip":
        return stack.enter_context(cast("IO[bytes]", gzip.GzipFile(fileobj=raw)))
    if compression == "bzip2":
        return stack.enter_context(cast("IO[bytes]", bz2.BZ2File(raw)))
    if compression == "zip":
        archive = stack.enter_context(zipfile.ZipFile(raw))
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) != 1:
            raise DataError(f"the archive holds {len(members)} files; unpack it and name the one to read", path)
        if members[0].flag_bits & 1:
            raise DataError("the archive is encrypted; unpack it first", path)
        return stack.enter_context(archive.open(members[0]))
    import pyarrow as pa

    return stack.enter_context(cast("IO[bytes]", pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")))


class _Guarded(io.RawIOBase):
    """Passes unpacked bytes on until there are implausibly many of them."""

    def __init__(self, stream: IO[bytes], descriptor: int, packed: int, path: Path) -> None:
        self._stream, self._path, self._descriptor = stream, path, descriptor
        self._limit = max(RATIO_FREE, packed * MAX_RATIO)
        self._seen = 0

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            block = self._stream.read(len(buffer))
        except _DAMAGED as problem:
            raise DataError(f"the compressed data is damaged or cut short ({problem})", self._path) from None
        self._seen += len(block)
        if self._seen > self._limit:
            raise DataError(
                f"unpacks to more than {MAX_RATIO} times its size, which no text does; "
                "if it is what you want, unpack it first",
                self._path,
            )
        buffer[: len(block)] = block
        return len(block)


@contextlib.contextmanager
def readable_twice(path: str | Path) -> Iterator[str | Path]:
    """The path itself, or for standard input a temporary copy of it."""
    if str(path) != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        copy = Path(folder) / "stdin"
        with copy.open("wb") as target:
            shutil.copyfileobj(sys.stdin.buffer, target, 2**20)
        yield copy


@contextlib.contextmanager
def replacing(path: Path | None) -> Iterator[BinaryIO]:
    """A stream whose content stands under ``path`` when the block ends well, and nowhere when it does not.

    None is standard output. Compression goes by suffix, and is reproducible: no time stamps inside. A link
    stays a link, and a file that is replaced keeps its permissions.
    """
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        if is_stream(path):
            with path.open("wb") as stream:
                yield stream
            return
        target = path.resolve()
        aside = target.with_name(
            f".{hashlib.blake2b(target.name.encode(), digest_size=6).hexdigest()}.{os.getpid()}.part"
        )
        try:
            with aside.open("wb") as raw:
                if target.exists():
                    os.fchmod(raw.fileno(), target.stat().st_mode & 0o777)
                with _packed(raw, COMPRESSED.get(path.suffix.lower())) as stream:
                    yield stream
                raw.flush()
                os.fsync(raw.fileno())
            aside.replace(target)
        finally:
            with contextlib.suppress(OSError):
                aside.unlink()
    except OSError as problem:
        raise WriteError(f"{path}: cannot be written: {problem.strerror or problem}") from None


def is_stream(path: Path) -> bool:
    """Whether a path is a device, a pipe or a descriptor: something to write into, not to replace."""
    absolute = path.absolute()
    if absolute.is_relative_to("/dev") or absolute.is_relative_to("/proc"):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def same_file(one: str | Path | None, other: str | Path | None) -> bool:
    """Whether two names mean the same file, there already or not."""
    if one is None or other is None or "-" in (str(one), str(other)):
        return False
    return Path(one).resolve() == Path(other).resolve()


@contextlib.contextmanager
def _packed(raw: BinaryIO, compression: str | None) -> Iterator[BinaryIO]:
    if compression is None:
        yield raw
    elif compression == "gzip":
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0, compresslevel=6) as stream:
            yield cast("BinaryIO", stream)
    elif compression == "bzip2":
        with bz2.BZ2File(raw, "wb") as stream:
            yield cast("BinaryIO", stream)
    elif compression == "zstd":
        import pyarrow as pa

        # Arrow closes the file that it is given, and the original must stay open to be synced.
        with (
            os.fdopen(os.dup(raw.fileno()), "wb") as own,
            pa.CompressedOutputStream(pa.PythonFile(own, mode="w"), "zstd") as stream,
        ):
            yield cast("BinaryIO", stream)
    else:
        raise WriteError(f"cannot write {compression} archives; use .gz, .bz2 or .zst")
