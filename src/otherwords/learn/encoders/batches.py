"""Batches in which no two texts are members of one cluster of paraphrases, but the two of a positive pair.

In a contrastive training every other text of a batch is a negative of an anchor, so a second paraphrase of it would
teach the opposite of what is meant. A cluster with more pairs than there are batches cannot be used whole in an epoch:
other pairs of it have their turn in the next. Seed and epoch decide on the order, and nothing else does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
ORDER_STREAM, SHUFFLE_STREAM = 2, 3  # of random numbers; 0 and 1 are those of other batches


def cluster_batches(
    clusters: Sequence[tuple[int, ...]], size: int, seed: int, epoch: int
) -> tuple[list[list[int]], int]:
    """The rows of an epoch in batches, and how many rows have no place in it; ``clusters`` are those of each row."""
    first = np.array([row[0] for row in clusters], np.int64)
    _, of_row, sizes = np.unique(first, return_inverse=True, return_counts=True)
    count = batch_count(sizes, size)
    order = np.random.default_rng([seed, epoch, ORDER_STREAM]).permutation(len(clusters))
    waiting = deque(int(row) for row in order)
    queues: dict[int, deque[int]] = {}
    for row in waiting:
        queues.setdefault(int(of_row[row]), deque()).append(row)
    left, placed = np.minimum(sizes, count), np.zeros(len(clusters), np.bool_)
    batches: list[list[int]] = []
    for remaining in range(count, 0, -1):
        batch: list[int] = []
        used: set[int] = set()
        # A cluster that needs all batches that are left comes first, or some of its pairs would have no place.
        for cluster in np.flatnonzero(left >= remaining).tolist():
            needed = _next(queues[cluster], placed)
            if needed is not None and len(batch) < size and used.isdisjoint(clusters[needed]):
                _place(needed, clusters, batch, used, placed)
                left[cluster] -= 1
        passed: list[int] = []
        while waiting and len(batch) < size:
            row = waiting.popleft()
            if placed[row] or not left[of_row[row]]:
                continue
            if used.isdisjoint(clusters[row]):
                _place(row, clusters, batch, used, placed)
                left[of_row[row]] -= 1
            else:
                passed.append(row)
        waiting.extendleft(reversed(passed))
        batches.append(batch)
    kept = [batch for batch in batches if len(batch) > 1]
    shuffled = np.random.default_rng([seed, epoch, SHUFFLE_STREAM]).permutation(len(kept))
    return [kept[number] for number in shuffled], len(clusters) - sum(map(len, kept))


def batch_count(sizes: Numbers, size: int) -> int:
    """How many batches the pairs of clusters of these sizes can fill, the last of them at least by half."""
    low, high = 1, -(-int(sizes.sum()) // size)
    while low < high:
        middle = (low + high + 1) // 2
        enough = int(np.minimum(sizes, middle).sum()) >= (middle - 1) * size + max(2, size // 2)
        low, high = (middle, high) if enough else (low, middle - 1)
    return low


def collisions(batch: Iterable[tuple[int, ...]]) -> int:
    """How many clusters have members in more than one row of a batch; it has to be 0."""
    seen: set[int] = set()
    twice = 0
    for row in batch:
        twice += len(seen.intersection(row))
        seen.update(row)
    return twice


def _next(queue: deque[int], placed: NDArray[np.bool_]) -> int | None:
    while queue and placed[queue[0]]:
        queue.popleft()
    return queue[0] if queue else None


def _place(
    row: int, clusters: Sequence[tuple[int, ...]], batch: list[int], used: set[int], placed: NDArray[np.bool_]
) -> None:
    batch.append(row)
    used.update(clusters[row])
    placed[row] = True
