"""Rename the fields of other people's JSON rows to ours, as the user's ``--columns`` or known names say.

A column that the user named and that no row has is an error at the end; otherwise a typing error would go unnoticed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from types import MappingProxyType

from otherwords.registry import suggest
from otherwords.sources.rows.records import TEXT_COLUMNS, LooseRow
from otherwords.sources.source import Source

_TEXTS = ("text1", "text2")
_MAX_LISTED = 1000


def check_user_columns(source: Source, header: list[str]) -> None:
    """Raise an error if the user named a column that the table does not have."""
    for field, column in source.columns.items():
        if column not in header:
            message = f"no column {column!r}, named for {field}{suggest(column, header)}"
            raise source.error(message, code="missing-column")


def rename_displaced(names: Mapping[str, str], columns: Container[str]) -> dict[str, str]:
    """New names for columns that have the name of a field for which another column was chosen."""
    return {field: f"{field} (unused)" for field in names.values() if field in columns and field not in names}


class FieldNames:
    """Renames the fields of a file's rows and notes which of the user's columns were seen."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._fields = {column: field for field, column in source.columns.items()}
        self._unseen = set(self._fields)
        self._known: dict[str, None] = {}

    def rename_texts(self, row: LooseRow) -> LooseRow:
        """As :meth:`rename`; if the user named neither text column, the texts are found by their usual names."""
        if set(_TEXTS) <= row.keys() or not self._source.columns.keys().isdisjoint(_TEXTS):
            return self.rename(row)
        columns = next((pair for pair in TEXT_COLUMNS if set(pair) <= row.keys()), ())
        return self.rename(row, dict(zip(columns, _TEXTS, strict=False)))

    def rename(self, row: LooseRow, text_columns: Mapping[str, str] = MappingProxyType({})) -> LooseRow:
        """The row with the user's columns, and these ones, under our names."""
        if self._unseen:
            self._unseen -= row.keys()
            if len(self._known) < _MAX_LISTED:
                self._known |= dict.fromkeys(row)
        names = {column: field for column, field in self._fields.items() if column in row} | dict(text_columns)
        if not names:
            return row
        names |= rename_displaced(names, row)
        return {names.get(name, name): value for name, value in row.items()}

    def check_all_seen(self) -> None:
        """After the last row: raise an error for a column that the user named and no row had."""
        for column, field in self._fields.items():
            if column in self._unseen and self._known:
                near = suggest(column, list(self._known))
                raise self._source.error(
                    f"no row has the field {column!r}, named for {field}{near}", code="missing-column"
                )
