"""What mining a pool of a size takes: shards, partitions, bytes and hours per stage, before anything is started.

Hours follow from the rates of :mod:`otherwords.mining.calibration`. Neighbours are looked for in cells around pivots,
whose number and size grow with the root of the number of sentences: each sentence is compared with pivots and with the
sentences of a few cells. A search has all sentences in memory in eight bits; with less, and on several nodes, it goes
through them in partitions.
"""

from __future__ import annotations

from math import ceil, pow

import msgspec

from otherwords.errors import UsageError
from otherwords.mining.calibration import NEIGHBOUR_DIMENSION, NEIGHBOUR_ROWS, Calibration
from otherwords.mining.neighbours.cells import pivot_count
from otherwords.mining.neighbours.exact import BYTE_ROWS, EXACT_ROWS
from otherwords.mining.neighbours.nearest import CLUSTER_CAPACITY
from otherwords.mining.neighbours.partitioned import bytes_needed
from otherwords.mining.neighbours.sharded import LEAST_CAPACITY, capacity_for, sharded_bytes
from otherwords.mining.vectors import ROWS_PER_SHARD

POOL_BYTES = 60  # a sentence in Parquet, with id and provenance
SPILL_BYTES = 90  # the same while the pool is made
LOOKUP_BYTES = 220  # the same while pairs are made, unpacked
PAIR_BYTES = 110  # a pair in Parquet
PART_BYTES = 140  # the same in the parts of which the table is made
PAIRS_PER_NEIGHBOUR = 0.65  # unique pairs for each entry of a list
DIMENSIONS = {"minilm": 384, "usem3": 512, "tfidf": 384, "vectors": 300}
MODEL_BYTES = {"minilm": 700 * 2**20, "usem3": 400 * 2**20, "tfidf": 64 * 2**20, "vectors": 600 * 2**20}
BASE_BYTES = 300 * 2**20  # Python and its libraries
WORKER_BYTES = 64 * 2**20
# Of a core of the machine of the docs, whatever the size.
START_SECONDS = {"pool": 0.6, "encode": 1.4, "neighbours": 0.2, "pairs": 0.5}
ROWS_TRAVEL = 1.55  # times the work on a row of a pool, because rows travel to other processes and come in pieces
STORE_SECONDS = 5e-9  # of a core, for a number of a vector that is scaled and written
READ_ROWS = 410_000.0  # a second, by the one process that reads the input
JOIN_PAIRS = 357_000.0  # a second, by the one process that makes a table of the parts
# Of the time of a sentence in a search: the power of the number of sentences with which it grows, and the part of what
# follows from it and from what is measured. Neighbours by TF-IDF are nearly as distant as others, and hard to find.
SEARCHES = {"tfidf": (0.58, 0.85)}
DENSE_SEARCH = (0.37, 0.9)
GPU_SENTENCES = 8_000.0  # a second; assumed, since no GPU was measured


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """A stage of mining."""

    name: str
    hours: float
    core_hours: float  # of all cores together
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
    memory: int  # the least budget of a node
    fits: bool  # whether it is there
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
    needed = least_memory(request.encoder, request.cores)
    pairs = round(rows * request.k * PAIRS_PER_NEIGHBOUR)
    partitions, searched, least = _search_memory(request, dimension)

    def stage(
        name: str, core_seconds: float, disk: int, memory: int, aside: int = 0, gpus: int = 0, alone: float = 0.0
    ) -> Stage:
        """The stage, whose time is that of the cores or that of what is written, whichever is longer; one core does
        a part of it ``alone``."""
        core_seconds += START_SECONDS[name] * Calibration().pool / rates.pool  # a faster machine starts faster, too
        written = (disk + aside) / 1e6 / (rates.disk * request.nodes)
        shared = alone + max(core_seconds - alone, 0.0) / ((gpus or request.cores) * request.nodes)
        return Stage(
            name=name,
            hours=max(shared, written) / 3600,
            core_hours=core_seconds / 3600,
            disk=disk,
            memory=memory,
        )

    cleaning = ROWS_TRAVEL * rows / rates.pool + (rows / rates.identify if request.check_language else 0)
    storing = STORE_SECONDS * dimension * rows
    stages = [
        stage("pool", cleaning, POOL_BYTES * rows, needed, SPILL_BYTES * rows, alone=rows / READ_ROWS),
        stage("encode", _encode_seconds(request, rates) + storing, 2 * dimension * rows, needed, gpus=request.gpus),
        stage("neighbours", _neighbour_seconds(request, dimension, rates), 8 * request.k * rows, searched),
        stage(
            "pairs",
            pairs / rates.pairs,
            PAIR_BYTES * pairs,
            needed,
            PART_BYTES * pairs + LOOKUP_BYTES * rows,
            alone=pairs / JOIN_PAIRS,
        ),
    ]
    return MinePlan(
        sentences=rows,
        dimension=dimension,
        shards=ceil(rows / ROWS_PER_SHARD),
        partitions=partitions,
        cells=pivot_count(rows),
        stages=stages,
        hours=sum(part.hours for part in stages),
        disk=sum(part.disk for part in stages) + PART_BYTES * pairs + LOOKUP_BYTES * rows,
        memory=max(needed, least),
        fits=request.memory >= max(needed, least),
        calibration=rates.machine,
    )


def least_memory(encoder: str | None, workers: int) -> int:
    """The least memory with which a pool of any size can be mined."""
    return BASE_BYTES + _kind(MODEL_BYTES, encoder or "minilm", 2**30) + WORKER_BYTES * workers


def _encode_seconds(request: PlanRequest, rates: Calibration) -> float:
    """The seconds of all cores, or of all GPUs."""
    if request.gpus:
        return request.sentences / GPU_SENTENCES
    rate = rates.encode.get(request.encoder)
    if rate is None:
        known = ", ".join(rates.encode)
        message = f"the speed of {request.encoder} is not known (known: {known}); measure it with mine calibrate"
        raise UsageError(message, code="no-such-rate")
    return request.sentences / rate


def _neighbour_seconds(request: PlanRequest, dimension: int, rates: Calibration) -> float:
    """The seconds of all cores; a sentence takes longer the more others there are, but far less than their number."""
    rows, (power, part) = request.sentences, SEARCHES.get(request.encoder, DENSE_SEARCH)
    growth = part * pow(max(rows, EXACT_ROWS) / NEIGHBOUR_ROWS, power)
    return rows / rates.neighbours * growth * dimension / NEIGHBOUR_DIMENSION


def _search_memory(request: PlanRequest, dimension: int) -> tuple[int, int, int]:
    """Partitions of a search, its bytes in the memory of a node, and the least with which it does."""
    shape = (request.sentences, dimension, request.k)
    whole, least = bytes_needed(*shape), sharded_bytes(*shape, request.cores)
    if request.nodes == 1 and (request.memory >= whole or request.sentences <= BYTE_ROWS):
        return 1, whole, min(whole, least)
    capacity = capacity_for(request.memory, *shape, request.cores)
    capacity = max(LEAST_CAPACITY, capacity if request.nodes == 1 else min(capacity, CLUSTER_CAPACITY))
    return ceil(request.sentences / capacity), sharded_bytes(*shape, request.cores, capacity), least


def _kind(table: dict[str, int], encoder: str, otherwise: int) -> int:
    """The entry of an encoder, by the start of its name."""
    return next((value for name, value in table.items() if encoder.startswith(name)), otherwise)
