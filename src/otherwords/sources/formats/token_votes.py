"""Votes by token (paraphrases in news interviews): who highlighted which tokens, one row per annotator and category.

The table is TSV in UTF-16 and holds only the ids of pairs, no texts, so it is read as judgements: one per row, whose
value is the highlighted token numbers or the other content of the cell. Rows about a whole session (its comment, its
time) are judgements of a group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO

from otherwords.records import Judgement, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.tabular import quoted_rows, require_columns, rows_by_header, write_rows
from otherwords.sources.source import Source

HEADER = ("QID", "Category", "Highlighted", "Annotator", "Session")
START = "Session_Start"
SCHEME = "token-votes:"
PEEK = 1000
_NUMBERS = re.compile(r"\[\s*(\d+(?:\s*,\s*\d+)*)?\s*\]", re.ASCII)


def read(source: Source) -> Iterator[Record]:
    """One judgement per row."""
    for number, row in rows_by_header(quoted_rows(source, "\t"), source):
        require_columns(source, row, HEADER)
        if not row["QID"] or not row["Category"]:
            source.reject(number, f"QID and Category are expected, found {row['QID']!r} and {row['Category']!r}", row)
            continue
        about_session = row["QID"] == row["Session"]
        if about_session:
            source.mark("about a session, not about a pair")
        cell = row["Highlighted"]  # a list of token numbers, if writing it again would give exactly this cell
        match = _NUMBERS.fullmatch(cell)
        numbers = [int(number[:9]) for number in match.group(1).split(",")] if match and match.group(1) else []
        yield Judgement(
            id=f"{source.stem}:{number}",
            pair=row["QID"],
            unit="group" if about_session else "pair",
            value=numbers if match and str(numbers) == cell else cell,
            annotator=row["Annotator"] or None,
            scheme=SCHEME + row["Category"],
            batch=row["Session"] or None,
            time=row.get(START) or None,
            meta={name: cell for name, cell in row.items() if name not in (*HEADER, START)},
        )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write TSV in UTF-16 with a byte order mark, with the further columns of the first records."""
    judgements = (record for record in records if isinstance(record, Judgement))
    first = list(islice(judgements, PEEK))
    others = list(dict.fromkeys(name for judgement in first for name in judgement.meta))
    start = [START] if any(judgement.time for judgement in first) else []

    def row(judgement: Judgement) -> list[object]:
        category = (judgement.scheme or "").removeprefix(SCHEME)
        cells = [judgement.pair, category, judgement.value, judgement.annotator, judgement.batch]
        return [*cells, *(judgement.time for _ in start), *(judgement.meta.get(name) for name in others)]

    rows = map(row, chain(first, judgements))
    stream.write("\ufeff".encode("utf-16-le"))
    write_rows(chain([[*HEADER, *start, *others]], rows), _Utf16Stream(stream), "\t")  # type: ignore[arg-type]


class _Utf16Stream:
    """A stream that turns UTF-8 into UTF-16."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, block: bytes) -> int:
        return self._stream.write(block.decode().encode("utf-16-le"))


def sniff(head: Head) -> bool:
    return bool(head.lines) and head.lines[0].split("\t")[: len(HEADER)] == list(HEADER)


_TITLE = "votes by token (UTF-16 TSV, one row per annotator and category)"
FORMAT = Format("token-votes", _TITLE, read, write, sniff, nouns=(Judgement,))
