"""Loose JSON objects as tools and platforms export them: one object per line, or one list of objects.

Only one object is in memory at a time. Anything else than an object is rejected like any bad row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from otherwords.sources.format import Head
from otherwords.sources.io.json_stream import elements, first_character
from otherwords.sources.rows.records import JsonObject, explain_json_error
from otherwords.sources.source import Source


def json_objects(source: Source) -> Iterator[tuple[int, JsonObject]]:
    """The objects of a JSON list or of JSON Lines, each with its line."""
    if first_character(Head("", source.head())) == "[":
        return _only_objects(source, elements(source))
    return json_line_objects(source)


def field_at(row: JsonObject, path: str) -> Any:
    """The value under a name, or under nested names joined by dots; None if there is none."""
    if path in row or "." not in path:
        return row.get(path)
    value: Any = row
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text_at(row: JsonObject, path: str) -> str | None:
    """The same as text: a number is written out; anything else that is not a text counts as missing."""
    value = field_at(row, path)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() else None


def _only_objects(source: Source, values: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, JsonObject]]:
    for line, value in values:
        if isinstance(value, dict):
            yield line, value
        else:
            found = "a list" if isinstance(value, list) else "null" if value is None else f"{str(value)[:40]!r}"
            source.reject(line, f"a JSON object is expected, found {found}", value)


def json_line_objects(source: Source) -> Iterator[tuple[int, JsonObject]]:
    """The objects of JSON Lines, each with its line."""

    def values() -> Iterator[tuple[int, Any]]:
        decode = msgspec.json.Decoder().decode
        for number, line in source.byte_lines() if source.actual_encoding == "utf-8" else source.lines():
            if not line.strip():
                continue
            try:
                yield number, decode(line)
            except (ValueError, RecursionError) as problem:
                raw = line if isinstance(line, bytes) else line.encode()
                source.reject(number, explain_json_error(problem, raw), raw.decode("utf-8", "replace"))

    return _only_objects(source, values())
