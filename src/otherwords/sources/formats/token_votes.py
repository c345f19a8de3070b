"""Votes by token (paraphrases in news interviews): who highlighted which tokens, a row an annotator and category.

The table is TSV in UTF-16 and holds no texts, only the ids of pairs, so it is read as judgements:
one a row, its value the token numbers that were highlighted, or whatever else the cell says. Rows
about a whole session (its comment, its time) are judgements of a group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, BinaryIO

from otherwords.records import Judgement, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, quoted_rows, write_rows

HEADER = ("QID", "Category", "Highlighted", "Annotator", "Session")
START = "Session_Start"
SCHEME = "token-votes:"
PEEK = 1000
_NUMBERS = re.compile(r"\[\s*(\d+(?:\s*,\s*\d+)*)?\s*\]", re.ASCII)


def read(source: Source) -> Iterator[Record]:
    """A judgement a row."""
    for number, row in headed(quoted_rows(source, "\t"), source):
        if missing := [name for name in HEADER if name not in row]:
            raise source.error(f"no column {', '.join(missing)} among: {', '.join(row)}")
        if not row["QID"] or not row["Category"]:
            source.reject(number, "a row needs a QID and a Category", row)
            continue
        about_session = row["QID"] == row["Session"]
        if about_session:
            source.mark("about a session, not about a pair")
        yield Judgement(
            id=f"{source.stem}:{number}",
            pair=row["QID"],
            unit="group" if about_session else "pair",
            value=_value(row["Highlighted"]),
            annotator=row["Annotator"] or None,
            scheme=SCHEME + row["Category"],
            batch=row["Session"] or None,
            time=row.get(START) or None,
            meta={name: cell for name, cell in row.items() if name not in (*HEADER, START)},
        )


def _value(cell: str) -> list[int] | str:
    """A list of token numbers, if the cell is one exactly as it would be written again."""
    found = _NUMBERS.fullmatch(cell)
    numbers = [int(number[:9]) for number in (found.group(1) or "").split(",")] if found and found.group(1) else []
    return numbers if found and _cell(numbers) == cell else cell


def _cell(value: Any) -> str:
    return str(value) if isinstance(value, list) else "" if value is None else str(value)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """TSV in UTF-16 with a byte order mark; further columns as the first rows have them."""
    judgements = (record for record in records if isinstance(record, Judgement))
    first = list(islice(judgements, PEEK))
    others = list(dict.fromkeys(name for judgement in first for name in judgement.meta))
    start = [START] if any(judgement.time for judgement in first) else []
    rows = (_row(judgement, others, bool(start)) for judgement in chain(first, judgements))
    stream.write("\ufeff".encode("utf-16-le"))
    write_rows(chain([[*HEADER, *start, *others]], rows), _Wide(stream), "\t")  # type: ignore[arg-type]


def _row(judgement: Judgement, others: list[str], with_start: bool) -> list[str]:
    category = (judgement.scheme or "").removeprefix(SCHEME)
    cells = [judgement.pair, category, _cell(judgement.value), judgement.annotator or "", judgement.batch or ""]
    start = [judgement.time or ""] if with_start else []
    return [*cells, *start, *(_cell(judgement.meta.get(name)) for name in others)]


class _Wide:
    """A stream that turns UTF-8 into UTF-16."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, block: bytes) -> int:
        return self._stream.write(block.decode().encode("utf-16-le"))


def sniff(head: Head) -> bool:
    return bool(head.lines) and head.lines[0].split("\t")[: len(HEADER)] == list(HEADER)


FORMAT = Format(
    name="token-votes",
    title="votes by token (UTF-16 TSV, a row an annotator and category)",
    read=read,
    write=write,
    sniff=sniff,
    nouns=(Judgement,),
)
