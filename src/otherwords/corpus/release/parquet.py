"""The Parquet files of a release, one for each config and split, and its TSV, written a block of pairs at a time.

A file is created with its first rows, so an empty split has none. The settings are fixed: the same rows give the same
bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sqlalchemy import Connection

from otherwords.corpus.labels.table import SIDES, passage_columns, passages
from otherwords.corpus.release.context import Window, windows
from otherwords.corpus.release.hub_configs import (
    DISTINCT,
    FEATURES,
    config_rows,
    data_file,
    hub_split,
    schema_of,
    with_context,
)
from otherwords.corpus.release.model import HubConfig
from otherwords.corpus.release.part_files import read_blocks
from otherwords.project.file_digests import file_digest

ROWS_PER_GROUP = 20_000
BYTES_PER_GROUP = 16 * 2**20
_LEVEL = 1  # three takes half as long again and saves a tenth
TSV = "tsv"  # the folder
TSV_COLUMNS = ("id", "text1", "text2", "label", "lang", "source", "group", "rewrite_of")
_SPECIAL = '[\\t"\\r\\n]|^\\s|\\s$'


class _ConfigFile:
    """Writes the rows of one config and split."""

    def __init__(self, path: Path, config: str) -> None:
        self._path, self._schema = path, schema_of(config)
        self._waiting: list[pa.Table] = []
        self._writer: pq.ParquetWriter | None = None
        self.rows = 0

    def add(self, rows: pa.Table) -> None:
        if not len(rows):
            return
        self.rows += len(rows)
        self._waiting.append(rows)
        size = sum(table.nbytes for table in self._waiting)
        if sum(map(len, self._waiting)) >= ROWS_PER_GROUP or size >= BYTES_PER_GROUP:
            self._write()

    def _write(self) -> None:
        if self._writer is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            repeated = [name for name in self._schema.names if name not in DISTINCT]
            settings = {"compression": "zstd", "compression_level": _LEVEL, "use_dictionary": repeated}
            self._writer = pq.ParquetWriter(self._path, self._schema, **settings)
        self._writer.write_table(pa.concat_tables(self._waiting).combine_chunks())
        self._waiting = []

    def close(self) -> None:
        if self._waiting:
            self._write()
        if self._writer is not None:
            self._writer.close()


def write_configs(connection: Connection, folder: Path, parts: dict[str, Path]) -> list[HubConfig]:
    """Write all configs of a release, and its TSV, from the files of its parts; the configs that have rows."""
    counts: dict[str, dict[str, int]] = {config: {} for config in FEATURES}
    (folder / TSV).mkdir()
    for part, pairs in parts.items():
        files = {config: _ConfigFile(folder / data_file(config, hub_split(part)), config) for config in FEATURES}
        with contextlib.ExitStack() as stack:
            for file in files.values():
                stack.callback(file.close)
            tsv = stack.enter_context((folder / TSV / f"{part}.tsv").open("wb"))
            tsv.write(("\t".join(TSV_COLUMNS) + "\n").encode())
            for block in read_blocks(pairs):
                table = with_context(block, _windows(connection, block))
                tsv.write(tsv_lines(table))
                for config, rows in config_rows(table):
                    files[config].add(rows)
        for config, file in files.items():
            if file.rows:
                counts[config][hub_split(part)] = file.rows
    configs = []
    for config, splits in counts.items():
        if not splits:
            continue
        paths = {split: folder / data_file(config, split) for split in splits}
        digest = hashlib.sha256("".join(map(file_digest, paths.values())).encode()).hexdigest()
        sizes = {split: path.stat().st_size for split, path in paths.items()}
        configs.append(HubConfig(config, splits, FEATURES[config], sizes, digest))
    return configs


def _windows(connection: Connection, rows: pa.Table) -> list[list[Window | None]]:
    """The text around the passages of each side; most corpora have none, which is seen without reading the columns."""
    none: list[Window | None] = [None] * len(rows)
    if all(rows[f"doc{side}"].null_count == len(rows) for side in SIDES):
        return [none, none]
    sides = []
    for side in SIDES:
        places = passages(*(rows[name].to_pylist() for name in passage_columns(side)))
        sides.append(list(zip(places, rows[f"text{side}"].to_pylist(), strict=True)))
    return windows(connection, *sides)


def tsv_lines(pairs: pa.Table) -> bytes:
    """Pairs as lines of TSV, quoted by RFC 4180 where needed.

    Done on whole columns: row by row it takes as long as all other files together.
    """
    columns = []
    for name in TSV_COLUMNS:
        cells = pairs[name].combine_chunks().fill_null("")
        special = pc.match_substring_regex(cells, _SPECIAL)
        if pc.any(special).as_py():
            quoted = pc.binary_join_element_wise("", pc.replace_substring(cells, '"', '""'), "", '"')
            cells = pc.if_else(special, quoted, cells)
        columns.append(cells)
    joined = pc.binary_join_element_wise(*columns, "\t")
    return "".join(f"{line}\n" for line in joined.to_pylist()).encode()
