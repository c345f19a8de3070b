"""The Parquet files of a release, one for each config and split, and its TSV, written a block of pairs at a time.

A file is begun when it has its first rows, so an empty split is none. The settings are fixed: the same rows give the
same bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import Connection

from otherwords.corpus.configs import FEATURES, NEVER_ALIKE, data_file, hub_split, made_of, schema_of, with_context
from otherwords.corpus.release_context import windows
from otherwords.corpus.release_papers import digest_of_file
from otherwords.corpus.release_part_files import blocks_of, passages
from otherwords.corpus.release_tsv import TSV, header, lines_of
from otherwords.corpus.released import Config

ROWS_A_GROUP = 20_000
BYTES_A_GROUP = 16 * 2**20
_LEVEL = 1  # three takes half as long again and saves a tenth


class _File:
    """The rows of one config and split."""

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
        if sum(map(len, self._waiting)) >= ROWS_A_GROUP or sum(one.nbytes for one in self._waiting) >= BYTES_A_GROUP:
            self._write()

    def _write(self) -> None:
        if self._writer is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            alike = [name for name in self._schema.names if name not in NEVER_ALIKE]
            settings = {"compression": "zstd", "compression_level": _LEVEL, "use_dictionary": alike}
            self._writer = pq.ParquetWriter(self._path, self._schema, **settings)
        self._writer.write_table(pa.concat_tables(self._waiting).combine_chunks())
        self._waiting = []

    def close(self) -> None:
        if self._waiting:
            self._write()
        if self._writer is not None:
            self._writer.close()


def write_configs(connection: Connection, folder: Path, parts: dict[str, Path]) -> list[Config]:
    """Write all configs of a release, and its TSV, out of the pairs of its parts; the configs that have rows."""
    counted: dict[str, dict[str, int]] = {config: {} for config in FEATURES}
    (folder / TSV).mkdir()
    for part, pairs in parts.items():
        files = {config: _File(folder / data_file(config, hub_split(part)), config) for config in FEATURES}
        with contextlib.ExitStack() as stack:
            for file in files.values():
                stack.callback(file.close)
            tsv = stack.enter_context((folder / TSV / f"{part}.tsv").open("wb"))
            tsv.write(header())
            for block in blocks_of(pairs):
                table = with_context(block, windows(connection, passages(block, "1"), passages(block, "2")))
                tsv.write(lines_of(table))
                for config, rows in made_of(table):
                    files[config].add(rows)
        for config, file in files.items():
            counted[config][hub_split(part)] = file.rows
    return configs_with(folder, counted)


def configs_with(folder: Path, rows: dict[str, dict[str, int]]) -> list[Config]:
    """The configs that have rows, without the splits that have none."""
    told = {config: {split: count for split, count in splits.items() if count} for config, splits in rows.items()}
    return [_config(folder, config, splits) for config, splits in told.items() if splits]


def _config(folder: Path, name: str, splits: dict[str, int]) -> Config:
    files = {split: folder / data_file(name, split) for split in splits}
    digest = hashlib.sha256("".join(digest_of_file(path) for path in files.values()).encode())
    sizes = {split: path.stat().st_size for split, path in files.items()}
    return Config(name, splits, FEATURES[name], sizes, digest.hexdigest())
