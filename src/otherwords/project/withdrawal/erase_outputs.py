"""Erase withdrawn words in the output of steps: rows of datasets lose their texts, other outputs are deleted.

The manifest of a dataset says which of its columns hold words. What depends on all texts together (embeddings, indexes,
models), unfinished output, reports and releases are deleted as a whole; their steps are stale then, and run again.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sqlalchemy import select

from otherwords.errors import DataError, WriteError
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import Dataset, Shard, open_dataset, replace_shard
from otherwords.project.project import GROWING, MODELS, Project
from otherwords.sources.reading import DATA_FOLDER, PAIRS_FILE


class _GrownPair(msgspec.Struct):
    id: str


_GROWN = msgspec.json.Decoder(_GrownPair)


def erase_in_outputs(project: Project, ids: set[str], releases: list[str]) -> dict[str, int]:
    """Erase what is about these documents and pairs; the numbers of rows and folders."""
    counts = {"rows_of_datasets": 0, "outputs": 0}
    for folder in sorted(path for path in project.tables.glob("*/*") if path.is_dir()):
        try:
            dataset = open_dataset(folder)
        except DataError:  # of an unfinished run
            counts["outputs"] += _delete(folder)
            continue
        if dataset.manifest.derived.whole:
            counts["outputs"] += _delete(folder)
        else:
            counts["rows_of_datasets"] += sum(_erase(dataset, shard.name, ids) for shard in dataset.manifest.shards)
    others = (*grown_with(project, ids), *sorted((project.folder / MODELS).glob("*")))
    for folder in (*_reports_and_releases(project, releases), *others):
        counts["outputs"] += _delete(folder)
    return counts


def _reports_and_releases(project: Project, releases: list[str]) -> Iterator[Path]:
    """Reports, which show examples, and the project's own copies of the releases that hold a pair."""
    steps = schema.steps
    outputs = select(steps.c.kind, steps.c.output).where(steps.c.output.is_not(None)).distinct()
    with project.ledger.reading() as connection:
        rows = connection.execute(outputs).all()
    for kind, output in rows:
        folder = project.folder / output
        kept = kind == "grow" or (kind == "release" and folder.name not in releases)
        if not folder.is_relative_to(project.tables) and not kept:
            yield folder
    yield from (project.folder / "releases" / version for version in releases)


def grown_with(project: Project, ids: set[str]) -> list[Path]:
    """The versions of the growing set that hold one of these pairs; the ledger does not list their pairs."""
    found = []
    for path in sorted((project.folder / GROWING).glob(f"*/{DATA_FOLDER}/{PAIRS_FILE}")) if ids else ():
        with path.open("rb") as lines:
            if any(_GROWN.decode(line).id in ids for line in lines):
                found.append(path.parent.parent)
    return found


def _delete(folder: Path) -> int:
    if not folder.exists():
        return 0
    try:
        shutil.rmtree(folder)
    except OSError as problem:
        raise WriteError(f"{folder}: cannot be deleted: {problem.strerror or problem}", code="cannot-erase") from None
    return 1


def _erase(dataset: Dataset, name: str, ids: set[str]) -> int:
    """Blank the texts in the rows of a shard that name one of the ids, and count these rows."""
    derived = dataset.manifest.derived
    if not derived.texts:
        return 0
    wanted = pa.array(sorted(ids), pa.string())
    current = open_dataset(dataset.folder)
    shard: Shard = next(shard for shard in current.manifest.shards if shard.name == name)
    with pq.ParquetFile(dataset.folder / name) as file:
        erased = sum(_count(batch, derived.ids, derived.texts, wanted) for batch in file.iter_batches())
        if erased:
            groups = (file.read_row_group(number).to_batches() for number in range(file.num_row_groups))
            blanked = (_blank(batch, derived.ids, derived.texts, wanted) for group in groups for batch in group)
            replace_shard(current, shard, blanked, file.schema_arrow)
    return erased


def _about(batch: Any, ids: list[str], wanted: Any) -> Any:
    """Which rows name one of the ids."""
    named = pa.array([False] * batch.num_rows)
    for name in ids:
        named = pc.or_(named, pc.fill_null(pc.is_in(batch.column(name).cast(pa.string()), value_set=wanted), False))
    return named


def _count(batch: Any, ids: list[str], texts: list[str], wanted: Any) -> int:
    """How many rows are about the ids and still have a text."""
    written = pa.array([False] * batch.num_rows)
    for name in texts:
        written = pc.or_(written, pc.fill_null(pc.not_equal(batch.column(name).cast(pa.string()), ""), False))
    return int(pc.sum(pc.and_(_about(batch, ids, wanted), written)).as_py() or 0)


def _blank(batch: Any, ids: list[str], texts: list[str], wanted: Any) -> Any:
    rows = _about(batch, ids, wanted)
    columns = [
        pc.if_else(rows, pa.scalar("", field.type), column) if field.name in texts else column
        for field, column in zip(batch.schema, batch.columns, strict=True)
    ]
    return pa.record_batch(columns, schema=batch.schema)
