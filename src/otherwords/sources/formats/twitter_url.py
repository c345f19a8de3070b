"""The Twitter URL corpus (Lan et al. 2017): tweets that share a link, with the votes of six workers.

One TSV of two texts, ``(n,6)`` and the link; or a folder of parallel files ``a.toks``, ``b.toks`` and
``sim.txt``, cut into tokens by blanks and without links. Pairs with three votes are debatable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import BINARY, note_empty_texts
from otherwords.sources.parallel import aligned
from otherwords.sources.source import Source
from otherwords.sources.tabular import plain_rows, write_plain_rows
from otherwords.sources.votes import Votes, two_numbers, votes_of

WORKERS = 6
POSITIVE_FROM, NEGATIVE_TO = 4, 2  # votes for yes; 3 is debatable
PARALLEL = ("a.toks", "b.toks", "sim.txt")
_UNANIMOUS = {"1": Votes(WORKERS, 0), "0": Votes(0, WORKERS)}
_COUNTS_ABOVE_ONE = {str(count).encode() for count in range(2, WORKERS + 1)}
_ROW = re.compile(rf"[^\t]+\t[^\t]+\t\(\d, ?{WORKERS}\)(?:\t[^\t]*){{1,2}}")


class _Row(NamedTuple):
    id: str
    text1: str
    text2: str
    meta: dict[str, Any]


def read(source: Source) -> Iterator[Record]:
    """The pairs, or their votes, of a file or a folder."""
    if source.path is not None and source.path.is_dir():
        yield from _read_folder(source, source.path)
        return
    for number, cells in plain_rows(source):
        while len(cells) > 3 and not cells[-1].strip():
            cells.pop()
        votes = _votes(cells[2]) if len(cells) in (3, 4) else None
        if votes is None:
            wrong = _not_votes(cells[2]) if len(cells) in (3, 4) else f"{len(cells)} columns where 4 are expected"
            source.reject(number, wrong, cells)
            continue
        if len(cells) == 3:
            source.mark("no URL")
        meta = {"url": cells[3].strip()} if len(cells) == 4 else {}
        yield from _voted(source, _Row(f"{source.stem}:{number}", cells[0], cells[1], meta), votes)


def _read_folder(source: Source, folder: Path) -> Iterator[Record]:
    """The tokenised variant. Its third file has votes, bare numbers of votes, or plain labels."""
    files = [source.beside(folder / name) for name in PARALLEL]
    counted = any(line.strip() in _COUNTS_ABOVE_ONE for _, line in files[2].byte_lines())
    for number, (text1, text2, sim) in aligned(files):
        if not (text1.strip() or text2.strip() or sim.strip()):
            continue
        cell = sim.strip()
        row = _Row(f"{source.stem}:{number}", text1, text2, {"tokeniser": "blank"})
        votes = _votes(f"({cell},{WORKERS})" if counted else cell)
        if votes is not None:
            yield from _voted(source, row, votes)
        elif cell not in BINARY:
            files[2].reject(number, _not_votes(cell), [text1, text2, sim])
        elif source.wants_judgements:
            raise files[2].error("holds labels, not votes: there are no judgements in it")
        else:
            yield _pair(source, row, cell)


def _votes(cell: str) -> Votes | None:
    counts = two_numbers(cell)
    if counts is None or counts[1] != WORKERS or counts[0] > WORKERS:
        return None
    return Votes(counts[0], WORKERS - counts[0])


def _not_votes(cell: str) -> str:
    return f"votes {cell!r} are not of the form (n,{WORKERS}) with n from 0 to {WORKERS}"


def _voted(source: Source, row: _Row, votes: Votes) -> Iterator[Record]:
    if source.wants_judgements:
        yield from votes.judgements(row.id)
        return
    label = votes.label(POSITIVE_FROM, NEGATIVE_TO)
    if label is None:
        source.mark("debatable")
    yield _pair(source, row._replace(meta={**votes.as_meta(label), **row.meta}), label)


def _pair(source: Source, row: _Row, label: str | None) -> Pair:
    note_empty_texts(source, row.text1, row.text2)
    return Pair(
        id=row.id,
        text1=row.text1,
        text2=row.text2,
        lang=source.lang or "en",
        group=row.meta.get("url"),
        label=label,
        meta=row.meta,
    )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """One TSV. A label without votes is written as the vote of all workers for it."""
    write_plain_rows((_cells(record) for record in records if isinstance(record, Pair)), stream)


def _cells(pair: Pair) -> list[str]:
    votes = votes_of(pair) or _UNANIMOUS.get(pair.label or "")
    if votes is None or votes.yes + votes.no != WORKERS:
        raise WriteError(
            f"pair {pair.id}: twitter-url has {WORKERS} votes a pair, or a label of 0 or 1; it has neither"
        )
    return [pair.text1, pair.text2, f"({votes.yes},{WORKERS})", str(pair.meta.get("url") or pair.group or "")]


def sniff(head: Head) -> bool:
    """A folder with the three files, or a file with votes of six in the third column of every row."""
    if head.suffix == "/":
        return set(PARALLEL) <= set(head.lines)
    return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)


FORMAT = Format(
    name="twitter-url",
    title="Twitter URL corpus, tweets with votes; also the folder of a.toks, b.toks, sim.txt",
    read=read,
    write=write,
    sniff=sniff,
    folder=True,
    nouns=(Pair, Judgement),
)
