"""Parallel files: the same line of each belongs together.

In go the files, out come numbered tuples of lines. A line that cannot be read in one file takes its
partners with it, which are rejected too; files of different lengths are an error, because from the
missing line on every pair would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from otherwords.sources.source import Source


def aligned(sources: list[Source]) -> Iterator[tuple[int, list[str]]]:
    """The lines of the files, side by side."""
    streams = [_places(source) for source in sources]
    for number, lines in enumerate(zip_longest(*streams, fillvalue=_END), 1):
        ended = [source for source, line in zip(sources, lines, strict=True) if line is _END]
        if ended:
            longer = next(source for source, line in zip(sources, lines, strict=True) if line is not _END)
            raise ended[0].error(f"has {number - 1} lines, but {longer.name} has more; they must have as many")
        whole = [line for line in lines if isinstance(line, str)]
        if len(whole) == len(sources):
            yield number, whole
        elif whole:
            partner = next(source for source, line in zip(sources, lines, strict=True) if isinstance(line, str))
            partner.reject(number, "its partner in another file cannot be read", whole[0])


class _End:
    """Stands for the lines after the end of a file."""


_END = _End()


def _places(source: Source) -> Iterator[str | None]:
    """Every line in its place; None where one was rejected, also at the end."""
    lines = source.lines()
    while True:
        before = source.account.skipped.total()
        following = next(lines, None)
        yield from [None] * (source.account.skipped.total() - before)
        if following is None:
            return
        yield following[1]
