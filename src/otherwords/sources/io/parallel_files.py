"""Parallel files, whose lines of the same number belong together.

If a line of one file cannot be read, the lines that belong to it are rejected too. Files of different lengths are an
error, because all pairs after a missing line would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from otherwords.sources.source import Source

_END = object()  # stands for lines after the end of a file


def aligned_lines(sources: list[Source]) -> Iterator[tuple[int, list[str]]]:
    """Line numbers, each with that line of every file."""
    streams = [_lines_or_gaps(source) for source in sources]
    for number, lines in enumerate(zip_longest(*streams, fillvalue=_END), 1):
        sides = list(zip(sources, lines, strict=True))
        if ended := [source for source, line in sides if line is _END]:
            longer = next(source for source, line in sides if line is not _END)
            message = f"the file ends after line {number - 1}, but {longer.name} has more; they must have as many lines"
            raise ended[0].error(message, code="unequal-files")
        whole = [(source, line) for source, line in sides if isinstance(line, str)]
        if len(whole) == len(sources):
            yield number, [line for _, line in whole]
        elif whole:
            partner, line = whole[0]
            partner.reject(number, "the same line of another file cannot be read", line)


def _lines_or_gaps(source: Source) -> Iterator[str | None]:
    """All lines in order, with None for each that was rejected, also at the end."""
    lines = source.lines()
    while True:
        before = source.account.skipped.total()
        numbered = next(lines, None)
        yield from [None] * (source.account.skipped.total() - before)
        if numbered is None:
            return
        yield numbered[1]
