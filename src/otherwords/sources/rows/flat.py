"""Records as flat rows of CSV, TSV and Parquet files, and back, without loss.

A nested field is JSON in its cell. Each score has its own column, named after the measure if it is one of ours and
``scores.NAME`` otherwise. What such a column cannot hold (a score first seen after the header was written, a null) is
JSON in the column ``scores``. Unknown columns go to ``meta``. A table with all of our columns is ours and is read
strictly; in any other table a column may have one of our names by chance, and pandas may have changed the labels.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, time
from functools import cache, partial
from typing import Any

import msgspec

from otherwords.measures import MEASURES
from otherwords.records import Document, Pair, Record
from otherwords.sources.rows.records import JsonObject, LooseRow, NotFinite, build_foreign_record, build_record

PREFIX = "scores."
NESTED = frozenset({"doc1", "doc2", "part", "scores", "gold", "meta", "value", "rewrites"})
INTEGERS = frozenset({"round"})
FLOATS = frozenset({"similarity", "seconds"})
BOOLEANS = frozenset({"unsure", "context_shown"})
BLANKS = "label: blanks at its ends, which are left out"
_WHOLE_FLOAT = re.compile(r"\s*(-?\d+)\.0\s*")


def table_header(kind: type[Record], records: Iterable[Record]) -> list[str]:
    """Column names: all fields of the record type, and the scores seen in the given records."""
    seen = {name: None for record in records if isinstance(record, Pair) for name in record.scores}
    return [*kind.__struct_fields__, *fitting_columns(seen)]


def fitting_columns(scores: Iterable[str]) -> list[str]:
    """The columns of those scores that can have one.

    Blanks around column names are stripped when they are read, and a name must not break the line.
    """
    return [score_column(name) for name in scores if name.isprintable() and name == name.strip()]


def score_column(name: str) -> str:
    """The name of a score's column."""
    return name if _is_measure(name) else PREFIX + name


def is_score_column(column: str) -> bool:
    """Whether a column that is no field holds a score."""
    return column.startswith(PREFIX) or _is_measure(column)


@cache
def _is_measure(column: str) -> bool:
    return column.partition(":")[0] in MEASURES


def flatten_record(record: Record, columns: list[str]) -> list[str | float | int | bool | None]:
    """The cells of a record, in the order of the columns."""
    fields = msgspec.structs.asdict(record)
    cells: dict[str, str | float | int | bool | None] = {}
    if scores := fields.get("scores"):
        cells = {score_column(name): value for name, value in scores.items()}
        known = set(columns)
        fields["scores"] = {
            name: value for name, value in scores.items() if value is None or score_column(name) not in known
        }
    nested = _nested_fields(type(record))
    for name, value in fields.items():
        if name not in nested:
            cells[name] = value
        elif name == "value" or (value is not None and value not in ({}, [])):  # the value of a judgement may be empty
            cells[name] = msgspec.json.encode(value).decode()
    return [cells.get(column) for column in columns]


def _nested_fields(kind: type[Record]) -> frozenset[str]:
    """The fields that hold JSON; in a document pair, doc1 and doc2 are plain ids."""
    return NESTED if kind is Pair else NESTED - {"doc1", "doc2"}


def row_reader(
    kind: type[Record], header: Iterable[str], mark: Callable[[str], None]
) -> Callable[[LooseRow, str], Record]:
    """A function that builds a record from a row of a table with this header and a default id.

    Fields of judgements and document pairs decide what is done with them, so all of them have to be valid.
    """
    if is_our_header(kind, header) or kind not in (Pair, Document):
        return lambda row, default_id: build_record(kind, unflatten_row(kind, row), default_id)
    unflatten = partial(_unflatten_foreign_row, kind)

    def read_foreign_row(row: LooseRow, default_id: str) -> Record:
        record = build_foreign_record(kind, row, default_id, mark, unflatten)
        if not isinstance(record, Pair) or record.label is None or record.label == record.label.strip():
            return record
        mark(BLANKS)
        return msgspec.structs.replace(record, label=record.label.strip() or None)

    return read_foreign_row


def is_our_header(kind: type[Record], header: Iterable[str]) -> bool:
    """Whether we wrote the table: its header has all fields of the record type."""
    return set(kind.__struct_fields__) <= set(header)


def unflatten_row(kind: type[Record], row: LooseRow) -> JsonObject:
    """A flat row as a loose row for ``build_record``; ValueError if a cell cannot be parsed."""
    fields: JsonObject = {}
    scores: dict[str, float] = {}
    nested = _nested_fields(kind)
    for name, cell in row.items():
        known = name in kind.__struct_fields__
        if cell is None or (cell == "" and name not in ("text", "text1", "text2")):
            continue
        if kind is Pair and not known and is_score_column(name):
            number = _parse_number(name, cell)
            if number is not None:
                scores[name.removeprefix(PREFIX)] = number
        elif known and isinstance(cell, str):
            fields[name] = _parse_text(name, cell, name in nested)
        elif known and isinstance(cell, float):
            fields[name] = _parse_number(name, cell)
        else:
            fields[name] = str(cell) if isinstance(cell, float) and math.isinf(cell) else cell
    if scores:
        other_scores = fields.get("scores", {})
        if not isinstance(other_scores, dict):
            raise ValueError("scores: a JSON object is expected")
        fields["scores"] = {**scores, **other_scores}
    return fields


def _unflatten_foreign_row(kind: type[Record], row: LooseRow) -> JsonObject:
    """The same for a table that is not ours: a label of 1.0 is 1, and NaN is no label.

    This is how pandas writes a column of whole numbers if some are missing.
    """
    fields = unflatten_row(kind, row)
    label = fields.get("label") if kind is Pair else None
    if isinstance(label, str) and changes_foreign_label(label.strip()):
        whole = _WHOLE_FLOAT.fullmatch(label.strip())
        fields["label"] = whole.group(1) if whole else None
    return fields


def changes_foreign_label(label: str) -> bool:
    """Whether a label is not what it seems in a table that is not ours."""
    return label != label.strip() or label.lower() == "nan" or _WHOLE_FLOAT.fullmatch(label) is not None


def plain_cell(cell: Any) -> Any:
    """A cell of an Arrow table as a JSON value: NaN becomes null, a time becomes ISO text."""
    if isinstance(cell, str | int | None):
        return cell
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    if isinstance(cell, list | tuple):
        return [_plain_inside(value) for value in cell]
    if isinstance(cell, dict):
        return {str(name): _plain_inside(value) for name, value in cell.items()}
    return str(cell)


def _plain_inside(value: Any) -> Any:
    """A value inside a nested cell. An infinite number cannot be rejected there, so it is kept as text."""
    plain = plain_cell(value)
    return str(plain) if isinstance(plain, float) and math.isinf(plain) else plain


def _parse_text(name: str, cell: str, nested: bool) -> Any:
    """The value of a field that is written as text."""
    if nested:
        try:
            return msgspec.json.decode(cell)
        except (msgspec.DecodeError, RecursionError):
            if name == "value":  # a plain table of judgements need not write its labels as JSON
                return cell
            raise ValueError(f"{name}: {cell[:40]!r} is not JSON") from None
    if name in INTEGERS:
        try:
            return int(cell)
        except ValueError:
            raise ValueError(f"{name}: {cell!r} is not a whole number") from None
    if name in FLOATS:
        return _parse_number(name, cell)
    return cell.strip().lower() in ("true", "1", "yes") if name in BOOLEANS else cell


def _parse_number(name: str, cell: Any) -> float | None:
    """The number in a cell; None for NaN, which stands for a missing number."""
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}: {cell!r} is not a number") from None
    if math.isinf(number):
        raise NotFinite(f"{name}: {cell} is not a finite number")
    return None if math.isnan(number) else number
