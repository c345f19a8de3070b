"""Rows of JSON Lines, JSON lists, CSV and TSV under our own field names, for every kind that has tables.

In goes a source and, for each field, the names that people give its column; out come numbered rows
that hold what was found. The user's ``--columns`` go first. Texts are cleaned at this border.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from unicodedata import normalize

from otherwords.errors import UsageError
from otherwords.registry import suggest
from otherwords.sources.documents.json_objects import json_objects
from otherwords.sources.documents.plain_text import plain_text
from otherwords.sources.files import bare_suffix
from otherwords.sources.format import Head
from otherwords.sources.json_stream import opening
from otherwords.sources.rows import scalar
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, quoted_rows
from otherwords.text.languages import UNDETERMINED, language

Row = dict[str, Any]
Names = Mapping[str, tuple[str, ...]]
COMMON_NAMES: Names = {
    "lang": ("lang", "language"),
    "licence": ("licence", "license"),
    "consent": ("consent",),
    "time": ("time", "datetime", "date", "published", "pubdate", "published_at", "created_at", "timestamp"),
}
TABLES = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json"}
_DELIMITERS = ",;\t|"
_NEXT_LINE = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
_BLANKS_AT_ENDS = re.compile(r"(?<![^\S\n])[^\S\n]++(?=\n|\Z)")


def clean(text: str) -> str:
    """A text as documents hold it, without control characters and without blanks at the ends of its lines."""
    if not text.isprintable():
        text = _CONTROL.sub("", _NEXT_LINE.sub("\n", text.replace("\r\n", "\n")))
        text = _BLANKS_AT_ENDS.sub("", plain_text(text))
    return normalize("NFC", text).strip()


def table_format(source: Source, wanted: str | None = None) -> str:
    """Which of csv, tsv, jsonl and json the rows are in: as named, by suffix, or by how the text starts."""
    name = wanted or (TABLES.get(bare_suffix(source.path)) if source.path else None)
    if name:
        return name
    head = Head("", source.head())
    if opening(head) in ("[", "{"):
        return "json"
    return "tsv" if "\t" in head.text.split("\n", 1)[0] else "csv"


def rows(source: Source, names: Names, wanted: str | None = None) -> Iterator[tuple[int, Row]]:
    """Numbered rows under our names; what a row does not have is not in it."""
    form = table_format(source, wanted)
    loose = _table_rows(source, form) if form in ("csv", "tsv") else json_objects(source)
    places: dict[str, list[tuple[str, int]]] = {}
    for number, row in loose:
        for column in row.keys() - places.keys():
            places[column] = _places(source, names, column)
        found: Row = {}
        ranks: dict[str, int] = {}
        for column, cell in row.items():
            for field, rank in places[column] if cell is not None and cell != "" else ():
                if rank < ranks.get(field, rank + 1):
                    found[field], ranks[field] = cell, rank
        yield number, found


def _places(source: Source, names: Names, column: str) -> list[tuple[str, int]]:
    """The fields that a column may fill, each with how good its name is for that: the smaller the better."""
    known = re.sub(r"[\s-]", "_", column.strip().lower())
    named = [(field, -1) for field, own in source.columns.items() if own == column]
    others = [name for name in names if name not in source.columns and known in names[name]]
    return named + [(name, names[name].index(known)) for name in others]


def _table_rows(source: Source, form: str) -> Iterator[tuple[int, Row]]:
    head = Head("", source.head()).text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = "\t" if form == "tsv" else max(_DELIMITERS, key=lambda mark: (head.count(mark), mark == ","))
    checked = False
    for number, row in headed(quoted_rows(source, delimiter), source):
        if not checked:
            _check_columns(source, list(row))
            checked = True
        yield number, dict(row)


def _check_columns(source: Source, header: list[str]) -> None:
    for field, column in source.columns.items():
        if column not in header:
            raise source.error(f"no column {column!r} for {field}{suggest(column, header)}")


def word(row: Row, field: str) -> str | None:
    """A cell as a clean text; None where it is missing, empty, or no text at all."""
    cell = row.get(field)
    if isinstance(cell, bool | int | float):
        cell = scalar(cell)
    return (clean(cell) or None) if isinstance(cell, str) else None


def language_of(source: Source, tag: str | None) -> str | None:
    """The language that a row or file names, else the one that the user did."""
    if tag:
        try:
            code = language(tag)
        except UsageError:
            source.mark("an unknown language, left out")
        else:
            return source.lang if code == UNDETERMINED else code
    return source.lang


def chosen_format(wanted: object, known: tuple[str, ...]) -> str | None:
    """The format that the user named, if any; one that the kind does not have is an error."""
    if wanted is None or wanted in known:
        return None if wanted is None else str(wanted)
    raise UsageError(f"unknown format {wanted!r}{suggest(str(wanted), list(known))}")
