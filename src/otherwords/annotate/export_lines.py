"""Judgements and pairs as lines of JSON, a block at a time, straight from the rows of a snapshot.

The lines are those of the records (:mod:`otherwords.records`) and are read back as such. The database leaves out what
a record leaves out, what the ledger keeps as JSON goes out as it is written there, and a row becomes a line without
becoming a record first: so a large ledger takes seconds and little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import Raw
from sqlalchemy import JSON, Connection, Select, Table, Text, cast, func, select

from otherwords.annotate.pair_conditions import others
from otherwords.annotate.pair_filter import EVERYTHING
from otherwords.project.identities import Renaming
from otherwords.project.rows import TABLES
from otherwords.project.simulated import is_simulated
from otherwords.records import Judgement, Pair

ROWS_A_BLOCK = 2000
SIMULATED = "simulated"  # whatever kind it has at home: what leaves a simulated project says so
AT_HOME = "kind"  # under meta: the kind that it has there, if that is another than individual
USUAL = {"unit": "pair", "purpose": "production", "kind": "individual"}
EMPTY = {"rewrites": "[]", "scores": "{}", "gold": "null", "meta": "{}"}
L = TypeVar("L", bound=msgspec.Struct)


class _Judgement(msgspec.Struct, omit_defaults=True, gc=False):
    """A line about a judgement: the fields of the record, in the order in which they are read."""

    id: str
    pair: str
    value: Any
    annotator: str | None = None
    unit: str | None = None
    scheme: str | None = None
    batch: str | None = None
    purpose: str | None = None
    kind: str | None = None
    round: int = 1
    unsure: bool = False
    note: str | None = None
    rewrites: Any = None
    context_shown: bool | None = None
    seconds: float | None = None
    time: str | None = None
    guideline: str | None = None
    supersedes: str | None = None
    meta: Any = None


class _Pair(msgspec.Struct, omit_defaults=True, gc=False):
    """A line about a pair; a passage is put together out of three columns."""

    id: str
    text1: str
    text2: str
    start1: Any
    end1: Any
    start2: Any
    end2: Any
    lang: str | None = None
    source: str | None = None
    group: str | None = None
    time: str | None = None
    doc1: Any = None
    doc2: Any = None
    method: str | None = None
    rewrite_of: str | None = None
    scores: Any = None
    label: str | None = None
    gold: Any = None
    meta: Any = None


def judgement_lines(connection: Connection, renaming: Renaming | None) -> Iterator[bytes]:
    """All judgements in the order in which they came, also those that were superseded or taken back."""
    rows = _rows(TABLES[Judgement], _Judgement)
    made_up = is_simulated(connection)
    pseudonym = cache(renaming.anywhere) if renaming is not None else None  # few people say the most

    def finish(line: _Judgement) -> None:
        line.value = Raw(line.value if line.value is not None else "null")
        line.rewrites = line.rewrites and Raw(line.rewrites)
        line.meta = line.meta and msgspec.json.decode(line.meta)
        if made_up:
            line.meta = {**(line.meta or {}), **({AT_HOME: line.kind} if line.kind else {})} or None
            line.kind = SIMULATED
        if renaming is not None and pseudonym is not None:
            line.annotator = line.annotator and pseudonym(line.annotator)
            _rename(line, renaming)

    return _blocks(connection, rows, _Judgement, finish)


def pair_lines(connection: Connection, renaming: Renaming | None) -> Iterator[bytes]:
    """All pairs but those that were removed or withdrawn, in the order in which they came."""
    rows = _rows(TABLES[Pair], _Pair).where(*others(EVERYTHING))

    def finish(line: _Pair) -> None:
        line.doc1 = line.doc1 and {"id": line.doc1, "start": line.start1, "end": line.end1}
        line.doc2 = line.doc2 and {"id": line.doc2, "start": line.start2, "end": line.end2}
        line.start1 = line.end1 = line.start2 = line.end2 = msgspec.UNSET
        line.scores = line.scores and Raw(line.scores)
        line.gold = line.gold and Raw(line.gold)
        if line.meta:
            meta = msgspec.json.decode(line.meta)
            line.meta = renaming.maker(meta) if renaming is not None else meta

    return _blocks(connection, rows, _Pair, finish)


def _rows(table: Table, line: type[msgspec.Struct]) -> Select[Any]:
    """The columns of a line as they are stored, those that hold JSON as text, and nothing for what is usual."""
    columns = []
    for name in line.__struct_fields__:
        stored = table.c[name]
        shown: Any = cast(stored, Text) if isinstance(stored.type, JSON) else stored
        usual = USUAL.get(name, EMPTY.get(name))
        columns.append(func.nullif(shown, usual) if usual is not None else shown)
    return select(*columns).order_by(table.c.seq)


def _blocks(
    connection: Connection, rows: Select[Any], line: Callable[..., L], finish: Callable[[L], None]
) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    with connection.execute(rows.execution_options(yield_per=ROWS_A_BLOCK)) as found:
        for block in found.partitions():
            lines = [line(*row) for row in block]
            for one in lines:
                finish(one)
            yield encoder.encode_lines(lines)


def _rename(line: _Judgement, renaming: Renaming) -> None:
    """Where a name stands besides: in ids that formats make of names, and in what is noted."""
    if ":" in line.id:
        line.id = renaming.anywhere(line.id)
    if line.supersedes and ":" in line.supersedes:
        line.supersedes = renaming.anywhere(line.supersedes)
    if line.meta:
        line.meta = renaming.anywhere(line.meta)
    if line.note and "@" in line.note:
        line.note = renaming.mentions(line.note)
