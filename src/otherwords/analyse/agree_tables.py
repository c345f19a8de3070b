"""Plain tables of item, annotator and value, which people have from elsewhere: CSV, TSV, Parquet and JSON Lines.

A table with these three columns and no other is read here, as a whole; an empty value is a judgement that is missing.
Any other file is judgements with more to them, and left to the readers of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from otherwords.errors import DataError
from otherwords.sources.files import bare_suffix, open_binary
from otherwords.sources.rows import scalar, why_not_json

NAMES = {"item": "item", "unit": "item", "pair": "item", "annotator": "annotator", "coder": "annotator"}
NAMES |= {"value": "value", "label": "value"}
COLUMNS = {"item", "annotator", "value"}
DELIMITERS = {".csv": ",", ".tsv": "\t"}
Rows = Iterator[tuple[str, str, Any]]


def plain_rows(path: str | Path, columns: Mapping[str, str] | None = None) -> Rows | None:
    """The rows of a plain table, whose columns the user may have named; None if the file is something else."""
    if str(path) == "-" or not Path(path).is_file():
        return None
    suffix = bare_suffix(Path(path))
    known = NAMES | {column.lower(): NAMES.get(field, "") for field, column in (columns or {}).items()}
    try:
        if suffix in (".jsonl", ".ndjson"):
            return None if columns else _of_lines(Path(path))
        if suffix in DELIMITERS:
            return _of_table(_delimited(Path(path), DELIMITERS[suffix], known), known)
        return _of_table(pq.read_table(path), known) if suffix == ".parquet" else None
    except (pa.ArrowException, msgspec.DecodeError, UnicodeDecodeError):
        return None  # the other readers say what is wrong with it, and where


def _delimited(path: Path, delimiter: str, known: Mapping[str, str]) -> pa.Table:
    with open_binary(path) as stream:
        head = stream.readline().decode("utf-8-sig").strip().split(delimiter)
    names = [name.strip().strip('"') for name in head]
    if _renamed(names, known) is None:
        return pa.table({})
    with open_binary(path) as stream:
        types = {name: pa.string() for name in names}
        how = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=True, null_values=["", "NA", "NaN", "nan"])
        parse = pa.csv.ParseOptions(delimiter=delimiter)
        return pa.csv.read_csv(stream, convert_options=how, parse_options=parse)


def _renamed(names: list[str], known: Mapping[str, str]) -> list[str] | None:
    """Our names of the columns, if they are the three and no other."""
    ours = [known.get(name.strip().lower(), "") for name in names]
    return ours if len(ours) == len(COLUMNS) and set(ours) == COLUMNS else None


def _of_table(table: pa.Table, known: Mapping[str, str]) -> Rows | None:
    names = _renamed(table.column_names, known)
    if names is None:
        return None
    columns = {name: column.to_pylist() for name, column in zip(names, table.columns, strict=True)}
    told: dict[Any, Any] = {}
    return (
        (_name(item), _name(who), told[value] if value in told else told.setdefault(value, _value(value)))
        for item, who, value in zip(columns["item"], columns["annotator"], columns["value"], strict=True)
        if item is not None and who is not None and value is not None and value == value  # NaN is missing
    )


def _name(cell: Any) -> str:
    return cell if isinstance(cell, str) else scalar(cell)


def _value(cell: Any) -> Any:
    """A cell as JSON where it is a number or a truth value, so that 3 and 3.0 are the same; else as text."""
    if not isinstance(cell, str):
        return cell
    try:
        read = msgspec.json.decode(cell)
    except msgspec.DecodeError:
        return cell.strip()
    return read if isinstance(read, bool | int | float) else cell


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """A line of a plain table; every name that a column may have, of which three are used."""

    item: str | int | None = None
    unit: str | int | None = None
    pair: str | int | None = None
    annotator: str | int | None = None
    coder: str | int | None = None
    value: Any = None
    label: Any = None


def _of_lines(path: Path) -> Rows | None:
    with open_binary(path) as stream:
        first = stream.readline()
        start = msgspec.json.decode(first)
        if not isinstance(start, dict) or _renamed(list(start), NAMES) is None:
            return None
        told = first + stream.read()
    decoder = msgspec.json.Decoder(_Line)
    try:
        return _rows_of(decoder.decode_lines(told))
    except msgspec.DecodeError:
        return _rows_of(_checked(decoder, told, path))


def _checked(decoder: msgspec.json.Decoder[_Line], told: bytes, path: Path) -> list[_Line]:
    """Line by line, to say which one is wrong."""
    lines = []
    for number, line in enumerate(told.split(b"\n"), 1):
        try:
            lines += [decoder.decode(line)] if line.strip() else []
        except msgspec.DecodeError as problem:
            raise DataError(why_not_json(problem, line), path, number) from None
    return lines


def _rows_of(lines: list[_Line]) -> Rows:
    for line in lines:
        item = next((name for name in (line.item, line.unit, line.pair) if name is not None), None)
        who = line.annotator if line.annotator is not None else line.coder
        value = line.value if line.value is not None else line.label
        if item is not None and who is not None and value is not None:
            yield str(item), str(who), value
