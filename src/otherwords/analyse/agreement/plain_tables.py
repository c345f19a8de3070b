"""Plain tables of item, annotator and value from other tools: CSV, TSV, Parquet and JSON Lines.

A table with exactly these three columns is read here as a whole; an empty value is a missing judgement. Any other file
holds full judgements and is left to the readers for those.
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
from otherwords.sources.io.files import bare_suffix, open_binary
from otherwords.sources.rows.records import explain_json_error, scalar_text

FIELDS = {"item": "item", "unit": "item", "pair": "item", "annotator": "annotator", "coder": "annotator"}
FIELDS |= {"value": "value", "label": "value"}  # by the names that a column may have
REQUIRED = {"item", "annotator", "value"}
DELIMITERS = {".csv": ",", ".tsv": "\t"}
Rows = Iterator[tuple[str, str, Any]]


def plain_rows(path: str | Path, columns: Mapping[str, str] | None = None) -> Rows | None:
    """The rows of a plain table, whose columns the user may have named; None if the file is something else."""
    if str(path) == "-" or not Path(path).is_file():
        return None
    suffix = bare_suffix(Path(path))
    fields = FIELDS | {column.lower(): FIELDS.get(field, "") for field, column in (columns or {}).items()}
    try:
        if suffix in (".jsonl", ".ndjson"):
            return None if columns else _rows_of_json_lines(Path(path))
        if suffix in DELIMITERS:
            return _rows_of_table(_read_delimited(Path(path), DELIMITERS[suffix], fields), fields)
        return _rows_of_table(pq.read_table(path), fields) if suffix == ".parquet" else None
    except (pa.ArrowException, msgspec.DecodeError, UnicodeDecodeError):
        return None  # the other readers say what is wrong with it, and where


def _read_delimited(path: Path, delimiter: str, fields: Mapping[str, str]) -> pa.Table:
    with open_binary(path) as stream:
        head = stream.readline().decode("utf-8-sig").strip().split(delimiter)
    names = [name.strip().strip('"') for name in head]
    if _fields_of(names, fields) is None:
        return pa.table({})
    with open_binary(path) as stream:
        types = {name: pa.string() for name in names}
        nulls = ["", "NA", "NaN", "nan"]
        convert = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=True, null_values=nulls)
        return pa.csv.read_csv(stream, convert_options=convert, parse_options=pa.csv.ParseOptions(delimiter=delimiter))


def _fields_of(names: list[str], fields: Mapping[str, str]) -> list[str] | None:
    """The field of each column; None unless the columns are exactly the required ones."""
    known = [fields.get(name.strip().lower(), "") for name in names]
    return known if len(known) == len(REQUIRED) and set(known) == REQUIRED else None


def _rows_of_table(table: pa.Table, fields: Mapping[str, str]) -> Rows | None:
    names = _fields_of(table.column_names, fields)
    if names is None:
        return None
    columns = {name: column.to_pylist() for name, column in zip(names, table.columns, strict=True)}
    parsed: dict[Any, Any] = {}
    return (
        (_name(item), _name(annotator), parsed[value] if value in parsed else parsed.setdefault(value, _value(value)))
        for item, annotator, value in zip(columns["item"], columns["annotator"], columns["value"], strict=True)
        if item is not None and annotator is not None and value is not None and value == value  # NaN is missing
    )


def _name(cell: Any) -> str:
    return cell if isinstance(cell, str) else scalar_text(cell)


def _value(cell: Any) -> Any:
    """A number or truth value parsed as JSON, so that 3 and 3.0 are the same; anything else as text."""
    if not isinstance(cell, str):
        return cell
    try:
        value = msgspec.json.decode(cell)
    except msgspec.DecodeError:
        return cell.strip()
    return value if isinstance(value, bool | int | float) else cell


class _TableLine(msgspec.Struct, forbid_unknown_fields=True):
    """A line of a plain table, with every name that a column may have; a line uses three of them."""

    item: str | int | None = None
    unit: str | int | None = None
    pair: str | int | None = None
    annotator: str | int | None = None
    coder: str | int | None = None
    value: Any = None
    label: Any = None


def _rows_of_json_lines(path: Path) -> Rows | None:
    with open_binary(path) as stream:
        first = stream.readline()
        record = msgspec.json.decode(first)
        if not isinstance(record, dict) or _fields_of(list(record), FIELDS) is None:
            return None
        content = first + stream.read()
    decoder = msgspec.json.Decoder(_TableLine)
    try:
        return _rows_of_lines(decoder.decode_lines(content))
    except msgspec.DecodeError:
        return _rows_of_lines(_decode_each(decoder, content, path))


def _decode_each(decoder: msgspec.json.Decoder[_TableLine], content: bytes, path: Path) -> list[_TableLine]:
    """Decode line by line, so that an error can name the line."""
    lines = []
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            lines += [decoder.decode(line)] if line.strip() else []
        except msgspec.DecodeError as problem:
            raise DataError(explain_json_error(problem, line), path, number, code="bad-row") from None
    return lines


def _rows_of_lines(lines: list[_TableLine]) -> Rows:
    for line in lines:
        item = next((name for name in (line.item, line.unit, line.pair) if name is not None), None)
        annotator = line.annotator if line.annotator is not None else line.coder
        value = line.value if line.value is not None else line.label
        if item is not None and annotator is not None and value is not None:
            yield str(item), str(annotator), value
