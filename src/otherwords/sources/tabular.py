"""Rows of delimited text, as real files have them.

In go numbered lines, out come numbered lists of cells. Blank lines and rows of empty cells are
passed over, quotes are read as the format says, and a quote that is never closed does not swallow
the rest of the file: it is taken as a character of the text, which is what it nearly always is.
"""

from __future__ import annotations

import contextlib
import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.sources.source import Source

MAX_LINES_IN_CELL = 1000
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_QUOTES = re.compile(r'"+')
_BREAKS = re.compile(r"\r\n|\r|\n")
_ROWS_A_WRITE = 500
Row = tuple[int, list[str]]
Line = tuple[int, str]


def plain_rows(source: Source, delimiter: str = "\t") -> Iterator[Row]:
    """Rows without quoting: a quote is text."""
    for number, line in source.lines():
        if not _blank(line, delimiter):
            yield number, line.split(delimiter)


def quoted_rows(source: Source, delimiter: str = ",", width: int = 0) -> Iterator[Row]:
    """Rows with RFC 4180 quoting: cells may hold delimiters, doubled quotes and line breaks.

    With the width of a table whose quotes may be mere text, lines that are rows of it by themselves
    are not joined to one.
    """
    lines = source.raw_lines()
    waiting: deque[Line] = deque()
    while (first := waiting.popleft() if waiting else next(lines, None)) is not None:
        number, line = first
        if _blank(line, delimiter):
            continue
        if '"' not in line:
            yield number, _bare(line).split(delimiter)
            continue
        cells, opened = _cells(_bare(line), delimiter)
        if opened is not None:
            whole = _until_closed(line, lines, waiting, delimiter, width)
            if whole is None:
                source.mark("a quote that is never closed, read as text")
                cells = _bare(line).split(delimiter)
            else:
                cells = whole
        yield number, cells


def _blank(line: str, delimiter: str) -> bool:
    return not line.replace(delimiter, "").strip()


def _bare(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _until_closed(
    line: str, lines: Iterator[Line], waiting: deque[Line], delimiter: str, width: int
) -> list[str] | None:
    """The cells of a row that goes on over several lines; None, and the lines put back, if its quote never closes.

    Inside an open cell only an odd run of quotes closes it, so a line is looked at once. A cell that
    goes on after such a quote was not a quoted cell over several lines to begin with. Nor was one in a
    line that is a row of its own, if all the others are as well or if together they are none.
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
        rest = _bare(following[1])[close:]
        if rest and not rest.startswith(delimiter):
            break
        cells, opened = _cells(_bare(line + "".join(text for _, text in taken)), delimiter)
        if opened is None:
            texts = [line, *(text for _, text in taken)]
            if _is_row(line, delimiter, width) and (
                len(cells) != width or all(_is_row(text, delimiter, width) for text in texts)
            ):
                break
            return cells
    waiting.extendleft(reversed(taken))
    return None


def _is_row(line: str, delimiter: str, width: int) -> bool:
    """Whether a line has as many cells as the table, its quotes taken as text."""
    return line.count(delimiter) + 1 == width


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of a line; those after a quote that is not closed in it are missing."""
    return _cells(line, delimiter)[0]


def header_of(source: Source, delimiter: str) -> list[str]:
    """The cells of the first line that is not blank, looked at ahead of the reading."""
    return cells_of(_first_line(source), delimiter)


def delimiter_of(source: Source) -> str:
    """What stands between the cells of a CSV file: a comma, or a semicolon if the header has these and no comma."""
    unquoted = _QUOTED.sub("", _first_line(source))
    return ";" if ";" in unquoted and "," not in unquoted else ","


def _first_line(source: Source) -> str:
    start = source.head().decode(source.actual_encoding, "replace").removeprefix("\ufeff")
    return next((line.removesuffix("\r") for line in start.split("\n") if line.strip()), "")


def _cells(text: str, delimiter: str) -> tuple[list[str], int | None]:
    """The cells of one logical row, and where the last one starts if its quote is still open.

    A cell that starts with a quote but goes on after the closing one is text with quotes in it.
    """
    if "\r" not in text:  # the fast way, for rows that are as they should be
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


def headed(rows: Iterable[Row], source: Source, names: list[str] | None = None) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows as dictionaries by the header (or by ``names``); a row with too few or too many cells is rejected.

    Empty cells beyond the header are common at the ends of rows and are let through.
    """
    header = names
    for number, cells in rows:
        if header is None:
            header = _header(cells, number, source)
            continue
        while len(cells) > len(header) and not cells[-1].strip():
            cells.pop()
        if len(cells) != len(header):
            source.reject(number, f"{len(cells)} columns where {len(header)} are expected", cells)
            continue
        yield number, dict(zip(header, cells, strict=True))


def _header(cells: list[str], number: int, source: Source) -> list[str]:
    """The names of the columns, each of them once; a second unnamed column is called by its number."""
    refuse_unmarked_utf16(source)
    names: list[str] = []
    for column, cell in enumerate(cells, 1):
        name = cell.strip()
        if "\r" in name.replace("\r\n", ""):
            raise source.error("the lines end in carriage returns only; convert the line ends first", number)
        if name in names and name:
            raise source.error(f"two columns are called {name!r}; rename one of them", number)
        names.append(f"column {column}" if name in names else name)
    return names


def refuse_unmarked_utf16(source: Source) -> None:
    """Every second byte of UTF-16 is zero in most of a text, and none is in anything else."""
    start = source.head(1000) if source.actual_encoding == "utf-8" else b""
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if start.count(b"\0") * 5 > len(start) and start[first::2].count(b"\0") * 2 > start.count(b"\0"):
            raise source.error(f"looks like UTF-16 without a byte order mark; name it with --encoding {encoding}")


def write_rows(rows: Iterable[Iterable[object]], stream: BinaryIO, delimiter: str = ",", newline: str = "\n") -> None:
    """Rows with RFC 4180 quoting where it is needed: for delimiters, quotes, line breaks and blanks at the ends."""
    special = re.compile(f'[{re.escape(delimiter)}"\r\n]|^\\s|\\s$')

    def cell(value: object) -> str:
        text = "" if value is None else str(value)
        return '"' + text.replace('"', '""') + '"' if special.search(text) else text

    _write_lines((delimiter.join(map(cell, row)) + newline for row in rows), stream)


def write_plain_rows(rows: Iterable[Iterable[str]], stream: BinaryIO, delimiter: str = "\t") -> None:
    """Rows without quoting; delimiters and line breaks inside a cell become blanks."""
    cells = ((one_line(cell.replace(delimiter, " ")) for cell in row) for row in rows)
    _write_lines((delimiter.join(row) + "\n" for row in cells), stream)


def one_line(text: str) -> str:
    """The text with its line breaks made blanks, for layouts that have one line a text."""
    return _BREAKS.sub(" ", text) if "\n" in text or "\r" in text else text


def _write_lines(lines: Iterable[str], stream: BinaryIO) -> None:
    block: list[str] = []
    for line in lines:
        block.append(line)
        if len(block) >= _ROWS_A_WRITE:
            stream.write("".join(block).encode())
            block.clear()
    stream.write("".join(block).encode())
