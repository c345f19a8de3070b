"""Neighbours of all rows of a million vectors, beside the tools that people use for it, in one run.

Vectors are invented, with what makes those of sentences hard: a spectrum that falls slowly, groups of very different
sizes, and rows between them. Every search runs in a process of its own; the time includes loading, and the recall is
that of 1,000 random rows, searched exactly. A peer that can be tuned is tuned until it reaches our recall.
``paraphrase_mining`` compares all pairs, so its time is measured for small pools and grows with the square; FAISS is
asked for some of the rows, and its time grows in proportion. Memory is what a search had beyond its input: the vectors
in the file for ours, in float32 for the peers. Peers that are not installed are left out.

``ROWS=100000`` makes it shorter, ``K=15`` asks for so many neighbours only, ``KEPT=4,6`` tries only these settings of
pynndescent (times k), ``PEERS=faiss,pynndescent`` names the peers (``PEERS=`` none), and ``VECTORS=FOLDER`` takes
vectors that were encoded, as ``vectors/`` of a folder that ``otherwords mine`` has made; where the folder has none, the
verses of two English Bibles and their clauses are encoded into it with MiniLM, some 240,000.
"""

from __future__ import annotations

import importlib.util
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.verses import verse_pairs, write_verses
from otherwords.engine import cores
from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.options import NeighbourOptions
from otherwords.mining.neighbours.quantised import key_ids, quantise
from otherwords.mining.neighbours.recall import recall_samples
from otherwords.mining.vectors import MANIFEST, FloatRows, VectorPlan, VectorStore, open_vectors, write_vectors

ROWS = int(os.environ.get("ROWS", 1_000_000))
DIMENSION = 384
ROWS_PER_GROUP = 25
SPREAD = (0.3, 1.0)  # of rows around the middle of their group, which has 1
NEIGHBOURS = tuple(int(number) for number in os.environ.get("K", "5,15").split(","))
KEPT = tuple(float(number) for number in os.environ.get("KEPT", "1,2,3,4,6,8").split(","))  # times k, by NN-descent
RECALL = 0.95
MOST_MEMORY = 1_200  # MB beyond the vectors
FASTER_THAN = {"pynndescent": 3.0, "paraphrase_mining": 250.0}
FULL = 1_000_000  # rows from which the targets of speed hold
QUADRATIC = (20_000, 50_000)  # rows for which all pairs are compared
ASKED = 50_000  # rows for which an index is asked, each by itself, so that all take in proportion
BLOCK = 8_192
CLAUSE_END, LEAST_WORDS = re.compile(r"[,;:.?!]+[”’\")]*\s+"), 3
SEED = int(os.environ.get("SEED", 17))


@dataclass(frozen=True, slots=True)
class Timed:
    """One search by one tool."""

    tool: str
    k: int
    setting: str
    seconds: float
    recall: float
    extra_mb: int  # memory beyond the input

    def show(self, own: Timed | None = None) -> None:
        ratio = "" if own is None else f"{self.seconds / own.seconds:,.1f} ×"
        print(
            f"  {self.tool:<18}{self.k:>3}{self.seconds:>11,.1f}{ratio:>9}{self.recall:>9.4f}{self.extra_mb:>8,}  "
            f"{self.setting}",
            flush=True,
        )


TITLES = f"  {'tool':<18}{'k':>3}{'seconds':>11}{'':>9}{'recall':>9}{'MB':>8}  setting"


def blocks_of_vectors(rows: int, dimension: int, seed: int = SEED) -> Callable[[int, int], Iterator[FloatRows]]:
    """Invented vectors, the rows from a start to a stop in blocks; both are divisible by the size of a block."""
    generator = np.random.default_rng(seed)
    spectrum = 1 / np.sqrt(np.arange(1, dimension + 1))
    turn = np.linalg.qr(generator.normal(size=(dimension, dimension)))[0]
    mapping = (turn * (spectrum / np.linalg.norm(spectrum))[:, None]).astype(np.float32)
    groups = max(rows // ROWS_PER_GROUP, 1)
    middles = generator.standard_normal((groups, dimension), dtype=np.float32)
    weights = generator.lognormal(size=groups)
    group = generator.choice(groups, size=rows, p=weights / weights.sum())

    def encode(start: int, stop: int) -> Iterator[FloatRows]:
        for at in range(start, stop, BLOCK):
            end = min(at + BLOCK, stop)
            own = np.random.default_rng([seed, at])
            spread = own.uniform(*SPREAD, size=(end - at, 1)).astype(np.float32)
            noise = own.standard_normal((end - at, dimension), dtype=np.float32)
            yield (middles[group[at:end]] + spread * noise) @ mapping

    return encode


def write_pool(folder: Path, rows: int, dimension: int = DIMENSION) -> VectorStore:
    """A store of invented vectors."""
    plan = VectorPlan(
        dimension=dimension, rows=rows, encoder=f"invented|seed:{SEED}", normalised=True, rows_per_shard=16 * BLOCK
    )
    return write_vectors(folder, blocks_of_vectors(rows, dimension), plan)


def verses_and_clauses() -> list[str]:
    """Real texts: the verses of two English Bibles, and the clauses of at least three words that they consist of."""
    verses = [verse for bible in verse_pairs() for verse in bible]
    clauses = (clause.strip() for verse in verses for clause in CLAUSE_END.split(verse))
    return list(dict.fromkeys([*verses, *(clause for clause in clauses if len(clause.split()) >= LEAST_WORDS)]))


def peak_mb() -> int:
    """The most memory that this process has had; what getrusage says includes the process it was forked from."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


def extra_mb(store: VectorStore, width: int) -> int:
    """The most memory of this process beyond vectors of so many bytes a number."""
    return peak_mb() - store.rows * store.dimension * width // 2**20


def true_neighbours(store: VectorStore, k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Random rows and the ids of their neighbours."""
    sample = recall_samples(quantise(store, NeighbourOptions(k=k, seed=SEED))).stated
    return sample.chosen, key_ids(sample.truth)


def shared(truth: NDArray[Any], found: NDArray[Any]) -> float:
    """The share of the true neighbours that were found."""
    return float(np.mean([len(np.intersect1d(ids, own)) / len(ids) for ids, own in zip(truth, found, strict=True)]))


def search_ours(folder: Path, k: int) -> Timed:
    """Our own search, from files to files."""
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-") as out:
        start = time.perf_counter()
        store = open_vectors(folder)
        lists = nearest_neighbours(store, Path(out), NeighbourOptions(k=k, recall=RECALL, seed=SEED))
        seconds = time.perf_counter() - start
        manifest = lists.manifest
    setting = f"{manifest.probes} probes, {manifest.rounds} rounds" if manifest.method == "cells" else "exact"
    return Timed("otherwords", k, setting, seconds, manifest.recall.share, extra_mb(store, 2))


def search_pynndescent(folder: Path, k: int) -> Timed:
    """NN-descent with more neighbours than wanted until the recall is reached; its compiler is warmed up first."""
    from pynndescent import NNDescent

    store = open_vectors(folder)
    chosen, truth = true_neighbours(store, k)
    NNDescent(store.block(0, 5_000), n_neighbors=k + 1, metric="cosine", n_jobs=cores())
    for kept in (max(k + 1, round(times * k)) for times in KEPT):
        start = time.perf_counter()
        index = NNDescent(
            store.block(0, store.rows), n_neighbors=kept, metric="cosine", n_jobs=cores(), random_state=SEED
        )
        seconds = time.perf_counter() - start
        recall = shared(truth, index.neighbor_graph[0][chosen, 1 : k + 1])
        found = Timed("pynndescent", k, f"{kept} kept", seconds, recall, extra_mb(store, 4))
        if recall >= RECALL:
            break
        found.show()
        del index
    return found


def search_faiss(folder: Path, k: int) -> Timed:
    """Inverted lists of 8-bit vectors, with as many lists probed as the recall needs."""
    os.environ.setdefault("OPENBLAS_CORETYPE", "SKYLAKEX")  # its wheel may choose a kernel that is several times slower
    import faiss

    store = open_vectors(folder)
    chosen, truth = true_neighbours(store, k)
    faiss.omp_set_num_threads(cores())
    start = time.perf_counter()
    vectors = store.block(0, store.rows)
    lists = max(1, min(round(2 * store.rows**0.5), store.rows // 40))
    index = faiss.index_factory(store.dimension, f"IVF{lists},SQ8", faiss.METRIC_INNER_PRODUCT)
    index.train(vectors[:: max(1, store.rows // (64 * lists))])
    index.add(vectors)
    building = time.perf_counter() - start
    for probes in (8, 16, 24, 32, 48, 64, 96, 128):
        index.nprobe = probes
        if shared(truth, index.search(vectors[chosen], k + 1)[1][:, 1:]) >= RECALL:
            break
    asked = np.random.default_rng(SEED).permutation(store.rows)[:ASKED]
    start = time.perf_counter()
    index.search(vectors[asked], k + 1)
    seconds = building + (time.perf_counter() - start) * store.rows / len(asked)
    recall = shared(truth, index.search(vectors[chosen], k + 1)[1][:, 1:])
    setting = f"IVF{lists},SQ8, {probes} probes; {len(asked):,} rows, in proportion"
    return Timed("faiss", k, setting, seconds, recall, extra_mb(store, 4))


def search_quadratic(folder: Path, k: int) -> Timed:
    """``paraphrase_mining_embeddings`` of small pools, and what the largest means for all rows."""
    import torch
    from sentence_transformers.util import paraphrase_mining_embeddings

    store = open_vectors(folder)
    shown = []
    for rows in sorted({min(rows, store.rows) for rows in QUADRATIC}):
        vectors = torch.from_numpy(store.block(0, rows))
        start = time.perf_counter()
        paraphrase_mining_embeddings(vectors, top_k=k, max_pairs=rows * k)
        seconds = time.perf_counter() - start
        shown.append(f"{rows:,} rows {seconds:.1f} s")
    whole = seconds * (store.rows / rows) ** 2
    setting = f"{', '.join(shown)}; by the square"
    return Timed("paraphrase_mining", k, setting, whole, 1.0, peak_mb() - rows * store.dimension * 4 // 2**20)


PEERS: dict[str, Callable[[Path, int], Timed]] = {
    "pynndescent": search_pynndescent,
    "faiss": search_faiss,
    "sentence_transformers": search_quadratic,
}


def apart(search: Callable[[Path, int], Timed], folder: Path, k: int) -> Timed:
    """A search in a new process, so that its memory is its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(search, folder, k).result()


def compare(folder: Path, neighbours: Iterable[int], peers: Iterable[str]) -> bool:
    """Print a row for every search of the vectors in a folder; whether the targets are reached."""
    reached, store = True, open_vectors(folder)
    print(f"neighbours of {store.rows:,} × {store.dimension} vectors ({store.manifest.encoder}), {cores()} cores")
    print(TITLES)
    for k in neighbours:
        own = apart(search_ours, folder, k)
        own.show()
        reached &= own.recall >= RECALL and (store.rows < FULL or own.extra_mb <= MOST_MEMORY)
        for name in peers:
            peer = apart(PEERS[name], folder, k)
            peer.show(own)
            reached &= store.rows < FULL or peer.seconds / own.seconds >= FASTER_THAN.get(peer.tool, 0.0)
    return reached


def named_peers() -> list[str]:
    """The peers that are asked for and installed."""
    asked = os.environ.get("PEERS", ",".join(PEERS)).split(",")
    return [name for name in PEERS if name in asked and importlib.util.find_spec(name)]


def run() -> bool:
    """Print our searches and those of the peers; whether the targets are reached."""
    if encoded := os.environ.get("VECTORS"):
        if not (Path(encoded) / MANIFEST).is_file():
            write_verses(Path(encoded), verses_and_clauses())
        return compare(Path(encoded), NEIGHBOURS, named_peers())
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-") as folder:
        write_pool(Path(folder), ROWS)
        return compare(Path(folder), NEIGHBOURS, named_peers())
