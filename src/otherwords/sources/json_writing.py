"""One large JSON value written piece by piece, as it is read: a list or an object, one element a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO

import msgspec


def write_list(values: Iterable[Any], stream: BinaryIO) -> None:
    """A JSON list."""
    _write((msgspec.json.encode(value) for value in values), stream, b"[", b"]")


def write_object(values: Iterable[tuple[str, Any]], stream: BinaryIO) -> None:
    """A JSON object."""
    _write(
        (msgspec.json.encode(name) + b": " + msgspec.json.encode(value) for name, value in values), stream, b"{", b"}"
    )


def _write(pieces: Iterable[bytes], stream: BinaryIO, start: bytes, end: bytes) -> None:
    stream.write(start)
    for number, piece in enumerate(pieces):
        stream.write((b",\n" if number else b"\n") + piece)
    stream.write(b"\n" + end + b"\n")
