"""Pairs in batches: those of similar length together, so that little is padded, in an order by the seed.

What a network gives for pairs comes in their own order, however they are put into batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from otherwords.learn.data.task import Probabilities
from otherwords.learn.neural.devices import out_of_memory

Rows: TypeAlias = npt.NDArray[np.int64]
BATCHES_PER_BUCKET = 50  # a bucket is sorted by length, so its batches are as alike as the order stays random
TOKENS = {"cpu": 2_048, "cuda": 32_768}  # of a batch, with padding: what stays in the caches, or fills the card
Arrays = Callable[[Rows, npt.NDArray[np.bool_] | None], dict[str, npt.NDArray[Any]]]


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


@dataclass(frozen=True, slots=True)
class PreparedPairs:
    """Pairs as a network reads them: how long each is, and the arrays of some of them, swapped or not."""

    lengths: Rows
    arrays: Arrays

    def tensors(self, rows: Rows, device: str, swapped: npt.NDArray[np.bool_] | None = None) -> dict[str, Any]:
        return {name: torch.from_numpy(values).to(device) for name, values in self.arrays(rows, swapped).items()}


def class_probabilities(network: Any, pairs: PreparedPairs, device: str, tokens: int = 0) -> list[Probabilities]:
    """For every head of the network, a row per pair; if memory is too small for a batch, in smaller ones."""
    budget = tokens or TOKENS[device]
    try:
        return _tables(network, pairs, device, budget)
    except RuntimeError as problem:
        if not out_of_memory(problem) or budget <= pairs.lengths.max():
            raise
    return class_probabilities(network, pairs, device, budget // 2)


def _tables(network: Any, pairs: PreparedPairs, device: str, budget: int) -> list[Probabilities]:
    network.eval()
    tables: list[Probabilities] = []
    with torch.inference_mode():
        for rows in budget_batches(pairs.lengths, budget):
            for number, logits in enumerate(network.logits(pairs.tensors(rows, device))):
                if len(tables) <= number:
                    tables.append(np.zeros((len(pairs.lengths), logits.shape[1])))
                tables[number][rows] = torch.softmax(logits.double(), dim=1).cpu().numpy()
    return tables
