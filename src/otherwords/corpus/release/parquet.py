"""The Parquet files of a release, one for each config and split, and its TSV, written a block of pairs at a time.

A file is created with its first rows, so an empty split has none. The settings are fixed: the same rows give the same
bytes.

Pages and row groups end where their content says so, not after so many rows. What comes or goes in a later version
changes the bytes around it, and a store that keeps files as chunks by content, such as that of the Hub, is sent those
alone.
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
from otherwords.digests import digest_number
from otherwords.project.file_digests import file_digest

ROWS_PER_GROUP = 20_000  # at least, and at most twice as many
BYTES_PER_GROUP = 16 * 2**20
ROWS_PER_BORDER = 256  # one id of so many can begin a row group
PAGES = {"min_chunk_size": 2**14, "max_chunk_size": 2**16}  # bytes; larger ones change more with each pair
_LEVEL = 1  # three takes half as long again and saves a tenth
TSV = "tsv"  # the folder
TSV_COLUMNS = ("id", "text1", "text2", "label", "lang", "source", "group", "rewrite_of")
_SPECIAL = '[\\t"\\r\\n]|^\\s|\\s$'


class ConfigFile:
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
        while (count := self._group_size()) is not None:
            waiting = pa.concat_tables(self._waiting)
            self._waiting = [waiting.slice(count)] if count < len(waiting) else []
            self._write(waiting.slice(0, count))

    def _group_size(self) -> int | None:
        """The number of rows in the next group, if it is full; it ends before an id that is a border."""
        count, size = sum(map(len, self._waiting)), sum(table.nbytes for table in self._waiting)
        if count < ROWS_PER_GROUP and size < BYTES_PER_GROUP:
            return None
        least = ROWS_PER_GROUP if count >= ROWS_PER_GROUP else count // 2
        ids = pa.concat_tables(self._waiting)["id"].slice(least).to_pylist()
        if (border := next((row for row, id in enumerate(ids, least) if _is_border(id)), None)) is not None:
            return border
        return count if count >= 2 * ROWS_PER_GROUP or size >= 2 * BYTES_PER_GROUP else None

    def _write(self, rows: pa.Table) -> None:
        if self._writer is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            repeated = [name for name in self._schema.names if name not in DISTINCT]
            settings = {"compression": "zstd", "compression_level": _LEVEL, "use_dictionary": repeated}
            self._writer = pq.ParquetWriter(self._path, self._schema, use_content_defined_chunking=PAGES, **settings)
        self._writer.write_table(rows.combine_chunks())

    def close(self) -> None:
        if self._waiting:
            self._write(pa.concat_tables(self._waiting))
            self._waiting = []
        if self._writer is not None:
            self._writer.close()


def _is_border(id: str) -> bool:
    return digest_number(id) % ROWS_PER_BORDER == 0


def write_configs(connection: Connection, folder: Path, parts: dict[str, Path]) -> list[HubConfig]:
    """Write all configs of a release, and its TSV, from the files of its parts; the configs that have rows."""
    counts: dict[str, dict[str, int]] = {config: {} for config in FEATURES}
    (folder / TSV).mkdir()
    for part, pairs in parts.items():
        files = {config: ConfigFile(folder / data_file(config, hub_split(part)), config) for config in FEATURES}
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
