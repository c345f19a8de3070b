"""Rows of a sheet of an Excel workbook (``.xlsx``), each cell as a person would write it into a CSV file.

One row is in memory at a time, besides the table of texts that a workbook keeps for all of its sheets. A formula is the
value that it had when the workbook was saved. A workbook is a ZIP archive of XML, so it is refused if it unpacks to
implausibly much; one that is damaged, encrypted or in an older format is an error in words.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import IO, Any

from otherwords.registry import suggest
from otherwords.sources.io.files import MAX_RATIO, RATIO_FREE, UNPACKING_ERRORS
from otherwords.sources.io.tabular import Row
from otherwords.sources.rows.records import scalar_text
from otherwords.sources.source import Source

ZIP = b"PK\x03\x04"
OLD_OR_ENCRYPTED = bytes.fromhex("d0cf11e0a1b11ae1")  # the container of .xls, and of a workbook with a password
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # the name of the part with the content
MOST_ROWS = 2**20  # of a sheet, by the specification of Excel
ROWS_AT_A_TIME = 200
ERRORS = frozenset(
    {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#GETTING_DATA", "#SPILL!", "#CALC!"}
)
NO_VALUE = "a formula without a stored value, read as empty; open the workbook in Excel or LibreOffice and save it"
SHEETS = "xl/worksheets/"  # the parts of the archive that hold sheets
# What reading a damaged workbook raises; all parsers of XML raise a SyntaxError.
DAMAGE = (*UNPACKING_ERRORS, SyntaxError, TypeError, AttributeError, IndexError, AssertionError)
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # how a workbook writes characters that XML does not allow
_FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
_MIDNIGHT = time()


def sheet_rows(source: Source) -> Iterator[Row]:
    """The rows of the sheet that the user named, or of the only one with rows; empty rows are skipped.

    A row is at least as long as those above it; cells beyond the header are kept for the reader to complain about.
    """
    width = 0
    for number, values in enumerate(_values(source), 1):
        if number > MOST_ROWS:
            raise source.error(f"the sheet has more than {MOST_ROWS:,} rows", number, code="too-many-rows")
        cells = [_cell_text(source, value) for value in values]
        while cells and not cells[-1].strip():
            cells.pop()
        if cells:
            width = max(width, len(cells))
            yield number, cells + [""] * (width - len(cells))


def _values(source: Source) -> Iterator[tuple[Any, ...]]:
    from openpyxl import load_workbook

    with _seekable(source) as stream:
        try:
            _check_archive(source, stream)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about parts that are not read: styles, validation, pictures
                book = load_workbook(stream, read_only=True, data_only=True, keep_links=False)
                sheet = _chosen_sheet(source, book)
                formulas = None
                if _has_formulas(stream):
                    book = load_workbook(stream, read_only=True, keep_links=False)
                    formulas = _rows(book[sheet.title])
            for row in _in_blocks(_rows(sheet)):
                if formulas is not None:
                    _mark_lost(source, row, next(formulas))
                yield row
        except DAMAGE as problem:
            why = next(iter(str(problem).splitlines()), type(problem).__name__)
            message = f"cannot be read as an Excel workbook ({why}); save it again, or save the sheet as CSV"
            raise source.error(message, code="damaged-file") from None


@contextlib.contextmanager
def _seekable(source: Source) -> Iterator[IO[bytes]]:
    """The bytes of the workbook; a copy of them if they come from a stream, since an archive is read from its end."""
    with source.binary() as stream:
        if stream.seekable():
            yield stream
            return
        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(stream, copy, 2**20)
            yield copy


def _check_archive(source: Source, stream: IO[bytes]) -> None:
    """Raise an error for what is no archive, for one that is encrypted, and for one that unpacks to too much."""
    stream.seek(0)
    start = stream.read(2**16)
    if start.startswith(OLD_OR_ENCRYPTED):
        if ENCRYPTED in start or ENCRYPTED in stream.read():
            message = "the workbook is protected by a password; save it without one"
            raise source.error(message, code="encrypted-archive")
        message = "this is a workbook of the older format .xls; save it as .xlsx or as CSV"
        raise source.error(message, code="older-workbook")
    size = stream.seek(0, 2)
    with zipfile.ZipFile(stream) as archive:  # its sizes hold: no more is unpacked of a part than they say
        members = archive.infolist()
    if any(member.flag_bits & 1 for member in members):
        raise source.error("the workbook is protected by a password; save it without one", code="encrypted-archive")
    if sum(member.file_size for member in members) > max(RATIO_FREE, size * MAX_RATIO):
        message = f"the workbook unpacks to more than {MAX_RATIO} times its size, which no sheet of texts does"
        raise source.error(message, code="implausible-compression")


def _chosen_sheet(source: Source, book: Any) -> Any:
    """The sheet to read. Without a name it is the only one with rows; hidden ones count if no other has any."""
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if source.sheet is not None:
        titles = [title for title in sheets if title.strip().casefold() == source.sheet.strip().casefold()]
        if source.sheet not in sheets and len(titles) != 1:
            message = f"there is no sheet {source.sheet!r}{suggest(source.sheet, list(sheets))}"
            raise source.error(message, code="no-such-sheet")
        return sheets[source.sheet if source.sheet in sheets else titles[0]]
    filled = [sheet for sheet in sheets.values() if any(any(cell is not None for cell in row) for row in _rows(sheet))]
    visible = [sheet for sheet in filled if sheet.sheet_state == "visible"]
    if not filled:
        raise source.error("the workbook has no rows", code="empty-file")
    if len(visible or filled) > 1:
        names = ", ".join(sheet.title for sheet in visible or filled)
        message = f"the workbook has several sheets with rows: {names}; name the one to read with --sheet"
        raise source.error(message, code="sheet-needed")
    for sheet in filled if visible else []:
        if sheet not in visible:
            source.mark(f"the hidden sheet {sheet.title!r}, not read; to read it, name it with --sheet")
    return (visible or filled)[0]


def _rows(sheet: Any) -> Iterator[tuple[Any, ...]]:
    sheet.reset_dimensions()  # some programs write wrong ones, by which cells would be cut off
    rows: Iterator[tuple[Any, ...]] = islice(sheet.iter_rows(values_only=True), MOST_ROWS + 1)
    return rows


def _in_blocks(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """The rows; warnings about single cells are silenced while some of them are read."""
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            block = list(islice(rows, ROWS_AT_A_TIME))
        if not block:
            return
        yield from block


def _has_formulas(stream: IO[bytes]) -> bool:
    """Whether any sheet has a formula, so that a second look is needed."""
    with zipfile.ZipFile(stream) as archive:
        for name in archive.namelist():
            if name.startswith(SHEETS):
                with archive.open(name) as part:
                    tail = b""
                    while block := part.read(2**20):
                        if _FORMULA.search(tail + block):
                            return True
                        tail = block[-16:]
    return False


def _mark_lost(source: Source, values: Iterable[Any], formulas: Iterable[Any]) -> None:
    """Count cells whose formula has no value, as in workbooks that a program wrote and nobody opened."""
    lost = sum(value is None and formula is not None for value, formula in zip(values, formulas, strict=False))
    source.mark(NO_VALUE, lost)


def _cell_text(source: Source, value: object) -> str:
    """A cell as text: whole numbers without a point, days without a time, nothing for an error."""
    match value:
        case None:
            return ""
        case bool() | int() | float():
            return scalar_text(value)
        case datetime():
            rounded = (value + timedelta(microseconds=500_000)).replace(microsecond=0)
            return rounded.date().isoformat() if rounded.time() == _MIDNIGHT else rounded.isoformat()
        case date() | time():
            return value.isoformat()
        case str() if value in ERRORS:
            source.mark(f"a cell with the error {value}, read as empty")
            return ""
        case str():
            text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value) if "_x" in value else value
            return text.replace("\r\n", "\n").replace("\r", "\n")
    return str(value)
