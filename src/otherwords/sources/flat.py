"""Records as flat rows for CSV, TSV and Parquet, and back, without loss.

A nested field is JSON in its cell. Each score has a column of its own, under the measure's name
where it is one of ours and as ``scores.NAME`` otherwise; what such a column cannot hold (a score
first seen after the header was written, a measured null) is JSON in the column ``scores``. Columns
we do not know go to ``meta``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from otherwords.measures import MEASURES
from otherwords.records import Pair, Record

PREFIX = "scores."
NESTED = frozenset({"doc1", "doc2", "part", "scores", "gold", "meta", "value", "rewrites"})
INTEGERS = frozenset({"round"})
FLOATS = frozenset({"similarity", "seconds"})
TRUTHS = frozenset({"unsure", "context_shown"})


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


def unflatten(kind: type[Record], row: dict[str, Any]) -> dict[str, Any]:
    """A flat row as the loose row that ``rows.record_of`` takes; ValueError if a cell cannot be read."""
    fields: dict[str, Any] = {}
    scores: dict[str, float | None] = {}
    nested = _nested_fields(kind)
    for name, cell in row.items():
        known = name in kind.__struct_fields__
        if cell is None or (cell == "" and name not in ("text", "text1", "text2")):
            continue
        if kind is Pair and not known and (name.startswith(PREFIX) or _is_measure(name)):
            scores[name.removeprefix(PREFIX)] = _number(name, cell)
        elif known and name in nested and isinstance(cell, str):
            fields[name] = _json(name, cell)
        elif known and isinstance(cell, str):
            fields[name] = _typed(name, cell)
        else:
            fields[name] = cell
    if scores:
        others = fields.get("scores", {})
        if not isinstance(others, dict):
            raise ValueError("scores: expected object")
        fields["scores"] = {**scores, **others}
    return fields


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
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}: {cell!r} is not a number") from None
