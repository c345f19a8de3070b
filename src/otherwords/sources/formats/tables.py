"""Tables with our field names or any others; the two text columns are found or named by the user.

They are CSV and TSV files, and one sheet of an Excel workbook, which is read, not written: spreadsheets open CSV files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import BinaryIO

import msgspec

from otherwords.errors import UsageError
from otherwords.records import Pair, Record
from otherwords.sources.format import ALL_NOUNS, Format, Head
from otherwords.sources.io.tabular import (
    guess_delimiter,
    quoted_rows,
    read_header,
    rows_by_header,
    split_cells,
    write_rows,
)
from otherwords.sources.rows.column_names import check_user_columns, rename_displaced
from otherwords.sources.rows.flat import flatten_record, is_our_header, plain_cell, row_reader, table_header
from otherwords.sources.rows.judge_columns import check_judges, judge_row_reader
from otherwords.sources.rows.records import TEXT_COLUMNS, JsonObject, with_normal_label
from otherwords.sources.rows.workbooks import OLD_OR_ENCRYPTED, ZIP, sheet_rows
from otherwords.sources.source import Source

OTHER_NAMES = {
    "judgement": {"item": "pair", "label": "value"},
    "pair": {"gold_label": "label", "is_duplicate": "label"},
}
PEEK = 1000
WORKBOOK_SUFFIXES = (".xlsx", ".xlsm")


def read_csv(source: Source) -> Iterator[Record]:
    """The records of a table with commas, or with semicolons if the header has these and no comma."""
    yield from _read(source, guess_delimiter(source), 0)


def read_tsv(source: Source) -> Iterator[Record]:
    """The records of a table with tabs. In a table that is not ours, a quote may be plain text."""
    header = read_header(source, "\t")
    yield from _read(source, "\t", 0 if is_our_header(source.record_type, header) else len(header))


def _read(source: Source, delimiter: str, width: int) -> Iterator[Record]:
    yield from table_records(source, rows_by_header(quoted_rows(source, delimiter, width), source))


def table_records(
    source: Source, rows: Iterable[tuple[int, JsonObject]], header: list[str] | None = None
) -> Iterator[Record]:
    """The records of numbered rows, all with the columns of the header, or with those of the first row."""
    read_row = None if header is None else table_row_reader(source, header)
    for number, row in rows:
        read_row = read_row or table_row_reader(source, list(row))
        try:
            records = read_row(row, f"{source.stem}:{number}")
        except ValueError as problem:
            source.reject(number, str(problem), plain_cell(row))
            continue
        source.note_place(number)
        yield from records


def table_row_reader(source: Source, header: list[str]) -> Callable[[JsonObject, str], Sequence[Record]]:
    """A function that builds the records of a row of this table from a default id, or raises ValueError."""
    if source.judges:
        check_judges(source, header)
        if source.wants_judgements:
            return judge_row_reader(source, header)
        header = [column for column in header if column not in source.judges]
    names = field_names(source, header)
    read_row = row_reader(source.record_type, header, source.mark)

    def read_record(row: JsonObject, default_id: str) -> Sequence[Record]:
        cells = {names.get(name, name): cell for name, cell in row.items() if name not in source.judges}
        record = read_row(cells, default_id)
        return [with_normal_label(record, source.scheme) if isinstance(record, Pair) else record]

    return read_record


def field_names(source: Source, header: list[str]) -> dict[str, str]:
    """Our field names by the column names of the table."""
    check_user_columns(source, header)
    names = {column: field for field, column in source.columns.items()}
    if source.record_type is Pair:
        names |= _text_columns(source, header, {"text1", "text2"} - set(names.values()))
    for other, field in OTHER_NAMES.get(source.record_type.__name__.lower(), {}).items():
        if other in header and field not in header and field not in names.values():
            names[other] = field
    needed = (field.name for field in msgspec.structs.fields(source.record_type) if field.required)
    if missing := [name for name in needed if name not in {"id", *header, *names.values()}]:
        named = ",".join(f"{name}=…" for name in missing)
        raise source.error(
            f"no column for {' and '.join(missing)} among: {', '.join(header)}; name them with --columns {named}",
            code="missing-column",
        )
    return names | rename_displaced(names, header)


def _text_columns(source: Source, header: list[str], unnamed: set[str]) -> dict[str, str]:
    """The columns of the texts that the user has not named."""
    if unnamed <= set(header):
        return {}
    by_lower = {column.lower(): column for column in header}
    columns = next((pair for pair in TEXT_COLUMNS if set(pair) <= by_lower.keys()), None)
    if columns is None or len(unnamed) < 2:
        raise source.error(
            f"no columns for the two texts among: {', '.join(header)}; name them with --columns text1=…,text2=…",
            code="missing-column",
        )
    return {by_lower[columns[0]]: "text1", by_lower[columns[1]]: "text2"}


def write(records: Iterable[Record], stream: BinaryIO, delimiter: str) -> None:
    """Write a header with all fields, then one row per record."""
    rows = iter(records)
    first = list(islice(rows, PEEK))
    kind = type(first[0]) if first else Pair
    columns = table_header(kind, first)
    cells = (
        [str(cell).lower() if isinstance(cell, bool) else cell for cell in flatten_record(record, columns)]
        for record in chain(first, rows)
    )
    write_rows(chain([columns], cells), stream, delimiter)


def _sniff(suffix: str, *delimiters: str) -> Callable[[Head], bool]:
    def sniff(head: Head) -> bool:
        """By the suffix, or by a header with two usual names of text columns."""
        if head.suffix == suffix:
            return True
        first = head.lines[0] if head.lines else ""
        headers = ({name.strip().lower() for name in split_cells(first, delimiter)} for delimiter in delimiters)
        return any(set(pair) <= header for header in headers for pair in TEXT_COLUMNS if pair != ("a", "b"))

    return sniff


def read_workbook(source: Source) -> Iterator[Record]:
    """The records of a sheet; the text columns are found or named as in any table."""
    yield from table_records(source, rows_by_header(sheet_rows(source), source))


def refuse_workbook(records: Iterable[Record], stream: BinaryIO) -> None:
    """Refuse: a CSV file holds the same, and every spreadsheet opens it."""
    raise UsageError("workbooks are read, not written; write a .csv file, which Excel opens", code="format-not-written")


def sniff_workbook(head: Head) -> bool:
    return head.start.startswith((ZIP, OLD_OR_ENCRYPTED)) and (head.suffix in WORKBOOK_SUFFIXES or b"xl/" in head.start)


CSV = Format(
    "csv",
    "comma-separated table with a header",
    read_csv,
    partial(write, delimiter=","),
    _sniff(".csv", ",", ";"),
    suffix=".csv",
    nouns=ALL_NOUNS,
)
TSV = Format(
    "tsv",
    "tab-separated table with a header",
    read_tsv,
    partial(write, delimiter="\t"),
    _sniff(".tsv", "\t"),
    suffix=".tsv",
    nouns=ALL_NOUNS,
)
XLSX = Format("xlsx", "Excel workbook, read only", read_workbook, refuse_workbook, sniff_workbook, nouns=ALL_NOUNS)
