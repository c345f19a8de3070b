"""Datasets: what a step writes, as a folder of Parquet shards with a manifest.

Shards are written one by one, each aside and then into place, and the manifest last: a folder with a manifest is whole,
one without is the beginning of a run that can go on where it stopped. The manifest says which columns hold words of
documents or pairs, so that a withdrawal finds them whatever step wrote them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.engine import Engine, Progress
from otherwords.errors import DataError
from otherwords.project.file_digests import file_digest
from otherwords.sources.io.files import atomic_write, remove_unfinished

MANIFEST = "manifest.json"
SHARD = "part-{:05}.parquet"  # with its number
FORMAT = 1
COMPRESSION = "zstd"
ROWS_PER_SHARD = 1_000_000
ROWS_PER_GROUP = 20_000
Task = TypeVar("Task")


class Shard(msgspec.Struct, frozen=True):
    """One file of a dataset."""

    name: str
    rows: int
    bytes: int
    sha256: str


class TextColumns(msgspec.Struct, frozen=True):
    """Columns that hold words: a row that names a withdrawn document or pair in ``ids`` loses its ``texts``."""

    ids: list[str] = []
    texts: list[str] = []
    whole: bool = False  # everything follows from all texts together, such as an index: it is deleted as a whole


NO_TEXT = TextColumns()
ALL_TEXT = TextColumns(whole=True)


class DatasetManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a dataset holds."""

    format: int
    rows: int
    bytes: int
    schema: dict[str, str]
    shards: list[Shard]
    derived: TextColumns
    summary: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A whole dataset, read as a stream."""

    folder: Path
    manifest: DatasetManifest

    @property
    def rows(self) -> int:
        return self.manifest.rows

    @property
    def summary(self) -> dict[str, Any]:
        """What the step says of it, such as how a split was made."""
        return self.manifest.summary

    def paths(self) -> list[Path]:
        """The shards in their order."""
        return [self.folder / shard.name for shard in self.manifest.shards]

    def batches(self, columns: Sequence[str] | None = None, rows: int = ROWS_PER_GROUP) -> Iterator[pa.RecordBatch]:
        """All rows in their order, some at a time."""
        for path in self.paths():
            with _parquet(path) as file:
                yield from file.iter_batches(rows, columns=list(columns) if columns is not None else None)

    def table(self, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows at once."""
        names = list(columns) if columns is not None else None
        return pa.concat_tables([pq.read_table(path, columns=names) for path in self.paths()])


def open_dataset(folder: Path) -> Dataset:
    """The dataset in a folder; one that is not whole is an error."""
    path = folder / MANIFEST
    try:
        return Dataset(folder, msgspec.json.decode(path.read_bytes(), type=DatasetManifest))
    except FileNotFoundError:
        raise DataError("is not a whole dataset; run its step again", folder, code="dataset-incomplete") from None
    except (OSError, ValueError) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="dataset-unreadable") from None


def is_whole(folder: Path) -> bool:
    """Whether a folder holds a dataset whose files are all there."""
    try:
        return all(path.is_file() for path in open_dataset(folder).paths())
    except DataError:
        return False


def write_dataset(
    folder: Path,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch | pa.Table],
    *,
    derived: TextColumns = NO_TEXT,
    summary: Callable[[], Mapping[str, object]] = dict,
    rows_per_shard: int = ROWS_PER_SHARD,
) -> Dataset:
    """Write a stream of rows as shards; ``summary`` is asked when all rows are written."""
    # Shards of a stream are not numbered by content, so what an earlier run began is of no use.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    stream, shards = iter(batches), list[Shard]()
    pending = next(stream, None)
    while pending is not None or not shards:
        path = folder / SHARD.format(len(shards))
        with atomic_write(path) as file, pq.ParquetWriter(file, schema, compression=COMPRESSION) as writer:
            rows = 0
            while pending is not None and rows < rows_per_shard:
                writer.write(pending)
                rows += pending.num_rows
                pending = next(stream, None)
        shards.append(_measured(path))
    return _finish(folder, schema, shards, derived, summary())


def write_shards(
    folder: Path,
    schema: pa.Schema,
    tasks: Sequence[Task],
    make: Callable[[Task], pa.Table],
    *,
    engine: Engine | None = None,
    progress: Progress = lambda done, total: None,
    derived: TextColumns = NO_TEXT,
    summary: Callable[[], Mapping[str, object]] = dict,
) -> Dataset:
    """Write one shard for each task, on all workers. Shards that an earlier run finished are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    shards = []
    for shard in (engine or Engine()).map(partial(_make_shard, folder, schema, make), list(enumerate(tasks))):
        shards.append(shard)
        progress(len(shards), len(tasks))
    remove_unfinished(folder)
    return _finish(folder, schema, shards, derived, summary())


def _make_shard(folder: Path, schema: pa.Schema, make: Callable[[Task], pa.Table], task: tuple[int, Task]) -> Shard:
    number, what = task
    path = folder / SHARD.format(number)
    if not path.is_file():
        table = make(what)
        with atomic_write(path) as file, pq.ParquetWriter(file, schema, compression=COMPRESSION) as writer:
            writer.write_table(table)
    return _measured(path)


def replace_shard(dataset: Dataset, shard: Shard, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Dataset:
    """The same dataset with other rows in one shard; the manifest follows."""
    path = dataset.folder / shard.name
    with atomic_write(path) as file, pq.ParquetWriter(file, schema, compression=COMPRESSION) as writer:
        for batch in batches:
            writer.write_batch(batch)
    shards = [_measured(path) if other.name == shard.name else other for other in dataset.manifest.shards]
    return _finish(dataset.folder, schema, shards, dataset.manifest.derived, dataset.summary)


def _measured(path: Path) -> Shard:
    """The entry of a shard in the manifest, by what is on the disk."""
    with _parquet(path) as file:
        return Shard(path.name, file.metadata.num_rows, path.stat().st_size, file_digest(path))


def _parquet(path: Path) -> Any:
    try:
        return pq.ParquetFile(path)
    except (OSError, pa.ArrowInvalid) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="dataset-unreadable") from None


def _finish(
    folder: Path, schema: pa.Schema, shards: list[Shard], derived: TextColumns, summary: Mapping[str, object]
) -> Dataset:
    manifest = DatasetManifest(
        format=FORMAT,
        rows=sum(shard.rows for shard in shards),
        bytes=sum(shard.bytes for shard in shards),
        schema={field.name: str(field.type) for field in schema},
        shards=shards,
        derived=derived,
        summary=dict(summary),
    )
    with atomic_write(folder / MANIFEST) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return Dataset(folder, manifest)
