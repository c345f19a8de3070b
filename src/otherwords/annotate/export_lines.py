"""Judgements and pairs as lines of JSON, a block at a time, straight from the rows of a snapshot.

The lines are those of the records (:mod:`otherwords.records`) and are read back as such. What the ledger keeps as JSON
goes out as it is written there, and what is empty is left out, so that a large ledger takes seconds and little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from sqlalchemy import JSON, Connection, Select, Table, Text, cast, select

from otherwords.annotate.pair_conditions import others
from otherwords.annotate.pair_filter import EVERYTHING
from otherwords.project import schema
from otherwords.project.identities import NAMED, Renaming
from otherwords.project.rows import TABLES
from otherwords.records import Judgement, Pair

ROWS_A_BLOCK = 2000
Line = dict[str, Any]
# What a record leaves out, as the ledger writes it.
_USUAL_JUDGEMENT: Line = {"unit": "pair", "purpose": "production", "kind": "individual", "round": 1, "unsure": False}
_USUAL_JUDGEMENT |= {"rewrites": "[]", "meta": "{}"}
_USUAL_PAIR: Line = {"scores": "{}", "gold": "null", "meta": "{}"}
_NAMED = NAMED[schema.judgements].keys()  # where the names of people may stand
_PASSAGES = (("doc1", "start1", "end1"), ("doc2", "start2", "end2"))


def judgement_lines(connection: Connection, renaming: Renaming | None) -> Iterator[bytes]:
    """All judgements in the order in which they came, also those that were superseded or taken back."""
    table = TABLES[Judgement]
    names = Judgement.__struct_fields__
    return _blocks(
        connection, _rows(table, names), lambda row: _judgement(dict(zip(names, row, strict=True)), renaming)
    )


def pair_lines(connection: Connection, renaming: Renaming | None) -> Iterator[bytes]:
    """All pairs but those that were removed or withdrawn, in the order in which they came."""
    table = TABLES[Pair]
    names = (*Pair.__struct_fields__, *(column for _, *span in _PASSAGES for column in span))
    rows = _rows(table, names).where(*others(EVERYTHING))
    return _blocks(connection, rows, lambda row: _pair(dict(zip(names, row, strict=True)), renaming))


def _rows(table: Table, names: tuple[str, ...]) -> Select[Any]:
    """The columns as they are stored; of those that hold JSON the text."""
    columns = [cast(table.c[name], Text) if isinstance(table.c[name].type, JSON) else table.c[name] for name in names]
    return select(*columns).order_by(table.c.seq)


def _blocks(connection: Connection, rows: Select[Any], line: Callable[[Any], Line]) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    with connection.execute(rows.execution_options(yield_per=ROWS_A_BLOCK)) as found:
        for block in found.partitions():
            yield encoder.encode_lines([line(row) for row in block])


def _judgement(row: Line, renaming: Renaming | None) -> Line:
    value = row.pop("value")
    told = _unusual(row, _USUAL_JUDGEMENT)
    told["value"] = msgspec.Raw(value if value is not None else "null")
    if "rewrites" in told:
        told["rewrites"] = msgspec.Raw(told["rewrites"])
    if "meta" in told:
        told["meta"] = msgspec.json.decode(told["meta"])
    if renaming is not None:
        for name in _NAMED & told.keys():
            told[name] = renaming.anywhere(told[name])
        if "@" in told.get("note", ""):
            told["note"] = renaming.mentions(told["note"])
    return told


def _pair(row: Line, renaming: Renaming | None) -> Line:
    for document, start, end in _PASSAGES:
        span = {"start": row.pop(start), "end": row.pop(end)}
        row[document] = {"id": row[document], **span} if row[document] is not None else None
    told = _unusual(row, _USUAL_PAIR)
    for name in ("scores", "gold"):
        if name in told:
            told[name] = msgspec.Raw(told[name])
    if "meta" in told:
        meta = msgspec.json.decode(told["meta"])
        told["meta"] = renaming.maker(meta) if renaming is not None else meta
    return told


def _unusual(row: Line, usual: Line) -> Line:
    return {name: one for name, one in row.items() if one is not None and usual.get(name) != one}
