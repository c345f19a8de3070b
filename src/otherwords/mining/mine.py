"""Mining from end to end: files, pool, vectors, neighbours, unique pairs.

Every stage has its place in the output folder and is not done again: ``pool/``, ``vectors/``, ``neighbours/``,
``pairs.parquet``, and ``mine.json`` with what came of it. A run that was stopped goes on where it was when it is asked
for again. The shards of a stage are computed on this machine or on a cluster, with the same bytes.
"""

from __future__ import annotations

import contextlib
import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from otherwords.engine import Engine, Progress
from otherwords.errors import DataError, UsageError, WriteError
from otherwords.mining.encode import (
    EncodedPool,
    EncoderTier,
    PoolEncoder,
    choose_encoder,
    encode_pool,
    tier_difference,
)
from otherwords.mining.encode_shards import encode_on_cluster
from otherwords.mining.neighbours.lists import NeighbourLists, RecallEstimate, open_neighbours
from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.options import NeighbourOptions, Scope
from otherwords.mining.pairs import write_pairs
from otherwords.mining.plan import least_memory
from otherwords.mining.pool.build import build_pool
from otherwords.mining.pool.folder import Pool, is_pool, open_pool
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.mining.vectors import VectorStore
from otherwords.ray_engine import RayEngine, ray_cluster
from otherwords.sources.io.files import atomic_write, remove_unfinished
from otherwords.sources.source import ReadLog

POOL, VECTORS, LISTS, PAIRS, SUMMARY = "pool", "vectors", "neighbours", "pairs.parquet", "mine.json"
LISTS_PLAN = "plan.json"
ROWS_FOR_PROCESSES = 100_000  # below this many, processes take longer to start than they save
NEIGHBOURS = 5  # Kanerva et al. 2023, §7.3
StageProgress = Callable[[str, int, int | None], None]  # the stage, how much is done, and the total if it is known


class MineRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be mined, and how; ``k`` are the neighbours of a sentence, ``least`` the lowest cosine of a pair."""

    paths: tuple[str, ...]
    out: str
    pool: PoolOptions = PoolOptions()
    work: WorkOptions = WorkOptions()
    encoder: str | None = None
    tier: EncoderTier = "exact"
    k: int = NEIGHBOURS
    scope: Scope = "all"
    least: float = 0.0
    recall: float = 0.95
    seed: int = 0


class MineSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run found, what it took, and how sure it is."""

    signature: str
    read: int
    sentences: int
    left_out: dict[str, int]
    without_vector: dict[str, int]
    pairs: int
    trivial: dict[str, int]
    recall: float
    recall_interval: tuple[float, float]
    tier: str  # what the int8 tier changes; empty for others
    encoder: str = ""  # as the run named it; empty for that of the language
    stages: dict[str, float]  # seconds
    core_seconds: dict[str, float]  # of this machine, by stage
    seconds: float
    rss_mb: float
    notes: list[str]


@dataclass(slots=True)
class Stopwatch:
    """The seconds of each stage, and those of all cores together, which other work on the machine changes less."""

    stages: dict[str, float] = field(default_factory=dict)
    core_seconds: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start, used = time.perf_counter(), core_seconds()
        yield
        self.stages[name] = round(time.perf_counter() - start, 3)
        self.core_seconds[name] = round(core_seconds() - used, 3)


def mine_pairs(
    request: MineRequest, log: ReadLog, progress: StageProgress = lambda stage, done, total: None
) -> MineSummary:
    """Mine the files or the pool of a request; the pairs are in its folder."""
    _check(request)
    out = Path(request.out)
    if request.work.cluster is None:
        return _mine(request, out, None, log, progress)
    out = out.absolute()  # a worker has a folder of its own
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise WriteError(f"{out}: cannot be written: {problem.strerror}", code="file-unwritable") from None
    with ray_cluster(request.work.cluster) as cluster:
        cluster.check(out)
        return _mine(request, out, cluster, log, progress)


def _mine(
    request: MineRequest, out: Path, cluster: RayEngine | None, log: ReadLog, progress: StageProgress
) -> MineSummary:
    watch = Stopwatch()
    with watch.stage("pool"):
        pool = _pool(request, out, cluster, log, partial(progress, "pool"))
    if pool.rows < 2:
        message = f"has {pool.rows} sentence after its copies were collapsed; two are needed for a pair"
        raise DataError(message, pool.folder, code="pool-too-small")
    with watch.stage("encode"):
        encoder = choose_encoder(pool, request.encoder, request.tier, request.work.jobs)
        encoded = _encode(request, out, pool, encoder, cluster, partial(progress, "encode"))
        tier = _tier_note(out, pool, encoder, encoded.computed)
    with watch.stage("neighbours"):
        lists = _neighbours(request, out, pool, encoded.store, cluster, partial(progress, "neighbours"))
        recall = lists.manifest.recall
    with watch.stage("pairs"):
        engine = cluster or Engine(request.work.workers if pool.rows > ROWS_FOR_PROCESSES else 1, "processes")
        found = write_pairs(pool, lists, out / PAIRS, engine, request.least, partial(progress, "pairs"))
    summary = MineSummary(
        signature=_signature(request, pool, encoded.store, recall),
        read=pool.manifest.read,
        sentences=pool.rows,
        left_out=pool.manifest.reasons,
        without_vector=dict(encoded.reasons),
        pairs=found.pairs,
        trivial=found.trivial,
        recall=recall.share,
        recall_interval=(recall.low, recall.high),
        tier=tier,
        encoder=request.encoder or "",
        stages=watch.stages,
        core_seconds=watch.core_seconds,
        seconds=round(sum(watch.stages.values()), 3),
        rss_mb=round(peak_memory() / 2**20, 1),
        notes=_notes(pool, encoded.computed),
    )
    remove_unfinished(out)
    with atomic_write(out / SUMMARY) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")
    return summary


def _tier_note(out: Path, pool: Pool, encoder: PoolEncoder, computed: int) -> str:
    """What a tier changes, which is measured when its vectors are computed."""
    if not computed and (out / SUMMARY).is_file():
        with contextlib.suppress(msgspec.MsgspecError, OSError):
            return msgspec.json.decode((out / SUMMARY).read_bytes(), type=MineSummary).tier
    difference = tier_difference(pool, encoder)
    return "" if difference is None else str(difference)


def _check(request: MineRequest) -> None:
    if not request.paths:
        raise UsageError("name the files of sentences, or the folder of a pool", code="nothing-to-mine")
    for path in (*request.paths, request.out):
        if "://" in path:
            message = (
                f"{path}: folders are named by their paths; mount what is elsewhere, such as a bucket, and name that"
            )
            raise UsageError(message, code="not-a-path")
    if not 0 < request.recall <= 1:
        raise UsageError(f"a recall of {request.recall:g} is not above 0 and up to 1", code="bad-recall")
    if request.k < 1:
        raise UsageError(f"k is {request.k}; choose 1 neighbour or more", code="bad-neighbour-count")
    needed = least_memory(request.encoder, request.work.workers)
    if request.work.memory < needed:
        message = f"--memory {request.work.memory / 2**20:,.0f}M is too little; {needed / 2**20:,.0f}M would do"
        raise UsageError(message, code="memory-too-small")


def _pool(
    request: MineRequest,
    out: Path,
    cluster: RayEngine | None,
    log: ReadLog,
    progress: Progress,
) -> Pool:
    """The pool that is named, or that of the files that are named."""
    [first, *others] = request.paths
    if not others and is_pool(Path(first)):
        return open_pool(Path(first) if cluster is None else Path(first).absolute())
    return build_pool(request.paths, out / POOL, request.pool, request.work, log, progress, cluster)


def _encode(
    request: MineRequest, out: Path, pool: Pool, encoder: PoolEncoder, cluster: RayEngine | None, progress: Progress
) -> EncodedPool:
    if cluster is None:
        return encode_pool(pool, out / VECTORS, encoder, progress)
    return encode_on_cluster(pool, out / VECTORS, encoder, request.encoder, request.tier, cluster, progress)


class ListsPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What lists of neighbours are made of; those of another plan are not kept."""

    encoder: str
    k: int
    scope: Scope
    recall: float
    seed: int


def _neighbours(
    request: MineRequest, out: Path, pool: Pool, store: VectorStore, cluster: RayEngine | None, progress: Progress
) -> NeighbourLists:
    """The nearest of every sentence, which are looked for unless they are there."""
    folder, k = out / LISTS, min(request.k, pool.rows - 1)
    plan = ListsPlan(encoder=store.manifest.encoder, k=k, scope=request.scope, recall=request.recall, seed=request.seed)
    path, encoded = folder / LISTS_PLAN, msgspec.json.encode(plan)
    if path.is_file() and path.read_bytes() == encoded:
        with contextlib.suppress(DataError):  # what is damaged or not whole is looked for again
            return open_neighbours(folder)
    options = NeighbourOptions(
        k=k,
        groups=None if request.scope == "all" else source_numbers(pool),
        scope=request.scope,
        recall=request.recall,
        memory_bytes=request.work.memory,
        threads=request.work.jobs,
        seed=request.seed,
        cluster=cluster,
    )
    path.unlink(missing_ok=True)
    lists = nearest_neighbours(store, folder, options, progress)
    with atomic_write(path) as stream:
        stream.write(encoded)
    return lists


def source_numbers(pool: Pool) -> npt.NDArray[np.int32]:
    """The source of every sentence as a number."""
    numbers: dict[str, int] = {}
    rows = np.empty(pool.rows, np.int32)
    at = 0
    for batch in pool.batches(["source"], 0, pool.rows):
        names = batch.column(0).to_pylist()
        rows[at : at + len(names)] = [numbers.setdefault(name, len(numbers)) for name in names]
        at += len(names)
    return rows


def _signature(request: MineRequest, pool: Pool, store: VectorStore, recall: RecallEstimate) -> str:
    parts = [
        f"k:{request.k}",
        f"scope:{request.scope}",
        f"least:{request.least:g}",
        f"recall:{recall.share:.4f}[{recall.low:.4f},{recall.high:.4f}]",
    ]
    return "|".join(["mine", *parts, f"copies:{pool.manifest.options.copies}", store.manifest.encoder])


def _notes(pool: Pool, computed: int) -> list[str]:
    notes = []
    if computed < pool.rows:
        notes.append(f"the vectors of {pool.rows - computed:,} sentences were there from an earlier run")
    if pool.manifest.options.lang and not pool.manifest.identifier:
        notes.append("the language of the sentences was not checked")
    return notes


def core_seconds() -> float:
    """The seconds that cores have worked for this process and for those that it started and that have ended."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def peak_memory() -> int:
    """The most bytes that this process had in memory at a time."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
