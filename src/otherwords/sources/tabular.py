"""Rows of delimited text, as real files have them.

In go numbered lines, out come numbered lists of cells. Blank lines are passed over, quotes are read
as the format says, and a quote that is never closed does not swallow the rest of the file: it is
taken as a character of the text, which is what it nearly always is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.sources.source import Source

MAX_LINES_IN_CELL = 1000
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
Row = tuple[int, list[str]]


def plain_rows(source: Source, delimiter: str = "\t") -> Iterator[Row]:
    """Rows without quoting: a quote is text."""
    for number, line in source.lines():
        if line.strip():
            yield number, line.split(delimiter)


def quoted_rows(source: Source, delimiter: str = ",") -> Iterator[Row]:
    """Rows with RFC 4180 quoting: cells may hold delimiters, doubled quotes and line breaks."""
    lines = source.raw_lines()
    pending: list[tuple[int, str]] = []
    while (first := pending.pop(0) if pending else next(lines, None)) is not None:
        number, line = first
        if not line.strip():
            continue
        if '"' not in line:
            yield number, _bare(line).split(delimiter)
            continue
        taken = [first]
        while (cells := _cells(_bare("".join(text for _, text in taken)), delimiter)) is None:
            following = pending.pop(0) if pending else next(lines, None)
            if following is None or len(taken) >= MAX_LINES_IN_CELL:
                pending[:0] = taken[1:] if following is None else [*taken[1:], following]
                cells = _bare(line).split(delimiter)
                source.mark("a quote that is never closed, read as text")
                break
            taken.append(following)
        yield number, cells


def _bare(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _cells(text: str, delimiter: str) -> list[str] | None:
    """The cells of one logical row, or None while a quoted cell is still open.

    A cell that starts with a quote but goes on after the closing one is text with quotes in it.
    """
    cells: list[str] = []
    start = 0
    while True:
        quoted = text.startswith('"', start)
        close = _QUOTED.match(text, start) if quoted else None
        if quoted and close is None:
            return None
        end = text.find(delimiter, close.end() if close else start)
        end = len(text) if end < 0 else end
        if close and close.end() == end:
            cells.append(close.group()[1:-1].replace('""', '"'))
        else:
            cells.append(text[start:end])
        if end == len(text):
            return cells
        start = end + len(delimiter)


def headed(rows: Iterable[Row], source: Source, names: list[str] | None = None) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows as dictionaries by the header (or by ``names``); a row with too few or too many cells is rejected.

    Empty cells beyond the header are common at the ends of rows and are let through.
    """
    header = names
    for number, cells in rows:
        if header is None:
            header = [cell.strip() for cell in cells]
            continue
        while len(cells) > len(header) and not cells[-1].strip():
            cells.pop()
        if len(cells) != len(header):
            source.reject(number, f"{len(cells)} columns where {len(header)} are expected", cells)
            continue
        yield number, dict(zip(header, cells, strict=True))


def write_rows(rows: Iterable[Iterable[object]], stream: BinaryIO, delimiter: str = ",", newline: str = "\n") -> None:
    """Rows with RFC 4180 quoting where it is needed."""
    writer = csv.writer(_Encoded(stream), delimiter=delimiter, lineterminator=newline)
    writer.writerows(rows)


def write_plain_rows(rows: Iterable[Iterable[str]], stream: BinaryIO, delimiter: str = "\t") -> None:
    """Rows without quoting; delimiters and line breaks inside a cell become blanks."""
    for row in rows:
        cells = (" ".join(cell.replace(delimiter, " ").splitlines()) for cell in row)
        stream.write(delimiter.join(cells).encode() + b"\n")


class _Encoded:
    """What csv.writer writes to: text in, bytes of UTF-8 out."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(text.encode())
