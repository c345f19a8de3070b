"""Which pairs are computed together: those of similar length, so that little is padded, in an order by the seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Rows: TypeAlias = npt.NDArray[np.int64]
BATCHES_PER_BUCKET = 50  # a bucket is sorted by length, so its batches are as alike as the order stays random


def epoch_batches(lengths: Rows, size: int, seed: int, epoch: int) -> list[Rows]:
    """All rows in batches of similar length; seed and epoch decide on the order, and nothing else does."""
    random = np.random.default_rng([seed, epoch, 0])
    order = random.permutation(len(lengths))
    batches: list[Rows] = []
    for start in range(0, len(order), size * BATCHES_PER_BUCKET):
        bucket = order[start : start + size * BATCHES_PER_BUCKET]
        bucket = bucket[np.argsort(lengths[bucket], kind="stable")]
        batches += [bucket[place : place + size] for place in range(0, len(bucket), size)]
    return [batches[number] for number in random.permutation(len(batches))]


def swapped_rows(count: int, seed: int, epoch: int) -> npt.NDArray[np.bool_]:
    """Which pairs are shown the other way round in an epoch: about half."""
    return np.random.default_rng([seed, epoch, 1]).random(count) < 0.5


def budget_batches(lengths: Rows, tokens: int) -> Iterator[Rows]:
    """All rows, the shortest first, in batches that have at most so many tokens with their padding."""
    order = np.argsort(lengths, kind="stable")
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and lengths[order[end]] * (end + 1 - start) <= tokens:
            end += 1
        yield order[start:end]
        start = end
