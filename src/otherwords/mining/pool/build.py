"""Make a pool: two passes over the sentences, each in pieces that are written aside and survive a killed run.

The first pass reads the files in blocks, cleans a block and writes its distinct texts as a spill, divided among
partitions by their digest. All copies of a text are in the same partition, so the second pass makes one shard of each
partition and never needs more than one in memory. The number of partitions follows from the size of the input, and as
many of them are made at a time as the memory allows; within a shard, sentences stand in the order of the input.
"""

from __future__ import annotations

import contextlib
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

from otherwords.digests import digest_file
from otherwords.engine import Engine, Progress, ShardEngine
from otherwords.errors import DataError, WriteError
from otherwords.mining.pool.cleaning import DISTINCT, clean_block, group_starts, merged
from otherwords.mining.pool.folder import (
    COLUMNS,
    EXACT_COPY,
    MANIFEST,
    NEAR_COPY,
    ROWS_PER_GROUP,
    SHARD,
    Pool,
    PoolManifest,
    PoolShard,
    is_pool,
    open_pool,
)
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.mining.pool.rows import STREAM, InputFile, PoolRow, input_files, refused, row_blocks, text_bytes
from otherwords.sources.io.files import atomic_write
from otherwords.sources.source import ReadLog
from otherwords.text.identification import identifier_signature

PLAN = "plan.json"
SPILLS = "spills"
SPILL = "block-{:06}.arrow"
COUNTS = b"counts"
SHARD_BYTES = 32 * 2**20  # of text in a shard
BYTES_PER_SHARD = 8 * SHARD_BYTES  # of memory, while a shard is made
BYTES_PER_ROW = 2_000  # of a row in Python, while it is cleaned
STREAM_PARTITIONS = 64  # of standard input, whose size nobody knows
MOST_ROWS, FEWEST_ROWS = 100_000, 1_000  # of a block
ROWS_FOR_PROCESSES = 100_000  # below this many, processes take longer to start than they save
ROW_BYTES = 60  # of an average sentence


class PoolPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What the pieces of a pool are made of; those of another plan are not kept."""

    inputs: list[InputFile]
    options: PoolOptions
    partitions: int
    rows_per_block: int


class BlockTask(NamedTuple):
    """A block of rows to be cleaned and written."""

    number: int
    first: int
    rows: tuple[PoolRow, ...]


class BlockCounts(msgspec.Struct, frozen=True):
    """How many rows a piece was made of, and how many of them were left out for which reason."""

    rows: int
    reasons: dict[str, int]


def build_pool(
    paths: Sequence[str | Path],
    folder: Path,
    options: PoolOptions,
    work: WorkOptions,
    log: ReadLog,
    progress: Progress = lambda done, total: None,
    cluster: ShardEngine | None = None,
) -> Pool:
    """The pool of the sentences of files, which is made unless it is there; ``progress`` counts rows, then shards.

    Pieces are made on this machine, or on a cluster that sees the same folder.
    """
    options.check()
    identifier = identifier_signature() if options.check_language else ""
    plan = make_plan(input_files(paths), options, work)
    if _keep_or_clear(folder, plan):
        shutil.rmtree(folder / SPILLS, ignore_errors=True)
        return open_pool(folder)
    counts, spills = _spill(paths, folder, plan, cluster or _cleaners(plan, work), log, progress)
    reasons = Counter(refused(log)) + counts
    shards: list[PoolShard] = []
    make = partial(_make_shard, folder, spills)
    engine = cluster or Engine(max(1, min(work.workers, work.memory // BYTES_PER_SHARD)))
    for shard, copies in engine.map(make, range(plan.partitions)):
        shards.append(shard)
        reasons += Counter(copies)
        progress(len(shards), plan.partitions)
    rows = sum(shard.rows for shard in shards)
    manifest = PoolManifest(
        rows=rows,
        bytes=sum(shard.bytes for shard in shards),
        read=rows + reasons.total(),
        reasons=dict(reasons.most_common()),
        options=options,
        identifier=identifier,
        inputs=plan.inputs,
        shards=shards,
    )
    if not rows:
        listed = ", ".join(f"{count:,} × {reason}" for reason, count in reasons.most_common()) or "the files are empty"
        raise DataError(f"no sentence is left for the pool ({listed})", _named(paths), code="empty-pool")
    with atomic_write(folder / MANIFEST) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    shutil.rmtree(folder / SPILLS, ignore_errors=True)
    return Pool(folder, manifest)


def make_plan(inputs: list[InputFile], options: PoolOptions, work: WorkOptions) -> PoolPlan:
    """How many partitions the input has, and how large blocks the memory allows; the pool depends on the first only."""
    in_block = work.memory // ((work.workers + 2) * BYTES_PER_ROW)
    from_stream = any(file.path == STREAM for file in inputs)
    return PoolPlan(
        inputs=inputs,
        options=options,
        partitions=max(STREAM_PARTITIONS if from_stream else 1, -(-text_bytes(inputs) // SHARD_BYTES)),
        rows_per_block=max(FEWEST_ROWS, min(MOST_ROWS, in_block)),
    )


def _named(paths: Sequence[str | Path]) -> str:
    others = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{paths[0]}{others}"


def _keep_or_clear(folder: Path, plan: PoolPlan) -> bool:
    """Make the folder, and remove the pieces of another plan from it; whether it holds the whole pool already."""
    path, encoded = folder / PLAN, msgspec.json.encode(plan)
    if folder.is_dir() and any(folder.iterdir()) and not path.is_file():
        raise WriteError(f"{folder}: holds other files; name a new folder for the pool", code="folder-not-empty")
    from_stream = any(file.path == STREAM for file in plan.inputs)  # what it said before, nobody knows
    if path.is_file() and path.read_bytes() == encoded and not from_stream:
        return is_pool(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for stale in (folder / MANIFEST, *folder.glob(SHARD.replace("{:05}", "*"))):
            stale.unlink(missing_ok=True)
    except OSError as problem:
        raise WriteError(f"{folder}: cannot be written: {problem.strerror}", code="file-unwritable") from None
    shutil.rmtree(folder / SPILLS, ignore_errors=True)
    with atomic_write(path) as stream:
        stream.write(encoded)
    return False


def _cleaners(plan: PoolPlan, work: WorkOptions) -> Engine:
    """Processes of this machine, unless the input is too small for them."""
    small = text_bytes(plan.inputs) < ROWS_FOR_PROCESSES * ROW_BYTES
    return Engine(1 if small else work.workers, "processes")


def _spill(
    paths: Sequence[str | Path], folder: Path, plan: PoolPlan, engine: ShardEngine, log: ReadLog, progress: Progress
) -> tuple[Counter[str], list[Path]]:
    """Clean all blocks; the reasons of rows that were left out, and the spills."""
    (folder / SPILLS).mkdir(exist_ok=True)
    reasons: Counter[str] = Counter()
    rows, spills = 0, list[Path]()
    clean = partial(_clean_and_write, folder / SPILLS, plan)
    for counts in engine.map(clean, _tasks(row_blocks(paths, plan.options, log, plan.rows_per_block), folder)):
        spills.append(folder / SPILLS / SPILL.format(len(spills)))
        reasons += Counter(counts.reasons)
        rows += counts.rows
        progress(rows, None)
    return reasons, spills


def _tasks(blocks: Iterator[tuple[PoolRow, ...]], folder: Path) -> Iterator[BlockTask]:
    """The blocks; one whose spill is there has no rows, because nobody needs them."""
    first = 0
    for number, rows in enumerate(blocks):
        done = (folder / SPILLS / SPILL.format(number)).is_file()
        yield BlockTask(number, first, () if done else rows)
        first += len(rows)


def _clean_and_write(folder: Path, plan: PoolPlan, task: BlockTask) -> BlockCounts:
    path = folder / SPILL.format(task.number)
    if not task.rows:
        with _spill_reader(path) as reader:
            return msgspec.json.decode(reader.schema.metadata[COUNTS], type=BlockCounts)
    block = clean_block(task.rows, task.first, plan.options)
    counts = BlockCounts(block.rows, dict(block.reasons))
    partitions = block.table["key"].to_numpy() % np.uint64(plan.partitions)
    ranks = np.argsort(partitions, kind="stable")
    table = block.table.take(pa.array(ranks)).combine_chunks()
    edges = np.searchsorted(partitions[ranks], np.arange(plan.partitions + 1))
    schema = DISTINCT.with_metadata({COUNTS: msgspec.json.encode(counts)})
    with atomic_write(path) as stream, _spill_writer(stream, schema) as writer:
        for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            part = table.slice(start, stop - start).combine_chunks().to_batches()
            writer.write_batch(part[0] if part else pa.RecordBatch.from_pylist([], DISTINCT))
    return counts


@contextlib.contextmanager
def _spill_writer(stream: IO[bytes], schema: pa.Schema) -> Iterator[ipc.RecordBatchFileWriter]:
    with ipc.new_file(stream, schema, options=ipc.IpcWriteOptions(compression="lz4")) as writer:
        yield writer


@contextlib.contextmanager
def _spill_reader(path: Path) -> Iterator[ipc.RecordBatchFileReader]:
    try:
        with pa.memory_map(str(path)) as mapped, ipc.open_file(mapped) as reader:
            yield reader
    except (OSError, pa.ArrowException) as problem:
        message = f"cannot be read ({problem}); delete it, and the same command makes it again"
        raise DataError(message, path, code="pool-damaged-spill") from None


def _make_shard(folder: Path, spills: Sequence[Path], number: int) -> tuple[PoolShard, dict[str, int]]:
    """One shard of the pool, from the parts that all spills have of its partition."""
    path = folder / SHARD.format(number)
    if not path.is_file():
        parts = []
        for spill in spills:
            with _spill_reader(spill) as reader:
                part = reader.get_batch(number)
                if part.num_rows:
                    parts.append(part)
        table, copies = collapsed(pa.Table.from_batches(parts, DISTINCT))
        schema = COLUMNS.with_metadata({COUNTS: msgspec.json.encode(copies)})
        with atomic_write(path) as stream, pq.ParquetWriter(stream, schema, compression="zstd") as writer:
            writer.write_table(table.cast(schema), ROWS_PER_GROUP)
    with pq.ParquetFile(path) as file:
        copies = msgspec.json.decode(file.schema_arrow.metadata[COUNTS], type=dict[str, int])
        return PoolShard(path.name, file.metadata.num_rows, path.stat().st_size, digest_file(path)), copies


def collapsed(table: pa.Table) -> tuple[pa.Table, dict[str, int]]:
    """One sentence for each key, the first, which stands for all its copies; and how many copies there were."""
    forms = merged(table)
    key = forms["key"].to_numpy()
    starts = group_starts(key)
    order, copies = forms["order"].to_numpy(), forms["copies"].to_numpy()
    firsts = np.lexsort((order, key))[starts]
    sums = np.add.reduceat(copies, starts) if len(starts) else copies
    ranks = np.argsort(order[firsts], kind="stable")
    kept = forms.take(pa.array(firsts[ranks]))
    ids = pa.array([f"{form:016x}" for form in kept["form"].to_pylist()], pa.string())
    columns = {name: kept[name] for name in COLUMNS.names if name != "id"}
    columns |= {"id": ids, "copies": pa.chunked_array([pa.array(sums[ranks], pa.int64())])}
    result = pa.table([columns[name] for name in COLUMNS.names], COLUMNS)
    counted = {
        EXACT_COPY: int(pc.sum(forms["copies"]).as_py() or 0) - len(forms),
        NEAR_COPY: len(forms) - len(kept),
    }
    return result, counted
