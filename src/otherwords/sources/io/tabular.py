"""Rows of delimited text as real files have them.

Rows are numbered lists of cells. Blank lines and rows of empty cells are skipped. A quote that is never closed does not
swallow the rest of the file: it is read as a character of the text, which it nearly always is. A first line
``sep=;``, which tells Excel the delimiter, is no row.
"""

from __future__ import annotations

import contextlib
import csv
import re
import string
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from otherwords.sources.source import Source

MAX_LINES_IN_CELL = 1000
MAX_TITLE_ROWS = 20  # above the header of a table
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_QUOTES = re.compile(r'"+')
_DELIMITER_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
_BREAKS = re.compile(r"\r\n|\r|\n")
_ROWS_PER_WRITE = 500
Row = tuple[int, list[str]]
Line = tuple[int, str]


# What a spreadsheet may drop at the beginning of a cell: blanks, and characters without a width.
UNSEEN = string.whitespace + "\xa0\xad\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
UNSEEN += "\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # the full-width ones count too in East Asia


def plain_rows(source: Source, delimiter: str = "\t") -> Iterator[Row]:
    """Rows without quoting; a quote is a character like any other."""
    for number, line in source.lines():
        if line.replace(delimiter, "").strip() and not (number == 1 and named_delimiter(line)):
            yield number, line.split(delimiter)


def quoted_rows(source: Source, delimiter: str = ",", width: int = 0) -> Iterator[Row]:
    """Rows with RFC 4180 quoting: cells may hold delimiters, doubled quotes and line breaks.

    If quotes may be plain text, pass the number of columns as ``width``: lines that are complete rows are then not
    joined into one.
    """
    lines = source.raw_lines()
    waiting: deque[Line] = deque()
    while (first := waiting.popleft() if waiting else next(lines, None)) is not None:
        number, line = first
        if not line.replace(delimiter, "").strip() or (number == 1 and named_delimiter(line)):
            continue
        if '"' not in line:
            yield number, _strip_line_end(line).split(delimiter)
            continue
        cells, opened = _split_quoted(_strip_line_end(line), delimiter)
        if opened is not None:
            whole = _until_closed(line, lines, waiting, delimiter, width)
            if whole is None:
                source.mark("a quote that is never closed, read as text")
                cells = _strip_line_end(line).split(delimiter)
            else:
                cells = whole
        yield number, cells


def _strip_line_end(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _until_closed(
    line: str, lines: Iterator[Line], waiting: deque[Line], delimiter: str, width: int
) -> list[str] | None:
    """The cells of a row that spans several lines; None, with the lines put back, if its quote never closes.

    Only an odd run of quotes closes an open cell, so each line is looked at once. If the cell goes on after such a
    quote, it was not a quoted cell over several lines. Nor was it if the first line is a complete row and either all
    other lines are complete rows too or the joined lines are not a row.
    """
    taken: list[Line] = []
    while len(taken) < MAX_LINES_IN_CELL:
        following = waiting.popleft() if waiting else next(lines, None)
        if following is None:
            break
        taken.append(following)
        close = next((run.end() for run in _QUOTES.finditer(following[1]) if len(run.group()) % 2), None)
        if close is None:
            continue
        rest = _strip_line_end(following[1])[close:]
        if rest and not rest.startswith(delimiter):
            break
        cells, opened = _split_quoted(_strip_line_end(line + "".join(text for _, text in taken)), delimiter)
        if opened is None:
            # Whether each line has as many cells as the table if its quotes are plain text.
            are_rows = [text.count(delimiter) + 1 == width for text in (line, *(text for _, text in taken))]
            if are_rows[0] and (len(cells) != width or all(are_rows)):
                break
            return cells
    waiting.extendleft(reversed(taken))
    return None


def split_cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line, without those after a quote that it does not close."""
    return _split_quoted(line, delimiter)[0]


def read_header(source: Source, delimiter: str) -> list[str]:
    """The cells of the first row; the file can still be read from its start."""
    first, *others = _first_lines(source)
    return _split_quoted(others[0] if others and named_delimiter(first) else first, delimiter)[0]


def guess_delimiter(source: Source) -> str:
    """The delimiter of a CSV file: the one that its first line names; else that of the header, comma or semicolon."""
    first, *_ = _first_lines(source)
    unquoted = _QUOTED.sub("", first)
    return named_delimiter(first) or (";" if ";" in unquoted and "," not in unquoted else ",")


def named_delimiter(line: str) -> str | None:
    """The delimiter in a first line ``sep=;``; None for any other line."""
    match = _DELIMITER_LINE.fullmatch(line.rstrip("\r\n"))
    return match[1] if match else None


def _first_lines(source: Source) -> list[str]:
    """The lines at the start of the file that are not blank; at least one, which may be empty."""
    start = source.head().decode(source.actual_encoding, "replace").removeprefix("\ufeff")
    return [line.removesuffix("\r") for line in start.split("\n") if line.strip()] or [""]


def _split_quoted(text: str, delimiter: str) -> tuple[list[str], int | None]:
    """The cells of one logical row, and where the last cell starts if its quote is still open.

    A cell that starts with a quote and goes on after the closing quote is plain text with quotes in it.
    """
    if "\r" not in text:  # the fast way, for valid rows
        with contextlib.suppress(csv.Error):
            return next(csv.reader((text,), delimiter=delimiter, strict=True)), None
    cells: list[str] = []
    start = 0
    while True:
        quoted = text.startswith('"', start)
        close = _QUOTED.match(text, start) if quoted else None
        if quoted and close is None:
            return cells, start
        end = text.find(delimiter, close.end() if close else start)
        end = len(text) if end < 0 else end
        if close and close.end() == end:
            cells.append(close.group()[1:-1].replace('""', '"'))
        else:
            cells.append(text[start:end])
        if end == len(text):
            return cells, None
        start = end + len(delimiter)


def column_count(cells: list[str]) -> str:
    """The number of cells in words, for messages."""
    return "1 column" if len(cells) == 1 else f"{len(cells)} columns"


def rows_by_header(
    rows: Iterable[Row], source: Source, names: list[str] | None = None
) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows as dictionaries by the header (or by ``names``); a row with too few or too many cells is rejected.

    Empty cells beyond the header are common at the ends of rows and are dropped. If the user named the columns by
    numbers, from 1, the file has no header; if by names, rows above the first that has them all, such as a title, are
    not read.
    """
    header = names
    rows = rows if header is not None else _from_header(iter(rows), source)
    first = header is None
    numbers = {column for column in source.columns.values() if column.isascii() and column.isdigit()}
    for number, cells in rows:
        if header is None and len(numbers) == len(source.columns) > 0 and not numbers <= set(cells):
            columns = map(str, range(1, len(cells) + 1))
            header = [column if column in numbers else f"column {column}" for column in columns]
        elif header is None:
            header = _column_names(cells, number, source)
            continue
        while len(cells) > len(header) and not cells[-1].strip():
            cells.pop()
        if len(cells) != len(header):
            title = first and len(cells) > len(header)
            advice = "; if the header is further down, delete what is above it, or name the columns" if title else ""
            source.reject(number, f"{column_count(cells)} found, {len(header)} expected{advice}", cells)
            first = False
            continue
        first = False
        yield number, dict(zip(header, cells, strict=True))


def _from_header(rows: Iterator[Row], source: Source) -> Iterator[Row]:
    """The rows from the first that has all columns that the user named; all rows if none of the first ones has."""
    named = {*source.columns.values(), *source.judges}
    above: list[Row] = []
    for row in rows if named else ():
        above.append(row)
        if named <= {cell.strip() for cell in row[1]}:
            source.mark("a row above the header, not read", len(above) - 1)
            above = above[-1:]
            break
        if len(above) > MAX_TITLE_ROWS:
            break
    yield from above
    yield from rows


def require_columns(source: Source, row: Mapping[str, str], names: Iterable[str]) -> None:
    """Raise an error if the header of the table lacks one of these columns."""
    if missing := [name for name in names if name not in row]:
        message = f"no column {', '.join(map(repr, missing))} in the header; found: {', '.join(row)}"
        raise source.error(message, code="missing-column")


def _column_names(cells: list[str], number: int, source: Source) -> list[str]:
    """Unique column names; unnamed columns after the first are named by their number."""
    refuse_unmarked_utf16(source)
    names: list[str] = []
    for column, cell in enumerate(cells, 1):
        name = cell.strip()
        if "\r" in name.replace("\r\n", ""):
            message = "the lines end in carriage returns only; convert them to line feeds"
            raise source.error(message, number, code="wrong-line-ends")
        if name in names and name:
            raise source.error(f"two columns are named {name!r}; rename one", number, code="duplicate-column")
        names.append(f"column {column}" if name in names else name)
    return names


def refuse_unmarked_utf16(source: Source) -> None:
    """Raise an error for UTF-16 without byte order mark, in which most of every second byte is zero."""
    start = source.head(1000) if source.actual_encoding == "utf-8" else b""
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if start.count(b"\0") * 5 > len(start) and start[first::2].count(b"\0") * 2 > start.count(b"\0"):
            message = f"this looks like UTF-16 without a byte order mark; name it with --encoding {encoding}"
            raise source.error(message, code="wrong-encoding")


def write_rows(rows: Iterable[Iterable[object]], stream: BinaryIO, delimiter: str = ",", newline: str = "\n") -> None:
    """Write rows with RFC 4180 quoting where needed: for delimiters, quotes, line breaks and blanks at the ends."""
    special = re.compile(f'[{re.escape(delimiter)}"\r\n]|^\\s|\\s$')

    def cell(value: object) -> str:
        text = "" if value is None else str(value)
        return '"' + text.replace('"', '""') + '"' if special.search(text) else text

    _write_lines((delimiter.join(map(cell, row)) + newline for row in rows), stream)


def write_plain_rows(rows: Iterable[Iterable[str]], stream: BinaryIO, delimiter: str = "\t") -> None:
    """Write rows without quoting; delimiters and line breaks inside a cell become blanks."""
    cells = ((one_line(cell.replace(delimiter, " ")) for cell in row) for row in rows)
    _write_lines((delimiter.join(row) + "\n" for row in cells), stream)


def one_line(text: str) -> str:
    """The text with blanks for its line breaks, for formats with one text per line."""
    return _BREAKS.sub(" ", text) if "\n" in text or "\r" in text else text


def _write_lines(lines: Iterable[str], stream: BinaryIO) -> None:
    block: list[str] = []
    for line in lines:
        block.append(line)
        if len(block) >= _ROWS_PER_WRITE:
            stream.write("".join(block).encode())
            block.clear()
    stream.write("".join(block).encode())


def safe_cell(value: object) -> str:
    """A value as a cell: None is empty, booleans are true or false, numbers stay, texts are never formulas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    begins = text.startswith(FORMULA) or text.lstrip(UNSEEN).startswith(FORMULA)
    return f"'{text}" if isinstance(value, str) and begins else text
