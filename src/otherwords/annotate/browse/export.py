"""Judgements and pairs as JSON lines, a block at a time, straight from the rows of a snapshot.

The lines are those of the records (:mod:`otherwords.records`) and are read back as such. The database leaves out
default values, JSON columns are copied as text, and a row becomes a line without becoming a record first: so a large
ledger takes seconds and little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import Raw
from sqlalchemy import JSON, Connection, Select, Table, Text, cast, func, select

from otherwords.annotate.batches.output_pairs import unfinished_checks, without_systems
from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import NO_FILTER
from otherwords.project.ledger.rows import TABLES
from otherwords.project.simulated import is_simulated
from otherwords.project.withdrawal.identities import Renaming
from otherwords.records import Judgement, Pair, Passage

ROWS_A_BLOCK = 2000
SIMULATED = "simulated"  # the kind of every judgement that leaves a simulated project
ORIGINAL_KIND = "kind"  # under meta: the kind that it has in that project, if not individual
DEFAULTS = {"unit": "pair", "purpose": "production", "kind": "individual"}
EMPTY_JSON = {"rewrites": "[]", "scores": "{}", "gold": "null", "meta": "{}"}
Line = TypeVar("Line", bound=msgspec.Struct)


class _JudgementExport(msgspec.Struct, omit_defaults=True, gc=False):
    """A judgement: the fields of the record, in the order of the columns that are read."""

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


class _PairLine(msgspec.Struct, omit_defaults=True, gc=False):
    """A pair; each passage is assembled from three columns."""

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
    licence: str | None = None
    doc1: Any = None
    doc2: Any = None
    method: str | None = None
    rewrite_of: str | None = None
    scores: Any = None
    label: str | None = None
    gold: Any = None
    meta: Any = None


def judgement_lines(connection: Connection, renaming: Renaming | None) -> Iterator[bytes]:
    """All judgements in their order of arrival, with those that were superseded or taken back."""
    rows = _rows(TABLES[Judgement], _JudgementExport)
    simulated = is_simulated(connection)
    pseudonym = cache(renaming.anywhere) if renaming is not None else None  # a few annotators made most judgements
    batch_name = cache(renaming.in_name) if renaming is not None else None

    def finish(line: _JudgementExport) -> None:
        line.value = Raw(line.value if line.value is not None else "null")
        line.rewrites = line.rewrites and Raw(line.rewrites)
        line.meta = line.meta and msgspec.json.decode(line.meta)
        if simulated:
            line.meta = {**(line.meta or {}), **({ORIGINAL_KIND: line.kind} if line.kind else {})} or None
            line.kind = SIMULATED
        if renaming is not None and pseudonym is not None and batch_name is not None:
            line.batch = line.batch and batch_name(line.batch)
            line.annotator = line.annotator and pseudonym(line.annotator)
            _rename(line, renaming)

    return _blocks(connection, rows, _JudgementExport, finish)


def pair_lines(connection: Connection, renaming: Renaming | None) -> Iterator[bytes]:
    """All pairs but removed and withdrawn ones, in their order of arrival.

    Who wrote a text that people still judge without knowing it is left out.
    """
    rows = _rows(TABLES[Pair], _PairLine).where(*row_conditions(NO_FILTER))
    unfinished = unfinished_checks(connection)

    def finish(line: _PairLine) -> None:
        line.doc1 = line.doc1 and Passage(id=line.doc1, start=line.start1, end=line.end1)
        line.doc2 = line.doc2 and Passage(id=line.doc2, start=line.start2, end=line.end2)
        line.start1 = line.end1 = line.start2 = line.end2 = msgspec.UNSET
        line.scores = line.scores and Raw(line.scores)
        line.gold = line.gold and Raw(line.gold)
        if line.meta:
            meta = without_systems(msgspec.json.decode(line.meta), unfinished)
            line.meta = renaming.maker(meta) if renaming is not None else meta

    return _blocks(connection, rows, _PairLine, finish)


def _rows(table: Table, line: type[msgspec.Struct]) -> Select[Any]:
    """The columns of a line as they are stored, JSON as text, and NULL for default values."""
    columns = []
    for name in line.__struct_fields__:
        stored = table.c[name]
        column: Any = cast(stored, Text) if isinstance(stored.type, JSON) else stored
        default = DEFAULTS.get(name, EMPTY_JSON.get(name))
        columns.append(func.nullif(column, default) if default is not None else column)
    return select(*columns).order_by(table.c.seq)


def _blocks(
    connection: Connection, rows: Select[Any], line: Callable[..., Line], finish: Callable[[Line], None]
) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    with connection.execute(rows.execution_options(yield_per=ROWS_A_BLOCK)) as result:
        for block in result.partitions():
            lines = [line(*row) for row in block]
            for finished in lines:
                finish(finished)
            yield encoder.encode_lines(lines)


def _rename(line: _JudgementExport, renaming: Renaming) -> None:
    """Rename annotators in ids that formats make of names, in metadata and in notes."""
    if ":" in line.id:
        line.id = renaming.anywhere(line.id)
    if line.supersedes and ":" in line.supersedes:
        line.supersedes = renaming.anywhere(line.supersedes)
    if line.meta:
        line.meta = renaming.anywhere(line.meta)
    if line.note and "@" in line.note:
        line.note = renaming.mentions(line.note)
