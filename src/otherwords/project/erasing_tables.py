"""Erasing words from the Parquet tables of a project: those of posts, for one, hold texts beside ids.

A row that names one of the ids in any column loses what its text columns hold. The file is written aside and
renamed; a file in which nothing is found is not touched.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from otherwords.errors import WriteError

TEXT = "text"  # what the names of columns that hold texts begin with


def erase_in_tables(folder: Path, ids: set[str]) -> int:
    """Blank the texts of all rows under a folder that name one of the ids; how many rows that were."""
    return sum(_erase(path, ids) for path in sorted(folder.rglob("*.parquet")))


def _erase(path: Path, ids: set[str]) -> int:
    with pq.ParquetFile(path) as table:
        schema = table.schema_arrow
        texts = [field.name for field in schema if field.name.startswith(TEXT) and _is_text(field.type)]
        names = [field.name for field in schema if field.name not in texts and _is_text(field.type)]
        if not texts or not names:
            return 0
        wanted = pa.array(sorted(ids), pa.string())
        found = sum(int(pc.sum(_about(batch, names, texts, wanted)).as_py() or 0) for batch in table.iter_batches())
        if found:
            _rewrite(path, table, names, texts, wanted)
    return found


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _about(batch: Any, names: list[str], texts: list[str], wanted: Any) -> Any:
    """Which rows name one of the ids and still have a text."""
    named = pa.array([False] * batch.num_rows)
    for name in names:
        named = pc.or_(named, pc.fill_null(pc.is_in(batch.column(name).cast(pa.string()), value_set=wanted), False))
    written = pa.array([False] * batch.num_rows)
    for name in texts:
        written = pc.or_(written, pc.fill_null(pc.not_equal(batch.column(name).cast(pa.string()), ""), False))
    return pc.and_(named, written)


def _rewrite(path: Path, table: Any, names: list[str], texts: list[str], wanted: Any) -> None:
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    compression = table.metadata.row_group(0).column(0).compression
    try:
        with pq.ParquetWriter(aside, table.schema_arrow, compression=compression) as writer:
            for number in range(table.num_row_groups):
                group = table.read_row_group(number).combine_chunks()
                for batch in group.to_batches():
                    writer.write_batch(_blanked(batch, _about(batch, names, texts, wanted), texts))
        aside.replace(path)
    except OSError as problem:
        raise WriteError(f"{path}: cannot be written: {problem.strerror or problem}") from None
    finally:
        aside.unlink(missing_ok=True)


def _blanked(batch: Any, rows: Any, texts: list[str]) -> Any:
    columns = [
        pc.if_else(rows, pa.scalar("", field.type), column) if field.name in texts else column
        for field, column in zip(batch.schema, batch.columns, strict=True)
    ]
    return pa.record_batch(columns, schema=batch.schema)
