"""Models that write, as the training loop knows them: tokens of sources and outputs in, losses out.

A causal model reads the prompt and the output as one text and learns the output alone; an encoder-decoder reads the
prompt and writes the output. Every pair counts the same, however long it is. Pairs that are too long are never cut: an
output without its end would teach a model not to end.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from otherwords.learn.generation.training.options import GeneratorKind
from otherwords.learn.neural.batches import TOKENS, PreparedPairs, Rows, budget_batches
from otherwords.learn.neural.loop import DevResult
from otherwords.learn.prompt_files import filled
from otherwords.models.edges import well_formed
from otherwords.records import Pair

IGNORED = -100  # of labels that are not learnt
MOST_LOSS = 80.0  # of a token; e to this power is still a number


@dataclass(frozen=True, slots=True)
class SourceReader:
    """Makes pairs into tokens."""

    tokenizer: Any
    template: str
    kind: GeneratorKind
    longest: int

    def fitting(self, pairs: Sequence[Pair]) -> list[int]:
        """Which pairs are short enough."""
        return [row for row, pair in enumerate(pairs) if max(map(len, self._tokens(pair))) <= self.longest]

    def prepare(self, pairs: Sequence[Pair]) -> PreparedPairs:
        """Pairs for the loop."""
        tokens = [self._tokens(pair) for pair in pairs]
        pad = self.tokenizer.pad_token_id
        fillers = {"input_ids": self.tokenizer.eos_token_id if pad is None else pad, "labels": IGNORED}

        def arrays(rows: Rows, swapped: npt.NDArray[np.bool_] | None) -> dict[str, npt.NDArray[np.generic]]:
            chosen = [tokens[row] for row in rows.tolist()]
            found: dict[str, npt.NDArray[np.generic]] = {}
            for place, (name, filler) in enumerate(fillers.items()):
                found[name] = _padded([row[place] for row in chosen], filler)
            found["attention_mask"] = _padded([[1] * len(row[0]) for row in chosen], 0)
            return found

        return PreparedPairs(np.array([max(map(len, row)) for row in tokens], np.int64), arrays)

    def _tokens(self, pair: Pair) -> tuple[list[int], list[int]]:
        """What is read, and what is to be learnt."""
        prompt = filled(self.template, {"source": well_formed(pair.text1)})
        read = list(self.tokenizer(prompt)["input_ids"])
        output = list(self.tokenizer(well_formed(pair.text2), add_special_tokens=False)["input_ids"])
        written = [*output, self.tokenizer.eos_token_id]
        if self.kind == "encoder-decoder":
            return read, written
        return read + written, [IGNORED] * len(read) + written


class ParaphraseWriter(nn.Module):  # type: ignore[misc]
    """A model whose loss is that of the output; ``causal`` models predict the token after each one."""

    def __init__(self, model: Any, causal: bool) -> None:
        super().__init__()
        self.model, self.causal = model, causal

    def token_losses(self, batch: Mapping[str, Any]) -> tuple[Any, Any]:
        """For every pair, the losses of its tokens, summed, and how many they are."""
        inputs = {name: batch[name] for name in ("input_ids", "attention_mask")}
        labels = batch["labels"]
        if self.causal:
            logits, labels = self.model(**inputs, use_cache=False).logits[:, :-1], labels[:, 1:]
        else:
            logits = self.model(**inputs, labels=labels, use_cache=False).logits
        losses = functional.cross_entropy(
            logits.float().transpose(1, 2), labels, ignore_index=IGNORED, reduction="none"
        )
        return losses.sum(1), (labels != IGNORED).sum(1)

    def losses(self, batch: Mapping[str, Any], targets: Any, weights: Any) -> Any:
        """The mean loss of the tokens of each pair, summed over the pairs."""
        sums, counts = self.token_losses(batch)
        return (sums / counts).sum()

    def new_parameters(self) -> Iterator[Any]:
        return iter(())


def dev_perplexity(network: ParaphraseWriter, pairs: PreparedPairs, device: str) -> DevResult:
    """The perplexity of the outputs of the dev part, token by token; the lowest is the best."""
    network.eval()
    total, tokens = 0.0, 0
    with torch.inference_mode():
        for rows in budget_batches(pairs.lengths, TOKENS[device]):
            sums, counts = network.token_losses(pairs.tensors(rows, device))
            total, tokens = total + float(sums.double().sum()), tokens + int(counts.sum())
    loss = total / tokens
    return DevResult({"perplexity": math.exp(min(loss, MOST_LOSS))}, loss, -loss)


def _padded(rows: Sequence[Sequence[int]], filler: int) -> npt.NDArray[np.int64]:
    table = np.full((len(rows), max(map(len, rows))), filler, np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table
