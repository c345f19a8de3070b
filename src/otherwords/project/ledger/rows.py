"""Records as rows of the ledger and back: nested spans become columns. Queries for many of them are made in blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Result, Table, select

from otherwords.project.ledger import schema
from otherwords.records import Document, DocumentPair, Judgement, Pair, Part, Passage, Record

IDS_PER_QUERY = 500
Item = TypeVar("Item")
R = TypeVar("R", bound=Record)
Row = dict[str, Any]  # of any table, by column
TABLES: dict[type[Record], Table] = {
    Document: schema.documents,
    DocumentPair: schema.document_pairs,
    Pair: schema.pairs,
    Judgement: schema.judgements,
}
REMOVED = "removed"
PRESENT = schema.pairs.c.state.is_distinct_from(REMOVED)  # only exports and backups include removed pairs
SPAN_COLUMNS = ("start1", "end1", "start2", "end2")
ROWS_AT_A_TIME = 1000


def in_blocks(items: Iterable[Item], size: int = IDS_PER_QUERY) -> Iterator[list[Item]]:
    """The items in order, in lists of at most ``size``."""
    stream = iter(items)
    while block := list(islice(stream, size)):
        yield block


def row_of(record: Record, **others: Any) -> Row:
    """The row of a record; ``others`` are the columns of its provenance."""
    row = {name: getattr(record, name) for name in record.__struct_fields__}
    if isinstance(record, DocumentPair):
        part = row.pop("part")
        row |= {name: getattr(part, name) if part else None for name in SPAN_COLUMNS}
    elif isinstance(record, Pair):
        for side in "12":
            passage: Passage | None = row[f"doc{side}"]
            row[f"doc{side}"] = passage.id if passage else None
            row[f"start{side}"] = passage.start if passage else None
            row[f"end{side}"] = passage.end if passage else None
        row["gold"] = msgspec.to_builtins(row["gold"])
    return row | others


def record_of_row(kind: type[R], row: Mapping[str, Any]) -> R:
    """The record of a row."""
    fields = {name: row[name] for name in kind.__struct_fields__ if name in row and row[name] is not None}
    if issubclass(kind, DocumentPair) and row["start1"] is not None:
        fields["part"] = Part(**{name: row[name] for name in SPAN_COLUMNS})
    elif issubclass(kind, Pair):
        for side in "12":
            if row[f"doc{side}"] is not None:
                fields[f"doc{side}"] = Passage(id=row[f"doc{side}"], start=row[f"start{side}"], end=row[f"end{side}"])
    if issubclass(kind, Judgement):
        fields["value"] = row["value"]
    return msgspec.convert(fields, kind, from_attributes=True)


def row_dicts(result: Result[Any]) -> list[Row]:
    """The rows of a result as dictionaries, in half the time that its mappings take."""
    names = tuple(result.keys())
    return [dict(zip(names, row, strict=True)) for row in result.all()]


def read_records(connection: Connection, kind: type[R], *conditions: Any) -> Iterator[R]:
    """The records of a kind that meet the conditions, in order of arrival, streamed."""
    table = next(TABLES[noun] for noun in kind.__mro__ if noun in TABLES)
    statement = select(table).where(*conditions).order_by(table.c.seq).execution_options(yield_per=ROWS_AT_A_TIME)
    names = table.columns.keys()
    with connection.execute(statement) as rows:
        for row in rows:
            yield record_of_row(kind, dict(zip(names, row, strict=True)))  # half the time of a mapping


_SINGULAR = {  # of names that do more than lose an s
    **{"batches": "batch", "identities": "identity", "webhook deliveries": "webhook delivery"},
    **{"rows of datasets": "row of a dataset", "reasons for leaving out": "reason for leaving out"},
    **{"answers of models": "answer of a model"},
}


def counted_rows(rows: Mapping[str, int]) -> list[str]:
    """Each count with what it counts, by the name of its table or a name in words; none for what there is none of."""
    names = ((name.replace("_", " "), count) for name, count in rows.items() if count)
    return [f"{count:,} {_SINGULAR.get(name, name.removesuffix('s')) if count == 1 else name}" for name, count in names]
