"""The Twitter URL corpus (Lan et al. 2017): tweets that share a link, with the votes of six workers.

One TSV file of two texts, ``(n,6)`` and the link, with an empty column before or after the link in some rows; or a
folder of parallel files ``a.toks``, ``b.toks`` and ``sim.txt``, tokenised by blanks and without links. Pairs with three
votes are debatable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.parallel_files import aligned_lines
from otherwords.sources.io.tabular import column_count, plain_rows, write_plain_rows
from otherwords.sources.rows.layout import BINARY, mark_empty_texts, unwritable_label
from otherwords.sources.rows.votes import Votes, parse_counts, votes_of
from otherwords.sources.source import Source

WORKERS = 6
POSITIVE_FROM, NEGATIVE_TO = 4, 2  # votes for yes; 3 is debatable
PARALLEL = ("a.toks", "b.toks", "sim.txt")
_EXPECTED = f"votes (n,{WORKERS}) with n from 0 to {WORKERS} are expected"
_UNANIMOUS = {"1": Votes(WORKERS, 0), "0": Votes(0, WORKERS)}
_COUNTS_ABOVE_ONE = {str(count).encode() for count in range(2, WORKERS + 1)}
_ROW = re.compile(rf"[^\t]+\t[^\t]+\t\(\d, ?{WORKERS}\)(?:\t[^\t]*){{1,2}}")


class _UrlRow(NamedTuple):
    id: str
    text1: str
    text2: str
    meta: dict[str, str]


def read(source: Source) -> Iterator[Record]:
    """The pairs, or their votes, of a file or a folder."""
    if source.path is not None and source.path.is_dir():
        yield from _read_folder(source, source.path)
        return
    for number, cells in plain_rows(source):
        cells = cells[:3] + [cell for cell in cells[3:] if cell.strip()]
        if len(cells) not in (3, 4):
            source.reject(number, f"{column_count(cells)} found, 4 expected", cells)
            continue
        votes = _votes(cells[2])
        if votes is None:
            source.reject(number, f"{_EXPECTED}, found {cells[2]!r}", cells)
            continue
        if len(cells) == 3:
            source.mark("no URL")
        meta = {"url": cells[3].strip()} if len(cells) == 4 else {}
        yield from _records(source, _UrlRow(f"{source.stem}:{number}", cells[0], cells[1], meta), votes)


def _read_folder(source: Source, folder: Path) -> Iterator[Record]:
    """The tokenised variant. Its third file has votes, plain numbers of votes, or labels."""
    files = [source.sibling(folder / name) for name in PARALLEL]
    counted = any(line.strip() in _COUNTS_ABOVE_ONE for _, line in files[2].byte_lines())
    for number, (text1, text2, sim) in aligned_lines(files):
        if not (text1.strip() or text2.strip() or sim.strip()):
            continue
        cell = sim.strip()
        row = _UrlRow(f"{source.stem}:{number}", text1, text2, {"tokeniser": "blank"})
        votes = _votes(f"({cell},{WORKERS})" if counted else cell)
        if votes is None and cell not in BINARY:
            files[2].reject(number, f"{_EXPECTED}, found {cell!r}", [text1, text2, sim])
        elif votes is None and source.wants_judgements:
            message = "votes are expected, found labels; read the pairs instead"
            raise files[2].error(message, number, code="no-judgements")
        else:
            yield from _records(source, row, votes, cell)


def _votes(cell: str) -> Votes | None:
    counts = parse_counts(cell)
    if counts is None or counts[1] != WORKERS or counts[0] > WORKERS:
        return None
    return Votes(counts[0], WORKERS - counts[0])


def _records(source: Source, row: _UrlRow, votes: Votes | None, label: str | None = None) -> Iterator[Record]:
    """The pair of a row, with the label of its votes if there are any; or the votes."""
    if votes is not None and source.wants_judgements:
        yield from votes.judgements(row.id)
        return
    label = votes.label(POSITIVE_FROM, NEGATIVE_TO) if votes is not None else label
    if label is None:
        source.mark("debatable")
    mark_empty_texts(source, row.text1, row.text2)
    yield Pair(
        id=row.id,
        text1=row.text1,
        text2=row.text2,
        lang=source.lang or "en",
        group=row.meta.get("url"),
        label=label,
        meta={**(votes.as_meta(label) if votes is not None else {}), **row.meta},
    )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write one TSV file. A label without votes is written as a unanimous vote."""

    def cells(pair: Pair) -> list[str]:
        votes = votes_of(pair) or _UNANIMOUS.get(pair.label or "")
        if votes is None or votes.yes + votes.no != WORKERS:
            raise unwritable_label(pair.id, pair.label, "twitter-url", f"0, 1 or {WORKERS} votes")
        return [pair.text1, pair.text2, f"({votes.yes},{WORKERS})", str(pair.meta.get("url") or pair.group or "")]

    write_plain_rows((cells(record) for record in records if isinstance(record, Pair)), stream)


def sniff(head: Head) -> bool:
    """A folder with the three files, or a file in which every row has six votes in its third column."""
    if head.suffix == "/":
        return set(PARALLEL) <= set(head.lines)
    return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)


_TITLE = "Twitter URL corpus, tweets with votes; also the folder of a.toks, b.toks, sim.txt"
FORMAT = Format("twitter-url", _TITLE, read, write, sniff, folder=True, nouns=(Pair, Judgement))
