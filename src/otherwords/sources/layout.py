"""A table with fixed columns as pairs: which column is which field, in both directions.

Many corpora are one table with names of their own for the same few things. A format says what its
columns mean, as a field of :class:`~otherwords.records.Pair` or as ``meta.NAME``; rows of cells by
column go in, pairs come out, and the other way round for writing. A column that the format does not
know is kept in ``meta`` under its own name.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from otherwords.errors import LabelError, WriteError
from otherwords.records import Pair, Record
from otherwords.sources.source import Source

BINARY = ("0", "1")
_META = "meta."
_TEXTS = ("text1", "text2")


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a corpus in their order, what is the same in all of its rows, and the labels it knows.

    ``anyones`` says that the columns have names that anyone might give to theirs: a table with them
    need not be the corpus, and is in its language only if the user named the format.
    """

    format: str
    columns: Mapping[str, str]
    lang: str | None = None
    labels: tuple[str, ...] = BINARY
    meta: Mapping[str, Any] = field(default_factory=dict)
    anyones: bool = False

    def pairs(self, source: Source, rows: Iterable[tuple[int, dict[str, str]]]) -> Iterator[Pair]:
        """The pairs of numbered rows; what is wrong with a row is rejected."""
        checked = False
        for number, row in rows:
            if not checked:
                self._check_columns(source, row)
                checked = True
            try:
                pair = self.pair(source, number, row)
            except LabelError as problem:
                source.reject(number, str(problem), row)
                continue
            source.at(number)
            yield pair

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
                fields[place] = cell if place in _TEXTS else cell or None
            elif cell:
                meta[place.removeprefix(_META)] = cell
        fields["label"] = self._label(source, fields.get("label") or "")
        fields["id"] = fields.get("id") or f"{source.stem}:{number}"
        note_empty_texts(source, fields["text1"], fields["text2"])
        lang = named_lang(source, self.lang) if self.anyones else self.lang
        return Pair(lang=source.lang or lang, meta=meta, **fields)

    def _label(self, source: Source, cell: str) -> str | None:
        label = cell.strip()
        if not label:
            source.mark("no label")
            return None
        if label not in self.labels:
            unsure = self.anyones and not source.named
            hint = f"; if this is not {self.format}, name its format with --from" if unsure else ""
            raise LabelError(f"label {cell!r} is not one of {' '.join(self.labels)}{hint}")
        return label

    def cells(self, record: Record) -> list[str]:
        """The cells of a pair, in the order of the columns; WriteError if the format does not take its label."""
        if isinstance(record, Pair):
            check_written_label(record.id, record.label, self.labels, self.format)
        return [_cell(record, place) for place in self.columns.values()]

    def table(self, records: Iterable[Record]) -> Iterator[list[str]]:
        """The header, then a row a pair."""
        yield list(self.columns)
        yield from map(self.cells, records)


def named_lang(source: Source, lang: str | None) -> str | None:
    """The language of a corpus that can be taken for another's table, if the user said that it is that corpus."""
    return lang if source.named else None


def check_written_label(id: str, label: str | None, labels: Iterable[str], format: str) -> None:
    """Refuse to write a label that would be refused when it is read again; no label is always fine."""
    if label is not None and label not in labels:
        raise WriteError(
            f"pair {id}: label {label!r} cannot be written as {format}, whose labels are {', '.join(labels)}; "
            "jsonl, csv and parquet take any"
        )


def has_labels(rows: Iterable[list[str]], labels: Iterable[str]) -> bool:
    """Whether the last column at the start of a table holds labels and none but these.

    That is how a table whose header anyone might use is told from a released corpus.
    """
    try:
        header, *others = rows
    except (csv.Error, ValueError):
        return False
    seen = {cells[len(header) - 1].strip() for cells in others if len(cells) >= len(header)} - {""}
    return bool(seen) and seen <= set(labels)


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
