"""Records as flat rows for CSV, TSV and Parquet, and back, without loss.

A nested field is JSON in its cell. Each score has a column of its own, under the measure's name
where it is one of ours and as ``scores.NAME`` otherwise; a score first seen after the header was
written waits in ``meta``. Columns we do not know go to ``meta``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from otherwords.measures import MEASURES
from otherwords.records import Pair, Record

PREFIX = "scores."
NESTED = frozenset({"doc1", "doc2", "part", "gold", "meta", "value", "rewrites"})
INTEGERS = frozenset({"round"})
FLOATS = frozenset({"similarity", "seconds"})
TRUTHS = frozenset({"unsure", "context_shown"})


def columns_of(kind: type[Record], first: Iterable[Record]) -> list[str]:
    """The header for records of a kind: all their fields, with the scores seen in the first ones."""
    names = [name for name in kind.__struct_fields__ if name != "scores"]
    if kind is Pair:
        seen = {name: None for record in first if isinstance(record, Pair) for name in record.scores}
        names += [score_column(name) for name in seen]
    return names


def score_column(name: str) -> str:
    """The column of a score."""
    return name if _is_measure(name) else PREFIX + name


def _is_measure(column: str) -> bool:
    return column.partition(":")[0] in MEASURES


def flatten(record: Record, columns: list[str]) -> list[str | float | int | bool | None]:
    """The cells of a record under a header."""
    fields = msgspec.structs.asdict(record)
    scores: dict[str, float | None] = fields.pop("scores", None) or {}
    cells = {score_column(name): value for name, value in scores.items()}
    late = {name: value for name, value in scores.items() if score_column(name) not in columns}
    if late:
        fields["meta"] = {**fields["meta"], "scores": late}
    for name, value in fields.items():
        cells[name] = _nested(value) if name in _nested_fields(record) else value
    return [cells.get(column) for column in columns]


def _nested_fields(record: Record) -> frozenset[str]:
    """In a document pair, doc1 and doc2 are plain ids."""
    return NESTED if isinstance(record, Pair) else NESTED - {"doc1", "doc2"}


def _nested(value: object) -> Any:
    return msgspec.json.encode(value).decode() if value is not None and value != {} and value != [] else None


def unflatten(kind: type[Record], row: dict[str, Any]) -> dict[str, Any]:
    """A flat row as the loose row that ``rows.record_of`` takes; ValueError if a cell cannot be read."""
    fields: dict[str, Any] = {}
    scores: dict[str, float | None] = {}
    nested = NESTED if kind is Pair else NESTED - {"doc1", "doc2"}
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
    late = fields.get("meta", {}).pop("scores", None) if isinstance(fields.get("meta"), dict) else None
    if scores or late:
        fields["scores"] = {**scores, **(late or {})}
    return fields


def _json(name: str, cell: str) -> Any:
    try:
        return msgspec.json.decode(cell)
    except msgspec.DecodeError:
        if name == "value":  # a plain table of judgements need not write its labels as JSON
            return cell
        raise ValueError(f"{name}: {cell[:40]!r} is not JSON") from None


def _typed(name: str, cell: str) -> Any:
    if name in INTEGERS or name in FLOATS:
        return _number(name, cell) if name in FLOATS else int(_number(name, cell) or 0)
    if name in TRUTHS:
        return cell.strip().lower() in ("true", "1", "yes")
    return cell


def _number(name: str, cell: str | float) -> float | None:
    try:
        return float(cell)
    except ValueError:
        raise ValueError(f"{name}: {cell!r} is not a number") from None
