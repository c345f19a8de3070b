"""Rows of JSON Lines, JSON lists, CSV, TSV and Excel under our field names, for all kinds of sources with tables.

A kind lists the usual column names of each field; the user's ``--columns`` come first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from otherwords.errors import UsageError
from otherwords.registry import suggest
from otherwords.sources.documents.dates import is_ambiguous, iso_time
from otherwords.sources.format import Head
from otherwords.sources.io.files import bare_suffix
from otherwords.sources.io.json_stream import first_character
from otherwords.sources.io.tabular import named_delimiter, quoted_rows, rows_by_header
from otherwords.sources.rows.column_names import check_user_columns
from otherwords.sources.rows.json_objects import json_objects
from otherwords.sources.rows.records import scalar_text
from otherwords.sources.rows.workbooks import sheet_rows
from otherwords.sources.source import Source
from otherwords.text.languages import UNDETERMINED, language, language_name
from otherwords.text.normalise import clean_text

Row = dict[str, Any]
Names = Mapping[str, tuple[str, ...]]
COMMON_NAMES: Names = {
    "lang": ("lang", "language"),
    "licence": ("licence", "license"),
    "consent": ("consent",),
    "time": ("time", "datetime", "date", "published", "pubdate", "published_at", "created_at", "timestamp"),
}
TABLES = {
    **{".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".xlsx": "xlsx"},
    **{".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json"},
}
TABLE_LOOKS = {  # what a table must look like, by format
    "jsonl": "one JSON object per line",
    "json": "one list of JSON objects",
    "csv": "a table with a header; commas, semicolons, tabs or bars between the cells",
    "tsv": "a table with a header and tabs between the cells",
    "xlsx": "an Excel workbook; a header in the first row of the sheet",
}
TABLE_NAMES = "Case does not matter in these names; blanks and hyphens count as underscores."
_DELIMITERS = ",;\t|"


def table_format(source: Source, format: str | None = None) -> str:
    """csv, tsv, xlsx, jsonl or json: the named format, else by suffix, else by the start of the text."""
    name = format or (TABLES.get(bare_suffix(source.path)) if source.path else None)
    if name:
        return name
    head = Head("", source.head())
    if first_character(head) in ("[", "{"):
        return "json"
    return "tsv" if "\t" in head.text.split("\n", 1)[0] else "csv"


def named_rows(
    source: Source, names: Names, format: str | None = None, rows: Iterator[tuple[int, Row]] | None = None
) -> Iterator[tuple[int, Row]]:
    """Numbered rows under our names, without the fields that they lack; ``rows`` are those of another format."""
    loose_rows = rows if rows is not None else _loose_rows(source, table_format(source, format))
    fields: dict[str, list[tuple[str, int]]] = {}
    for number, row in loose_rows:
        for column in row.keys() - fields.keys():  # the fields that it may fill, with the rank of its name in each
            normal_name = re.sub(r"[\s-]", "_", column.strip().lower())
            usual = [field for field in names if field not in source.columns and normal_name in names[field]]
            fields[column] = [(field, -1) for field, user_column in source.columns.items() if user_column == column]
            fields[column] += [(field, names[field].index(normal_name)) for field in usual]
        named: Row = {}
        ranks: dict[str, int] = {}
        for column, cell in row.items():
            for field, rank in fields[column] if cell is not None and cell != "" else ():
                if rank < ranks.get(field, rank + 1):
                    named[field], ranks[field] = cell, rank
        yield number, named


def _loose_rows(source: Source, format: str) -> Iterator[tuple[int, Row]]:
    return _table_rows(source, format) if format in ("csv", "tsv", "xlsx") else json_objects(source)


def _table_rows(source: Source, format: str) -> Iterator[tuple[int, Row]]:
    checked = False
    for number, row in rows_by_header(_rows(source, format), source):
        if not checked:
            check_user_columns(source, list(row))
            checked = True
        yield number, dict(row)


def _rows(source: Source, format: str) -> Iterator[tuple[int, list[str]]]:
    if format == "xlsx":
        return sheet_rows(source)
    first = Head("", source.head()).text.lstrip("\r\n").split("\n", 1)[0]
    likely = max(_DELIMITERS, key=lambda mark: (first.count(mark), mark == ","))
    return quoted_rows(source, "\t" if format == "tsv" else named_delimiter(first) or likely)


def cell_text(row: Row, field: str) -> str | None:
    """A cell as clean text; None if it is missing, empty or not a text."""
    cell = row.get(field)
    if isinstance(cell, bool | int | float):
        cell = scalar_text(cell)
    return (clean_text(cell) or None) if isinstance(cell, str) else None


def row_language(source: Source, tag: str | None) -> str | None:
    """The language that a row or file names, else the one that the user named."""
    if tag:
        try:
            code = language(tag)
        except UsageError:
            source.mark("an unknown language, left out")
        else:
            return source.lang if code == UNDETERMINED else code
    return source.lang


def known_language(word: str) -> str | None:
    """The code of a language with a known name; None for other words."""
    try:
        code = language(word)
    except UsageError:
        return None
    return code if language_name(code) != code else None


def row_time(source: Source, row: Row) -> str | None:
    """The time of a row in ISO 8601; a date that is ambiguous or cannot be read is marked."""
    cell = row.get("time")
    time = iso_time(cell)
    if cell is not None and time is None:
        source.mark("a date that cannot be read, left out")
    elif is_ambiguous(cell):
        source.mark("a date whose day and month could change places, read day first")
    return time


def check_format(format: object, known: tuple[str, ...]) -> str | None:
    """The format that the user named, if any; one that the kind does not have is an error."""
    if format is None or format in known:
        return None if format is None else str(format)
    raise UsageError(f"unknown format {format!r}{suggest(str(format), list(known))}", code="unknown-format")
