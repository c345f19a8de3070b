"""The probabilities that a network gives, in the order of the pairs, however they are put into batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from otherwords.learn.data.task import Probabilities
from otherwords.learn.neural.batches import Rows, budget_batches
from otherwords.learn.neural.devices import out_of_memory

TOKENS = {"cpu": 2_048, "cuda": 32_768}  # of a batch, with padding: what stays in the caches, or fills the card
Arrays = Callable[[Rows, npt.NDArray[np.bool_] | None], dict[str, npt.NDArray[Any]]]


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
