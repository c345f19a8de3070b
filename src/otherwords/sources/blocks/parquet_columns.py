"""Pairs of a Parquet file as columns, where records would only be made to be taken apart again.

A file qualifies by its columns: fields of pairs that hold text, and scores. A block of it qualifies if reading it as
records would change nothing: no row is rejected, no id or text is missing, no nested field is filled, every label has
its usual spelling, every score is a finite number. Any other block is read as records, row by row, with the same result
as ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from otherwords.errors import LabelError
from otherwords.records import Pair
from otherwords.sources.blocks.block import ColumnBlock, PairBlock, RecordBlock
from otherwords.sources.formats.parquet import batch_records, readable_parquet
from otherwords.sources.formats.tables import field_names
from otherwords.sources.rows.flat import NESTED, PREFIX, changes_foreign_label, is_our_header, is_score_column
from otherwords.sources.rows.records import normal_label
from otherwords.sources.source import Source

ROWS_PER_BLOCK = 12_500  # a quarter of the row groups that we write
REQUIRED = ("id", "text1", "text2")


def parquet_blocks(source: Source) -> Iterator[PairBlock]:
    """The pairs of a file in blocks."""
    with readable_parquet(source) as file:
        header = file.schema_arrow.names
        layout = _layout(source, file)
        first = 1
        for batch in file.iter_batches(ROWS_PER_BLOCK, columns=layout.filled(file) if layout is not None else None):
            block: PairBlock | None = layout.block(batch, first) if layout is not None else None
            if block is None:
                whole = batch if layout is None else _complete(batch, file.schema_arrow)
                records = batch_records(source, header, [whole], first)
                block = RecordBlock([record for record in records if isinstance(record, Pair)])
            first += batch.num_rows
            if len(block):
                yield block


def _complete(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """A batch with the columns that were not read."""
    read = set(batch.schema.names)
    columns = [batch.column(field.name) if field.name in read else pa.nulls(len(batch), field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _layout(source: Source, file: pq.ParquetFile) -> _Layout | None:
    """How the columns of a file are used; None if it has to be read as records."""
    header = file.schema_arrow.names
    if source.judges or source.scheme or source.record_type is not Pair or len(set(header)) < len(header):
        return None
    ours = field_names(source, header)
    fields: dict[str, str] = {}
    scores: dict[str, str] = {}
    for name, kind in zip(header, file.schema_arrow.types, strict=True):
        field = ours.get(name, name)
        text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        if field in Pair.__struct_fields__ and (text or pa.types.is_null(kind)) and field not in fields:
            fields[field] = name
        elif is_score_column(field) and pa.types.is_float64(kind) and field.removeprefix(PREFIX) not in scores:
            scores[field.removeprefix(PREFIX)] = name
        else:
            return None
    return _Layout(source.stem, fields, scores, is_our_header(Pair, header))


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which column of a file holds which field or score."""

    stem: str
    fields: dict[str, str]
    scores: dict[str, str]
    ours: bool  # whether we wrote the table

    def filled(self, file: pq.ParquetFile) -> list[str]:
        """The columns of the file but for optional fields without any value, by its statistics."""
        empty = {name for field, name in self.fields.items() if field not in REQUIRED}
        for number in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(number)
            for place in range(group.num_columns):
                column = group.column(place)
                known = column.statistics if column.is_stats_set else None
                if known is None or not known.has_null_count or known.null_count < group.num_rows:
                    empty.discard(column.path_in_schema)
        return [name for name in file.schema_arrow.names if name not in empty]

    def block(self, batch: pa.RecordBatch, first: int) -> ColumnBlock | None:
        """The rows of a batch as they are; None if reading them as records would change or reject any."""
        fields: dict[str, pa.Array] = {}
        if "id" not in self.fields:
            numbers = range(first, first + batch.num_rows)
            fields["id"] = pa.array([f"{self.stem}:{number}" for number in numbers], pa.string())
        read = set(batch.schema.names)
        for field, name in self.fields.items():
            if name not in read:
                continue
            column = batch.column(name)
            if column.null_count == len(column) and field not in REQUIRED:
                continue
            try:
                column.validate(full=True)  # that it is UTF-8
                text = column.cast(pa.string())
            except pa.ArrowInvalid:
                return None
            if field in REQUIRED:
                if text.null_count or (field == "id" and _has_empty(text)):
                    return None
            elif _has_empty(text):
                text = pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text)
            if (field in NESTED and text.null_count < len(text)) or (field == "label" and not self._usual(text)):
                return None
            if text.null_count < len(text):
                fields[field] = text
        scores = {score: batch.column(name) for score, name in self.scores.items()}
        if any(column.null_count or not pc.all(pc.is_finite(column)).as_py() for column in scores.values()):
            return None
        return ColumnBlock({name: fields[name] for name in Pair.__struct_fields__ if name in fields}, scores)

    def _usual(self, labels: pa.Array) -> bool:
        """Whether all labels stay as they are when they are read."""
        try:
            return all(
                normal_label(label, None) == label and (self.ours or not changes_foreign_label(label))
                for label in pc.unique(labels).to_pylist()
                if label is not None
            )
        except LabelError:
            return False


def _has_empty(texts: pa.Array) -> bool:
    return bool(pc.any(pc.equal(pc.binary_length(texts), 0)).as_py())
