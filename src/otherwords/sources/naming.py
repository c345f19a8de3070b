"""The names of other people's fields, turned into ours: as the user said, or as the names themselves tell.

In go loose rows (JSON objects), out come the same under our names. A column that the user named and
that no row has is an error at the end: the wish would otherwise have been ignored without a word.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from otherwords.registry import suggest
from otherwords.sources.rows import TEXT_COLUMNS
from otherwords.sources.source import Source

_TEXTS = ("text1", "text2")
_MANY = 1000


def displaced(names: Mapping[str, str], columns: Container[str]) -> dict[str, str]:
    """Columns with the name of a field that another column was chosen for: they are kept under a new one."""
    return {field: f"{field} (unused)" for field in names.values() if field in columns and field not in names}


class Naming:
    """The naming of one file's rows, and which of the user's columns were seen in them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._fields = {column: field for field, column in source.columns.items()}
        self._unseen = set(self._fields)
        self._known: dict[str, None] = {}

    def fields(self, row: dict[str, Any]) -> dict[str, Any]:
        """The row with the user's columns under our names."""
        return self._renamed(row, {})

    def texts(self, row: dict[str, Any]) -> dict[str, Any]:
        """The same; where the user named neither text, they are found by what people call them."""
        if set(_TEXTS) <= row.keys() or not self._source.columns.keys().isdisjoint(_TEXTS):
            return self._renamed(row, {})
        found = next((pair for pair in TEXT_COLUMNS if set(pair) <= row.keys()), ())
        return self._renamed(row, dict(zip(found, _TEXTS, strict=False)))

    def _renamed(self, row: dict[str, Any], found: dict[str, str]) -> dict[str, Any]:
        if self._unseen:
            self._unseen -= row.keys()
            if len(self._known) < _MANY:
                self._known |= dict.fromkeys(row)
        names = {column: field for column, field in self._fields.items() if column in row} | found
        if not names:
            return row
        names |= displaced(names, row)
        return {names.get(name, name): value for name, value in row.items()}

    def check(self) -> None:
        """At the end of the rows: every column that the user named was in one of them."""
        for column, field in self._fields.items():
            if column in self._unseen and self._known:
                near = suggest(column, list(self._known))
                raise self._source.error(f"no field {column!r} for {field} in any row{near}")
