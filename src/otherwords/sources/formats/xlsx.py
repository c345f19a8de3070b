"""Excel workbooks: one sheet as a table with a header. They are read, not written; spreadsheets open CSV files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.errors import UsageError
from otherwords.records import Record
from otherwords.sources.format import ALL_NOUNS, Format, Head
from otherwords.sources.formats.tables import table_records
from otherwords.sources.io.tabular import rows_by_header
from otherwords.sources.rows.workbooks import OLD_OR_ENCRYPTED, ZIP, sheet_rows
from otherwords.sources.source import Source

SUFFIXES = (".xlsx", ".xlsm")


def read(source: Source) -> Iterator[Record]:
    """The records of a sheet; the text columns are found or named as in any table."""
    yield from table_records(source, rows_by_header(sheet_rows(source), source))


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Refuse: a CSV file holds the same, and every spreadsheet opens it."""
    raise UsageError("workbooks are read, not written; write a .csv file, which Excel opens", code="format-not-written")


def sniff(head: Head) -> bool:
    return head.start.startswith((ZIP, OLD_OR_ENCRYPTED)) and (head.suffix in SUFFIXES or b"xl/" in head.start)


FORMAT = Format("xlsx", "Excel workbook, read only", read, write, sniff, nouns=ALL_NOUNS)
