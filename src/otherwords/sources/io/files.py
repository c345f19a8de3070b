"""Open and replace files: compression by suffix, limits against hostile input, atomic writing.

Reading cannot exhaust the machine: lines have a maximum length and compressed files a maximum ratio. A file that is
written appears under its name only when it is complete.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
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

from otherwords.digests import digest_hex
from otherwords.errors import DataError, WriteError

MAX_LINE = 32 * 2**20
MAX_RATIO = 250  # text compresses to a tenth or a fiftieth of its size, a zip bomb to a thousandth
RATIO_FREE = 64 * 2**20  # up to this many uncompressed bytes, any ratio is allowed
COMPRESSED = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd", ".zip": "zip"}
MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"}
# What the decompressors raise for damaged data; zipfile alone raises six of them.
UNPACKING_ERRORS = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)


def bare_suffix(path: Path) -> str:
    """The suffix without that of compression: ``.jsonl`` for ``pairs.jsonl.gz``."""
    return path.with_suffix("").suffix.lower() if path.suffix.lower() in COMPRESSED else path.suffix.lower()


def bare_stem(path: Path) -> str:
    """The name without the suffixes of format and compression."""
    return Path(path.stem).stem if path.suffix.lower() in COMPRESSED else path.stem


@contextlib.contextmanager
def open_binary(path: Path | None) -> Iterator[BinaryIO]:
    """The uncompressed bytes of a file; None is standard input. DataError if it cannot be read."""
    if path is None:
        yield sys.stdin.buffer
        return
    try:
        if path.is_dir():
            raise DataError("this is a folder; a file is needed", path, code="file-needed")
        if path.is_fifo():  # its start, read to recognise the format, would be missing afterwards
            message = "this is a pipe, which can be read only once; pass it as standard input and name it -"
            raise DataError(message, path, code="file-needed")
        with path.open("rb") as raw, contextlib.ExitStack() as stack:
            start = raw.read(4)
            by_start = next((name for magic, name in MAGIC.items() if start.startswith(magic)), None)
            compression = COMPRESSED.get(path.suffix.lower(), by_start)  # a zip archive only by its suffix
            raw.seek(0)
            if compression is None:
                yield raw
                return
            size = os.fstat(raw.fileno()).st_size
            try:
                unpacked = _unpack(raw, compression, path, stack)
            except UNPACKING_ERRORS as problem:
                raise DataError(f"not a usable {compression} file ({problem})", path, code="damaged-archive") from None
            yield cast("BinaryIO", io.BufferedReader(_Guarded(unpacked, raw.fileno(), size, path), 2**18))
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path, code="file-unreadable") from None


def _unpack(raw: BinaryIO, compression: str, path: Path, stack: contextlib.ExitStack) -> IO[bytes]:
    if compression == "gzip":
        return stack.enter_context(cast("IO[bytes]", gzip.GzipFile(fileobj=raw)))
    if compression == "bzip2":
        return stack.enter_context(cast("IO[bytes]", bz2.BZ2File(raw)))
    if compression == "zip":
        archive = stack.enter_context(zipfile.ZipFile(raw))
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) != 1:
            message = f"the archive holds {len(members)} files, 1 is expected; unpack it and name the file to read"
            raise DataError(message, path, code="not-one-file-in-archive")
        if members[0].flag_bits & 1:
            raise DataError("the archive is encrypted; unpack it first", path, code="encrypted-archive")
        return stack.enter_context(archive.open(members[0]))
    import pyarrow as pa

    return stack.enter_context(cast("IO[bytes]", pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")))


class _Guarded(io.RawIOBase):
    """Passes on uncompressed bytes until there are implausibly many."""

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
        except UNPACKING_ERRORS as problem:
            message = f"the compressed data is damaged or cut short ({problem})"
            raise DataError(message, self._path, code="damaged-archive") from None
        self._seen += len(block)
        if self._seen > self._limit:
            raise DataError(
                f"the file unpacks to more than {MAX_RATIO} times its size, which no text does; "
                "if you trust it, unpack it first",
                self._path,
                code="implausible-compression",
            )
        buffer[: len(block)] = block
        return len(block)


def list_folder(folder: Path) -> list[Path]:
    """The sorted content of a folder; DataError if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), folder, code="file-unreadable") from None


@contextlib.contextmanager
def readable_twice(path: str | Path) -> Iterator[str | Path]:
    """The path itself; for standard input, a temporary copy of it."""
    if str(path) != "-":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        copy = Path(folder) / "stdin"
        with copy.open("wb") as target:
            shutil.copyfileobj(sys.stdin.buffer, target, 2**20)
        yield copy


@contextlib.contextmanager
def atomic_write(path: Path | None, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A stream whose content replaces the file ``path`` if the block succeeds, and vanishes if it fails.

    None is standard output. The suffix decides on compression, which is reproducible: no time stamps inside. A link
    stays a link, and a replaced file keeps its permissions; a new one has those of ``mode`` from its first byte.
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
        aside = target.with_name(f".{digest_hex(target.name, size=6)}.{os.getpid()}.part")
        try:
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as raw:
                if target.exists():
                    os.fchmod(raw.fileno(), target.stat().st_mode & 0o777)
                with _pack(raw, COMPRESSED.get(path.suffix.lower())) as stream:
                    yield stream
                raw.flush()
                os.fsync(raw.fileno())
            aside.replace(target)
        finally:
            with contextlib.suppress(OSError):
                aside.unlink()
    except OSError as problem:
        raise WriteError(f"{path}: cannot be written: {problem.strerror or problem}", code="file-unwritable") from None


def remove_unfinished(folder: Path) -> None:
    """Remove what killed processes were writing into a folder and below; only for folders to which nobody writes."""
    for aside in folder.rglob(".*.part"):
        if aside.is_file():
            aside.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Whether a path is a device, pipe or descriptor, which is written to and not replaced."""
    absolute = path.absolute()
    in_memory = absolute.is_relative_to("/dev/shm")  # noqa: S108 - ordinary files
    if not in_memory and (absolute.is_relative_to("/dev") or absolute.is_relative_to("/proc")):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def same_file(path1: str | Path | None, path2: str | Path | None) -> bool:
    """Whether two names mean the same file, whether or not it exists."""
    if path1 is None or path2 is None or "-" in (str(path1), str(path2)):
        return False
    return Path(path1).resolve() == Path(path2).resolve()


@contextlib.contextmanager
def _pack(raw: BinaryIO, compression: str | None) -> Iterator[BinaryIO]:
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

        # Arrow closes the file that it gets, and the original must stay open to be synced.
        with (
            os.fdopen(os.dup(raw.fileno()), "wb") as own,
            pa.CompressedOutputStream(pa.PythonFile(own, mode="w"), "zstd") as stream,
        ):
            yield cast("BinaryIO", stream)
    else:
        raise WriteError(f"cannot write {compression} archives; use .gz, .bz2 or .zst", code="unsupported-compression")


@contextlib.contextmanager
def atomic_folder(path: Path, mode: int = 0o777) -> Iterator[Path]:
    """A folder to fill, which is moved to ``path`` if the block succeeds. A folder that holds files is not replaced."""
    path = path.resolve()
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise WriteError(f"{path}: this is not an empty folder; name a new one", code="folder-not-empty")
        aside.parent.mkdir(parents=True, exist_ok=True)
        aside.mkdir(mode)
        yield aside
        aside.replace(path)
    except OSError as problem:
        raise WriteError(f"{path}: cannot be written: {problem.strerror or problem}", code="file-unwritable") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
