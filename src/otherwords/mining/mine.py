"""Mining from end to end: files, pool, vectors, neighbours, unique pairs.

Every stage has its place in the output folder and is not done again: ``pool/``, ``vectors/``, ``pairs.parquet``, and
``mine.json`` with what came of it. A run that was stopped goes on where it was when it is asked for again.
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

from otherwords.errors import DataError, UsageError
from otherwords.mining.encode import EncoderTier, PoolEncoder, choose_encoder, encode_pool, tier_difference
from otherwords.mining.neighbours.lists import NeighbourLists, RecallEstimate
from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.options import NeighbourOptions, Scope
from otherwords.mining.pairs import write_pairs
from otherwords.mining.plan import least_memory
from otherwords.mining.pool.build import build_pool
from otherwords.mining.pool.folder import Pool, is_pool, open_pool
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.mining.vectors import VectorStore
from otherwords.sources.io.files import atomic_write
from otherwords.sources.source import ReadLog

POOL, VECTORS, LISTS, PAIRS, SUMMARY = "pool", "vectors", "neighbours", "pairs.parquet", "mine.json"
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
    seconds: float
    rss_mb: float
    notes: list[str]


@dataclass(slots=True)
class Stopwatch:
    """The seconds of each stage."""

    stages: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.stages[name] = round(time.perf_counter() - start, 3)


def mine_pairs(
    request: MineRequest, log: ReadLog, progress: StageProgress = lambda stage, done, total: None
) -> MineSummary:
    """Mine the files or the pool of a request; the pairs are in its folder."""
    _check(request)
    watch, out = Stopwatch(), Path(request.out)
    with watch.stage("pool"):
        pool = _pool(request, out, log, partial(progress, "pool"))
    if pool.rows < 2:
        message = f"has {pool.rows} sentence after its copies were collapsed; two are needed for a pair"
        raise DataError(message, pool.folder, code="pool-too-small")
    with watch.stage("encode"):
        encoder = choose_encoder(pool, request.encoder, request.tier, request.work.jobs)
        encoded = encode_pool(pool, out / VECTORS, encoder, partial(progress, "encode"))
        tier = _tier_note(out, pool, encoder, encoded.computed)
    with watch.stage("neighbours"):
        lists = _neighbours(request, pool, encoded.store, partial(progress, "neighbours"))
        recall = lists.manifest.recall
    with watch.stage("pairs"):
        count, trivial = write_pairs(pool, lists, out / PAIRS, request.least, partial(progress, "pairs"))
    summary = MineSummary(
        signature=_signature(request, pool, encoded.store, recall),
        read=pool.manifest.read,
        sentences=pool.rows,
        left_out=pool.manifest.reasons,
        without_vector=dict(encoded.reasons),
        pairs=count,
        trivial=dict(trivial),
        recall=recall.share,
        recall_interval=(recall.low, recall.high),
        tier=tier,
        encoder=request.encoder or "",
        stages=watch.stages,
        seconds=round(sum(watch.stages.values()), 3),
        rss_mb=round(peak_memory() / 2**20, 1),
        notes=_notes(pool, encoded.computed),
    )
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
    if not 0 < request.recall <= 1:
        raise UsageError(f"a recall of {request.recall:g} is not above 0 and up to 1", code="bad-recall")
    if request.k < 1:
        raise UsageError(f"k is {request.k}; choose 1 neighbour or more", code="bad-neighbour-count")
    needed = least_memory(request.encoder, request.work.workers)
    if request.work.memory < needed:
        message = f"--memory {request.work.memory / 2**20:,.0f}M is too little; {needed / 2**20:,.0f}M would do"
        raise UsageError(message, code="memory-too-small")


def _pool(request: MineRequest, out: Path, log: ReadLog, progress: Callable[[int, int | None], None]) -> Pool:
    """The pool that is named, or that of the files that are named."""
    [first, *others] = request.paths
    if not others and is_pool(Path(first)):
        return open_pool(Path(first))
    return build_pool(request.paths, out / POOL, request.pool, request.work, log, progress)


def _neighbours(
    request: MineRequest, pool: Pool, store: VectorStore, progress: Callable[[int, int | None], None]
) -> NeighbourLists:
    """The nearest of every sentence."""
    options = NeighbourOptions(
        k=min(request.k, pool.rows - 1),
        groups=None if request.scope == "all" else source_numbers(pool),
        scope=request.scope,
        recall=request.recall,
        memory_bytes=request.work.memory,
        threads=request.work.jobs,
        seed=request.seed,
    )
    return nearest_neighbours(store, Path(request.out) / LISTS, options, progress)


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


def peak_memory() -> int:
    """The most bytes that this process had in memory at a time."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
