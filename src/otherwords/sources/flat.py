"""Records as flat rows for CSV, TSV and Parquet, and back, without loss.

A nested field is JSON in its cell. Each score has a column of its own, under the measure's name
where it is one of ours and as ``scores.NAME`` otherwise; what such a column cannot hold (a score
first seen after the header was written, a measured null) is JSON in the column ``scores``. Columns
we do not know go to ``meta``. A table with all of our columns is ours and is taken at its word; in
any other, a column may have one of our names by chance, and a label may have been through pandas.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time
from functools import cache, partial
from typing import Any

import msgspec

from otherwords.measures import MEASURES
from otherwords.records import Document, Pair, Record
from otherwords.sources.rows import NotFinite, foreign_record, record_of

PREFIX = "scores."
NESTED = frozenset({"doc1", "doc2", "part", "scores", "gold", "meta", "value", "rewrites"})
INTEGERS = frozenset({"round"})
FLOATS = frozenset({"similarity", "seconds"})
TRUTHS = frozenset({"unsure", "context_shown"})
_WHOLE_FLOAT = re.compile(r"\s*(-?\d+)\.0\s*")


def columns_of(kind: type[Record], first: Iterable[Record]) -> list[str]:
    """The header for records of a kind: all their fields, with the scores seen in the first ones."""
    names = list(kind.__struct_fields__)
    seen = {name: None for record in first if isinstance(record, Pair) for name in record.scores}
    return names + [score_column(name) for name in seen if _is_fit_for_a_header(name)]


def _is_fit_for_a_header(name: str) -> bool:
    """Headers are read without the blanks around names, and must not break lines."""
    return name.isprintable() and name == name.strip()


def score_column(name: str) -> str:
    """The column of a score."""
    return name if _is_measure(name) else PREFIX + name


@cache
def _is_measure(column: str) -> bool:
    return column.partition(":")[0] in MEASURES


def flatten(record: Record, columns: list[str]) -> list[str | float | int | bool | None]:
    """The cells of a record under a header."""
    fields = msgspec.structs.asdict(record)
    cells: dict[str, Any] = {}
    if scores := fields.get("scores"):
        cells = {score_column(name): value for name, value in scores.items()}
        known = set(columns)
        fields["scores"] = {
            name: value for name, value in scores.items() if value is None or score_column(name) not in known
        }
    nested = _nested_fields(type(record))
    for name, value in fields.items():
        cells[name] = _nested(name, value) if name in nested else value
    return [cells.get(column) for column in columns]


def _nested_fields(kind: type[Record]) -> frozenset[str]:
    """In a document pair, doc1 and doc2 are plain ids."""
    return NESTED if kind is Pair else NESTED - {"doc1", "doc2"}


def _nested(name: str, value: object) -> str | None:
    """A nested field as JSON; an empty one as an empty cell, unless it is what a judgement says."""
    if name != "value" and (value is None or value in ({}, [])):
        return None
    return msgspec.json.encode(value).decode()


def reader_of(
    kind: type[Record], header: Iterable[str], mark: Callable[[str], None]
) -> Callable[[Mapping[str, Any], str], Record]:
    """What makes a record of a row of the table with this header, and an id for a row without one.

    What a judgement or a document pair says steers what is done with it, so there every field has to fit.
    """
    if is_ours(kind, header) or kind not in (Pair, Document):
        return lambda row, default_id: record_of(kind, unflatten(kind, row), default_id)
    loosened = partial(_unflatten_foreign, kind)
    return lambda row, default_id: foreign_record(kind, row, default_id, mark, loosened)


def is_ours(kind: type[Record], header: Iterable[str]) -> bool:
    """Whether a header is one that we wrote: it has all fields of the record."""
    return set(kind.__struct_fields__) <= set(header)


def unflatten(kind: type[Record], row: Mapping[str, Any]) -> dict[str, Any]:
    """A flat row as the loose row that ``rows.record_of`` takes; ValueError if a cell cannot be read."""
    fields: dict[str, Any] = {}
    scores: dict[str, float] = {}
    nested = _nested_fields(kind)
    for name, cell in row.items():
        known = name in kind.__struct_fields__
        if cell is None or (cell == "" and name not in ("text", "text1", "text2")):
            continue
        if kind is Pair and not known and (name.startswith(PREFIX) or _is_measure(name)):
            number = _number(name, cell)
            if number is not None:
                scores[name.removeprefix(PREFIX)] = number
        elif known and name in nested and isinstance(cell, str):
            fields[name] = _json(name, cell)
        elif known and isinstance(cell, str):
            fields[name] = _typed(name, cell)
        elif known and isinstance(cell, float):
            fields[name] = _number(name, cell)
        else:
            fields[name] = str(cell) if isinstance(cell, float) and math.isinf(cell) else cell
    if scores:
        others = fields.get("scores", {})
        if not isinstance(others, dict):
            raise ValueError("scores: expected object")
        fields["scores"] = {**scores, **others}
    return fields


def _unflatten_foreign(kind: type[Record], row: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a table that is not ours: a label of 1.0 is 1, and NaN is none.

    That is how pandas writes a column of numbers of which some are missing.
    """
    fields = unflatten(kind, row)
    label = fields.get("label") if kind is Pair else None
    if isinstance(label, str):
        whole = _WHOLE_FLOAT.fullmatch(label)
        fields["label"] = None if label.strip().lower() == "nan" else whole.group(1) if whole else label
    return fields


def plain_cell(cell: Any) -> Any:
    """A cell of an Arrow table as JSON has it: NaN is a missing one, a time is ISO text."""
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
    """Inside of a cell an infinite number cannot be refused as that of a field, and is kept as text."""
    plain = plain_cell(value)
    return str(plain) if isinstance(plain, float) and math.isinf(plain) else plain


def _json(name: str, cell: str) -> Any:
    try:
        return msgspec.json.decode(cell)
    except (msgspec.DecodeError, RecursionError):
        if name == "value":  # a plain table of judgements need not write its labels as JSON
            return cell
        raise ValueError(f"{name}: {cell[:40]!r} is not JSON") from None


def _typed(name: str, cell: str) -> Any:
    if name in INTEGERS or name in FLOATS:
        return _number(name, cell) if name in FLOATS else _whole_number(name, cell)
    if name in TRUTHS:
        return cell.strip().lower() in ("true", "1", "yes")
    return cell


def _whole_number(name: str, cell: str) -> int:
    try:
        return int(cell)
    except ValueError:
        raise ValueError(f"{name}: {cell!r} is not a whole number") from None


def _number(name: str, cell: Any) -> float | None:
    """The number of a cell; None for NaN, by which a missing one is written."""
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}: {cell!r} is not a number") from None
    if math.isinf(number):
        raise NotFinite(f"{name}: {cell} is not a finite number")
    return None if math.isnan(number) else number
