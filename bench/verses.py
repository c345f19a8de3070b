"""The same verses in two English Bibles: is the other translation of a verse among its neighbours?

The King James Version and the World English Bible are Debian packages. A verse that both have is a pair whose partner
is known, among all verses of both. They are encoded with MiniLM once; then our search and sentence-transformers'
``paraphrase_mining`` look for the nearest of every verse in the same vectors, each in a process of its own, loading
included. A pair counts as found if one of the two verses is among the nearest of the other. ``VERSES=FOLDER`` keeps the
vectors for the next time.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from bench.sword import PACKAGES, TEXTS, missing_packages, verses
from otherwords.digests import digest_hex
from otherwords.engine import cores
from otherwords.mining.encode import WINDOW
from otherwords.mining.mine import core_seconds
from otherwords.mining.neighbours.nearest import nearest_neighbours
from otherwords.mining.neighbours.options import NeighbourOptions
from otherwords.mining.vectors import FloatRows, VectorPlan, open_vectors, write_vectors
from otherwords.models.encoders.minilm_batches import MiniLMBatches

NEIGHBOURS = (5, 15)
RECALL = 0.95
LONGEST = 1_000  # characters; the last verse of one Bible is followed by a glossary
MOST_LOST = 0.01  # of the partners that all comparisons find
LEAST_FASTER = 10.0
SEED = 17


@dataclass(frozen=True, slots=True)
class PartnerSearch:
    """What one tool found, and what it took."""

    tool: str
    k: int
    found: float  # share of the pairs
    seconds: float
    core_seconds: float

    def show(self, own: PartnerSearch) -> None:
        ratio = f"{self.seconds / own.seconds:,.1f} ×"
        cores_ratio = f"{self.core_seconds / own.core_seconds:,.1f} ×"
        print(
            f"  {self.tool:<18}{self.k:>3}{self.found:>9.4f}{self.seconds:>10,.1f}{ratio:>9}"
            f"{self.core_seconds:>10,.1f}{cores_ratio:>9}",
            flush=True,
        )


TITLES = f"  {'tool':<18}{'k':>3}{'found':>9}{'seconds':>10}{'':>9}{'of cores':>10}"


def verse_pairs(folder: Path = TEXTS) -> tuple[list[str], list[str]]:
    """The verses that both Bibles have, each with its partner at the same place."""
    first, second = (verses(folder / name) for name in PACKAGES)
    names = [name for name in first if name in second and max(len(first[name]), len(second[name])) <= LONGEST]
    return [first[name] for name in names], [second[name] for name in names]


def write_verses(folder: Path, texts: list[str]) -> None:
    """The vectors of texts, in a folder that may hold them from an earlier run."""
    model = MiniLMBatches("exact")

    def encode(start: int, stop: int) -> Iterator[FloatRows]:
        for at in range(start, stop, WINDOW):
            yield model.vectors(texts[at : min(at + WINDOW, stop)])[0]

    signature = f"{model.signature}|texts:{digest_hex(*texts)}"
    plan = VectorPlan(
        dimension=model.dimension, rows=len(texts), encoder=signature, normalised=True, rows_per_shard=WINDOW
    )
    write_vectors(folder, encode, plan)


def search_ours(folder: Path, k: int) -> PartnerSearch:
    """Our own search, from files to files."""
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-") as out:
        start, used = time.perf_counter(), core_seconds()
        store = open_vectors(folder)
        lists = nearest_neighbours(store, Path(out), NeighbourOptions(k=k, recall=RECALL, seed=SEED))
        seconds, used = time.perf_counter() - start, core_seconds() - used
        partner = (np.arange(store.rows) + store.rows // 2) % store.rows
        near = (np.asarray(lists.ids) == partner[:, None]).any(axis=1)
    found = near[: store.rows // 2] | near[store.rows // 2 :]
    return PartnerSearch("otherwords", k, float(found.mean()), seconds, used)


def search_peer(folder: Path, k: int) -> PartnerSearch:
    """``paraphrase_mining`` of vectors; a row is among its own nearest there, so it is asked for one more."""
    import torch
    from sentence_transformers.util import paraphrase_mining_embeddings

    torch.set_num_threads(cores())
    start, used = time.perf_counter(), core_seconds()
    store = open_vectors(folder)
    vectors = torch.from_numpy(store.block(0, store.rows))
    pairs = paraphrase_mining_embeddings(vectors, top_k=k + 1, max_pairs=store.rows * (k + 1))
    seconds, used = time.perf_counter() - start, core_seconds() - used
    half = store.rows // 2
    found = len({min(row1, row2) for _, row1, row2 in pairs if abs(row1 - row2) == half})
    return PartnerSearch("paraphrase_mining", k, found / half, seconds, used)


def apart(search: Callable[[Path, int], PartnerSearch], folder: Path, k: int) -> PartnerSearch:
    """A search in a new process, which knows nothing of an earlier one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(search, folder, k).result()


def compare(folder: Path) -> bool:
    """Print a row for every search; whether the targets are reached."""
    store = open_vectors(folder)
    print(f"verses: {store.rows // 2:,} pairs among {store.rows:,} verses, {cores()} cores")
    print(TITLES)
    reached = True
    for k in NEIGHBOURS:
        own, peer = apart(search_ours, folder, k), apart(search_peer, folder, k)
        own.show(own)
        peer.show(own)
        reached &= own.found >= peer.found - MOST_LOST and peer.seconds >= LEAST_FASTER * own.seconds
    return reached


def run() -> bool:
    """Print what both tools find; whether the targets were reached."""
    if packages := missing_packages():
        print(f"verses: the Debian packages {' and '.join(packages)} are not installed")
        return True
    if missing := [name for name in ("sentence_transformers", "openvino") if find_spec(name) is None]:
        print(f"verses: {', '.join(missing)} not installed")
        return True
    first, second = verse_pairs()
    with tempfile.TemporaryDirectory(prefix="otherwords-bench-") as scratch:
        folder = Path(os.environ.get("VERSES") or scratch)
        write_verses(folder, first + second)
        return compare(folder)
