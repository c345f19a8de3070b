"""Blocks of pairs as the row groups of a Parquet file: the same groups and columns as for records one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.records import Pair
from otherwords.sources.blocks.block import ColumnBlock, PairBlock, RecordBlock
from otherwords.sources.formats.parquet import COMPRESSION, ROWS_PER_GROUP, column_type, record_table, refuse_packed
from otherwords.sources.rows.flat import fitting_columns, score_column


def write_groups(blocks: Iterable[PairBlock], stream: BinaryIO) -> None:
    """Write blocks; the scores of the first group have columns, as where records are written one by one."""
    refuse_packed(stream)
    groups = _groups(blocks)
    first = next(groups, [])
    names = dict.fromkeys(chain.from_iterable(map(_score_names, first)))
    columns = [*Pair.__struct_fields__, *fitting_columns(names)]
    schema = pa.schema([(name, column_type(Pair, name)) for name in columns])
    with pq.ParquetWriter(stream, schema, compression=COMPRESSION) as writer:
        for group in chain([first] if first else [], groups):
            tables = [_table(block, schema) for block in group]
            writer.write_table(pa.concat_tables(tables).combine_chunks())


def _groups(blocks: Iterable[PairBlock]) -> Iterator[list[PairBlock]]:
    """The blocks in groups of as many pairs as a row group has; a block may be cut."""
    group: list[PairBlock] = []
    free = ROWS_PER_GROUP
    for block in blocks:
        start = 0
        while start < len(block):
            part = _cut(block, start, min(free, len(block) - start))
            group.append(part)
            start, free = start + len(part), free - len(part)
            if not free:
                yield group
                group, free = [], ROWS_PER_GROUP
    if group:
        yield group


def _cut(block: PairBlock, start: int, length: int) -> PairBlock:
    if isinstance(block, ColumnBlock):
        return block.cut(start, length)
    return RecordBlock(block.pairs()[start : start + length]) if length < len(block) else RecordBlock(block.pairs())


def _score_names(block: PairBlock) -> Iterable[str]:
    if isinstance(block, ColumnBlock):
        return block.scores
    return (name for pair in block.pairs() for name in pair.scores)


def _table(block: PairBlock, schema: pa.Schema) -> pa.Table:
    """A block under the columns of the file; a score without a column is JSON, which only records can write."""
    if not isinstance(block, ColumnBlock) or any(score_column(name) not in schema.names for name in block.scores):
        return record_table(block.pairs(), schema)
    columns = {**block.fields, **{score_column(name): column for name, column in block.scores.items()}}
    missing = len(block)
    arrays = [
        columns[name] if name in columns else pa.nulls(missing, kind)
        for name, kind in zip(schema.names, schema.types, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)
