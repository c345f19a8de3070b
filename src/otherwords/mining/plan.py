"""What mining a pool of a size takes: shards, partitions, bytes and hours per stage, before anything is started.

Hours follow from the rates of :mod:`otherwords.mining.calibration`. Neighbours are looked for in cells around pivots:
each sentence is compared with all pivots and with the sentences of a few cells. One search has all sentences in memory
in eight bits; with less, they are divided into partitions that are compared with each other.
"""

from __future__ import annotations

from math import ceil, sqrt

import msgspec

from otherwords.errors import UsageError
from otherwords.mining.calibration import Calibration
from otherwords.mining.vectors import ROWS_PER_SHARD

BYTES_PER_SENTENCE = 80  # of text
POOL_BYTES = 90  # a sentence in Parquet, with id and provenance
SPILL_BYTES = 130  # the same while the pool is made
LIST_BYTES = 16 * 12 + 12 * 16 + 32  # of the lists and cells of a sentence while neighbours are looked for
PAIR_BYTES = 220
PAIRS_PER_NEIGHBOUR = 0.7  # unique pairs for each entry of a list
DIMENSIONS = {"minilm": 384, "usem3": 512, "tfidf": 384, "vectors": 300}
MODEL_BYTES = {"minilm": 700 * 2**20, "usem3": 400 * 2**20, "tfidf": 64 * 2**20, "vectors": 600 * 2**20}
BASE_BYTES = 300 * 2**20  # Python and its libraries
WORKER_BYTES = 64 * 2**20
CELLS_PER_ROOT, MOST_IN_CELL = 4.0, 2_048  # pivots for the root of the number of sentences; sentences of a cell
PROBES = 12  # cells that a sentence is compared with
REFINED = 15 * 15 + 10 * 15  # comparisons of neighbours of neighbours
EFFICIENCY = 0.5  # of the rate of a large product
LIST_SECONDS = 30e-6  # of a sentence, for updating lists
GPU_SENTENCES = 8_000.0  # a second; assumed, since no GPU was measured
EXACT_ROWS = 30_000


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """A stage of mining."""

    name: str
    hours: float
    disk: int  # bytes that it leaves on disk
    memory: int  # bytes in memory, of one node


class MinePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What mining takes with what there is."""

    sentences: int
    dimension: int
    shards: int  # of vectors
    partitions: int  # of neighbours
    cells: int
    stages: list[Stage]
    hours: float
    disk: int
    memory: int  # the least budget of a node with which one search does
    fits: bool  # whether it is there; partitions are for a cluster
    calibration: str


class PlanRequest(msgspec.Struct, frozen=True, kw_only=True):
    """How much there is to mine, and with what."""

    sentences: int
    memory: int
    cores: int
    gpus: int = 0
    nodes: int = 1
    encoder: str = "minilm"
    k: int = 5
    check_language: bool = False

    def check(self) -> None:
        """Refuse what makes no sense."""
        counts = {"sentences": self.sentences, "cores": self.cores, "nodes": self.nodes, "k": self.k}
        for name, value in counts.items():
            if value < 1:
                raise UsageError(f"--{name} {value}: at least 1 is needed", code="bad-plan")
        if self.gpus < 0:
            raise UsageError(f"--gpus {self.gpus}: 0 or more are possible", code="bad-plan")


def make_mine_plan(request: PlanRequest, rates: Calibration) -> MinePlan:
    """The stages with their hours and bytes; cores, GPUs and memory are those of one node."""
    request.check()
    rows, dimension = request.sentences, _kind(DIMENSIONS, request.encoder, 768)
    vector_bytes = 2 * dimension * rows
    needed = least_memory(request.encoder, request.cores)
    # A partition has its vectors in eight bits and its lists in memory.
    searched = rows * (dimension + LIST_BYTES)
    partitions = ceil(searched / max(request.memory - BASE_BYTES, 2**20))
    cells = partitions * round(CELLS_PER_ROOT * sqrt(rows / partitions))
    pairs = round(rows * request.k * PAIRS_PER_NEIGHBOUR)
    workers = request.cores * request.nodes

    def stage(name: str, seconds: float, disk: int, memory: int, written: int | None = None) -> Stage:
        on_disk = (disk if written is None else written) / 1e6 / (rates.disk * request.nodes)
        return Stage(name=name, hours=max(seconds, on_disk) / 3600, disk=disk, memory=memory)

    cleaning = rows / rates.pool + (rows / rates.identify if request.check_language else 0)
    in_partition = ceil(rows / partitions) * (dimension + LIST_BYTES) + BASE_BYTES
    searching = _neighbour_core_seconds(rows, partitions, dimension, rates) / workers
    ranking = rows * 16 * dimension / (rates.products * 1e9 * EFFICIENCY * workers)
    pool_bytes, pair_bytes = POOL_BYTES * rows, PAIR_BYTES * pairs
    stages = [
        stage("pool", cleaning / workers, pool_bytes, needed, pool_bytes + SPILL_BYTES * rows),
        stage("encode", _encode_seconds(request, rates), vector_bytes, needed),
        stage("neighbours", searching, 12 * request.k * rows, in_partition),
        stage("rerank", ranking, 0, needed, vector_bytes),
        stage("pairs", pairs / rates.pairs / request.nodes, pair_bytes, needed, pair_bytes + pool_bytes),
    ]
    return MinePlan(
        sentences=rows,
        dimension=dimension,
        shards=ceil(rows / ROWS_PER_SHARD),
        partitions=partitions,
        cells=cells,
        stages=stages,
        hours=sum(part.hours for part in stages),
        disk=sum(part.disk for part in stages) + SPILL_BYTES * rows,
        memory=max(needed, searched + BASE_BYTES),
        fits=request.memory >= max(needed, searched + BASE_BYTES),
        calibration=rates.machine,
    )


def least_memory(encoder: str | None, workers: int) -> int:
    """The least memory with which a pool of any size can be mined."""
    return BASE_BYTES + _kind(MODEL_BYTES, encoder or "minilm", 2**30) + WORKER_BYTES * workers


def _encode_seconds(request: PlanRequest, rates: Calibration) -> float:
    if request.gpus:
        return request.sentences / (GPU_SENTENCES * request.gpus * request.nodes)
    rate = rates.encode.get(request.encoder)
    if rate is None:
        known = ", ".join(rates.encode)
        message = f"the speed of {request.encoder} is not known (known: {known}); measure it with mine calibrate"
        raise UsageError(message, code="no-such-rate")
    return request.sentences / (rate * request.cores * request.nodes)


def _neighbour_core_seconds(rows: int, partitions: int, dimension: int, rates: Calibration) -> float:
    """Products with pivots, within cells and of neighbours of neighbours, and updating lists.

    With partitions, each sentence is compared with the cells of all of them.
    """
    if rows <= EXACT_ROWS:
        return rows * rows * dimension / (rates.products * 1e9 * EFFICIENCY)
    root = sqrt(rows / partitions)
    compared = CELLS_PER_ROOT * root + PROBES * min(root / CELLS_PER_ROOT, MOST_IN_CELL)
    return rows * ((partitions * compared + REFINED) * dimension / (rates.products * 1e9 * EFFICIENCY) + LIST_SECONDS)


def _kind(table: dict[str, int], encoder: str, otherwise: int) -> int:
    """The entry of an encoder, by the start of its name."""
    return next((value for name, value in table.items() if encoder.startswith(name)), otherwise)
