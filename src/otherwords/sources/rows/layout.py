"""Tables with fixed columns, read as pairs and written from pairs.

Many corpora are one table with its own column names for the same few things. A format maps each column to a field of
:class:`~otherwords.records.Pair` or to ``meta.NAME``. Unknown columns are kept in ``meta`` under their own names.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from otherwords.errors import LabelError, WriteError
from otherwords.records import Pair, Record
from otherwords.sources.io.tabular import require_columns
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.source import Source

BINARY = ("0", "1")
_META = "meta."
_TEXTS = ("text1", "text2")


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a corpus in order, the values that all of its rows share, and its labels.

    ``generic_names`` says that any table might have these column names. Such a table need not be the corpus, and is
    assumed to be in its language only if the user named the format.
    """

    format: str
    columns: Mapping[str, str]
    lang: str | None = None
    labels: tuple[str, ...] = BINARY
    meta: Mapping[str, str] = field(default_factory=dict)
    generic_names: bool = False

    def pairs(self, source: Source, rows: Iterable[tuple[int, dict[str, str]]]) -> Iterator[Pair]:
        """The pairs of numbered rows; bad rows are rejected."""
        checked = False
        for number, row in rows:
            if not checked:
                required = [name for name, place in self.columns.items() if place in ("text1", "text2", "label")]
                require_columns(source, row, required)
                checked = True
            try:
                pair = self.pair(source, number, row)
            except LabelError as problem:
                source.reject(number, str(problem), row)
                continue
            source.note_place(number)
            yield pair

    def pair(self, source: Source, number: int, row: dict[str, str]) -> Pair:
        """The pair of a row; LabelError if the corpus has no such label."""
        fields: JsonObject = {}
        meta = dict(self.meta)
        for column, cell in row.items():
            place = self.columns.get(column, _META + column)
            if not place.startswith(_META):
                fields[place] = cell if place in _TEXTS else cell or None
            elif cell:
                meta[place.removeprefix(_META)] = cell
        fields["label"] = self._label(source, fields.get("label") or "")
        fields["id"] = fields.get("id") or f"{source.stem}:{number}"
        mark_empty_texts(source, fields["text1"], fields["text2"])
        lang = lang_if_named(source, self.lang) if self.generic_names else self.lang
        return Pair(lang=source.lang or lang, meta=meta, **fields)

    def _label(self, source: Source, cell: str) -> str | None:
        label = cell.strip()
        if not label:
            source.mark("no label")
            return None
        if label not in self.labels:
            unsure = self.generic_names and not source.format_named
            hint = f"; if this is not {self.format}, name its format with --from" if unsure else ""
            raise LabelError(f"label {cell!r} is not one of {', '.join(self.labels)}{hint}", code="bad-label")
        return label

    def table(self, records: Iterable[Record]) -> Iterator[list[str]]:
        """The header, then the cells of each pair; WriteError if the format has no such label."""
        yield list(self.columns)
        for record in records:
            if isinstance(record, Pair):
                check_writable_label(record.id, record.label, self.labels, self.format)
            meta = getattr(record, "meta", {})
            values = (
                meta.get(place.removeprefix(_META)) if place.startswith(_META) else getattr(record, place)
                for place in self.columns.values()
            )
            yield ["" if value is None else str(value) for value in values]


def lang_if_named(source: Source, lang: str | None) -> str | None:
    """The language of a corpus with generic column names, if the user named its format."""
    return lang if source.format_named else None


def check_writable_label(id: str, label: str | None, labels: Iterable[str], format: str) -> None:
    """Raise WriteError for a label that would be rejected when the file is read again; no label is always fine."""
    if label is not None and label not in labels:
        raise unwritable_label(id, label, format, ", ".join(labels))


def unwritable_label(id: str, label: str | None, format: str, labels: str) -> WriteError:
    """The error for a label that a format cannot hold; ``labels`` describes those that it can."""
    message = f"pair {id}: label {label!r} cannot be written as {format}, whose labels are {labels}; "
    return WriteError(message + "jsonl, csv and parquet take any label", code="bad-label")


def has_labels(rows: Iterable[list[str]], labels: Iterable[str]) -> bool:
    """Whether the last column holds labels and no others than these.

    This tells a released corpus from other tables with the same generic header.
    """
    try:
        header, *body = rows
    except (csv.Error, ValueError):
        return False
    seen = {cells[len(header) - 1].strip() for cells in body if len(cells) >= len(header)} - {""}
    return bool(seen) and seen <= set(labels)


def mark_empty_texts(source: Source, text1: str, text2: str) -> None:
    """Mark a pair with an empty text. Some released corpora have them; they are kept and counted."""
    if not text1.strip() or not text2.strip():
        source.mark("an empty text")
