"""Loose JSON as the platforms export it: an object a line, or one list of objects.

In goes a source, out come objects with the line each starts on, one in memory at a time. What is no
object is rejected like any bad row; a line beyond the limit of the room ends the reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from otherwords.sources import json_stream
from otherwords.sources.format import Head
from otherwords.sources.source import Source

Object = dict[str, Any]


def json_objects(source: Source) -> Iterator[tuple[int, Object]]:
    """The objects of a file, each with its line."""
    rows = json_stream.elements(source) if json_stream.opening(Head("", source.head())) == "[" else _lines(source)
    for number, row in rows:
        if isinstance(row, dict):
            yield number, row
        else:
            source.reject(number, f"a JSON object is expected, found {_kind(row)}", row)


def field_at(row: Object, path: str) -> Any:
    """What stands under a name, or under names joined by dots, one inside the other; None where nothing does."""
    if path in row or "." not in path:
        return row.get(path)
    found: Any = row
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def text_at(row: Object, path: str) -> str | None:
    """The same as text: a number is written out, anything else that is no text counts as absent."""
    found = field_at(row, path)
    if isinstance(found, int | float) and not isinstance(found, bool):
        return str(found)
    return found if isinstance(found, str) and found.strip() else None


def _lines(source: Source) -> Iterator[tuple[int, Any]]:
    decode = msgspec.json.Decoder().decode
    utf8 = source.actual_encoding == "utf-8"
    for number, line in source.byte_lines() if utf8 else source.lines():
        if not line.strip():
            continue
        try:
            yield number, decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as problem:
            raw = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
            source.reject(number, _reason(problem), raw)


def _reason(problem: Exception) -> str:
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    if isinstance(problem, UnicodeDecodeError):
        return "not UTF-8; if it is another encoding, name it with --encoding"
    return f"not JSON: {problem}; one object a line is expected"


def _kind(value: object) -> str:
    if isinstance(value, list):
        return "a list"
    return "nothing (null)" if value is None else f"{str(value)[:40]!r}"
