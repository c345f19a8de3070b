"""A table with fixed columns as pairs: which column is which field, in both directions.

Many corpora are one table with names of their own for the same few things. A format says what its
columns mean, as a field of :class:`~otherwords.records.Pair` or as ``meta.NAME``; rows of cells by
column go in, pairs come out, and the other way round for writing. A column that the format does not
know is kept in ``meta`` under its own name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from otherwords.errors import LabelError
from otherwords.records import Pair, Record
from otherwords.sources.source import Source

BINARY = ("0", "1")
_META = "meta."


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a corpus in their order, what is the same in all of its rows, and the labels it knows."""

    columns: Mapping[str, str]
    lang: str | None = None
    labels: tuple[str, ...] = BINARY
    meta: Mapping[str, Any] = field(default_factory=dict)

    def pairs(self, source: Source, rows: Iterable[tuple[int, dict[str, str]]]) -> Iterator[Pair]:
        """The pairs of numbered rows; what is wrong with a row is rejected."""
        checked = False
        for number, row in rows:
            if not checked:
                self._check_columns(source, row)
                checked = True
            try:
                yield self.pair(source, number, row)
            except LabelError as problem:
                source.reject(number, str(problem), row)

    def _check_columns(self, source: Source, row: dict[str, str]) -> None:
        for column, place in self.columns.items():
            if column not in row and place in ("text1", "text2", "label"):
                raise source.error(f"no column {column!r} in the header, which has: {', '.join(row)}")

    def pair(self, source: Source, number: int, row: dict[str, str]) -> Pair:
        """One row; LabelError if its label is none of the corpus."""
        fields: dict[str, Any] = {}
        meta: dict[str, Any] = dict(self.meta)
        for column, cell in row.items():
            place = self.columns.get(column, _META + column)
            if not place.startswith(_META):
                fields[place] = cell
            elif cell:
                meta[place.removeprefix(_META)] = cell
        fields["label"] = self._label(source, fields.get("label", ""))
        fields["id"] = fields.get("id") or f"{source.stem}:{number}"
        note_empty_texts(source, fields["text1"], fields["text2"])
        return Pair(lang=source.lang or self.lang, meta=meta, **fields)

    def _label(self, source: Source, cell: str) -> str | None:
        label = cell.strip()
        if not label:
            source.mark("no label")
            return None
        if label not in self.labels:
            raise LabelError(f"label {cell!r} is not one of {' '.join(self.labels)}")
        return label

    def cells(self, record: Record) -> list[str]:
        """The cells of a pair, in the order of the columns."""
        return [_cell(record, place) for place in self.columns.values()]

    def table(self, records: Iterable[Record]) -> Iterator[list[str]]:
        """The header, then a row a pair."""
        yield list(self.columns)
        yield from map(self.cells, records)


def note_empty_texts(source: Source, text1: str, text2: str) -> None:
    """Released corpora do hold pairs of which a text is missing; they are kept and counted."""
    if not text1.strip() or not text2.strip():
        source.mark("an empty text")


def _cell(record: Record, place: str) -> str:
    if place.startswith(_META):
        value = getattr(record, "meta", {}).get(place.removeprefix(_META))
    else:
        value = getattr(record, place)
    return "" if value is None else str(value)
