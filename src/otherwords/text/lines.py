"""Lines of a text file with their numbers, so that a reader can say where it stumbled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from otherwords.errors import DataError


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Each line of a UTF-8 file with its number, from 1, without its end."""
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                yield number, _decoded(raw, path, number).rstrip("\r\n")
    except OSError as problem:
        raise DataError(f"cannot be read: {problem.strerror}", path) from problem


def _decoded(raw: bytes, path: Path, number: int) -> str:
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as problem:
        raise DataError("is not UTF-8; convert the file first", path, number) from problem
