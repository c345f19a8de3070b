"""The vectors of a pool on a cluster: every shard is a task that reads the pool and writes its own file.

On one machine an encoder has all cores and :mod:`otherwords.mining.encode` goes through the shards one by one. Here
each task loads the encoder for itself, once a process, and computes the windows that a shard has anywhere, so that the
files have the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

import msgspec

from otherwords.engine import Progress
from otherwords.errors import DataError
from otherwords.mining.encode import (
    BatchEncoder,
    EncodedPool,
    EncoderTier,
    PoolEncoder,
    Rows,
    choose_encoder,
    encoded_rows,
    store_signature,
    vector_plan,
)
from otherwords.mining.pool.folder import Pool, open_pool
from otherwords.mining.vectors import VectorPlan, VectorShard, finish_vectors, start_vectors, write_shard
from otherwords.ray_engine import RayEngine


class EncodeTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker needs to know to compute any shard."""

    pool: str
    vectors: str
    encoder: str | None
    tier: EncoderTier
    plan: VectorPlan


class EncodedShard(msgspec.Struct, frozen=True):
    """A shard, how many of its texts have no vector for which reason, and how many rows were computed for it."""

    shard: VectorShard
    reasons: dict[str, int]
    computed: int


def encode_on_cluster(
    pool: Pool,
    folder: Path,
    encoder: PoolEncoder,
    name: str | None,
    tier: EncoderTier,
    cluster: RayEngine,
    progress: Progress = lambda done, total: None,
) -> EncodedPool:
    """Write the vectors of all sentences of a pool; ``name`` and ``tier`` are what ``encoder`` was chosen by."""
    plan = vector_plan(pool, encoder)
    task = EncodeTask(pool=str(pool.folder), vectors=str(folder), encoder=name, tier=tier, plan=plan)
    start_vectors(folder, plan)
    engine = cluster.whole_nodes() if isinstance(encoder, BatchEncoder) else cluster
    shards: list[VectorShard] = []
    reasons: Counter[str] = Counter()
    computed = 0
    for found in engine.map(partial(encode_shard, task), range(plan.shards)):
        shards.append(found.shard)
        reasons.update(found.reasons)
        computed += found.computed
        progress(plan.span(len(shards) - 1)[1], plan.rows)
    return EncodedPool(finish_vectors(folder, plan, shards), reasons, computed)


def encode_shard(task: EncodeTask, number: int) -> EncodedShard:
    """Compute one shard unless it is there."""
    pool = open_pool(Path(task.pool))
    reasons: Counter[str] = Counter()
    computed = 0

    def encode(start: int, stop: int) -> Iterator[Rows]:
        nonlocal computed
        encoder = _encoder(task.pool, pool.digest, task.encoder, task.tier)
        if (signature := store_signature(pool, encoder)) != task.plan.encoder:
            message = f"the encoder of this node is {signature}, not {task.plan.encoder}; install the same on all nodes"
            raise DataError(message, task.vectors, code="vectors-encoder")
        for rows, unread in encoded_rows(pool, encoder, start, stop):
            reasons.update(unread)
            computed += len(rows)
            yield rows

    shard = write_shard(Path(task.vectors), task.plan, number, encode)
    return EncodedShard(shard, dict(reasons), computed)


@lru_cache(maxsize=1)
def _encoder(pool: str, digest: str, name: str | None, tier: EncoderTier) -> PoolEncoder:
    """The encoder of a pool, which is loaded once in a process; the digest tells pools in one folder apart."""
    opened = open_pool(Path(pool))
    assert opened.digest == digest
    return choose_encoder(opened, name, tier, 1)
