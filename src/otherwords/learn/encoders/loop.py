"""The training loop of encoders.

AdamW with a rate that rises and then falls to zero, as for classifiers. After each epoch the pairs of the dev part are
looked for among its texts, and the weights that find most of them at the first place are kept. A training that was
killed goes on from its last checkpoint and ends, on a processor, with the same weights to the bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np
import torch

from otherwords.errors import UsageError
from otherwords.learn.encoders.batches import cluster_batches, collisions
from otherwords.learn.encoders.hard_negatives import HardNegatives
from otherwords.learn.encoders.mixes import TrainingMix
from otherwords.learn.encoders.network import EncoderNetwork, TextBatch
from otherwords.learn.encoders.options import EncoderRequest
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.neural.batches import swapped_rows
from otherwords.learn.neural.checkpoints import Position, load_checkpoint, save_checkpoint
from otherwords.learn.neural.devices import out_of_memory, seeded, use_threads
from otherwords.learn.neural.loop import optimiser_of, rate_factor
from otherwords.learn.neural.options import LoopOptions
from otherwords.mining.rank import VectorCandidates
from otherwords.mining.ranks import HiddenPairs, retrieval_ranks

CHECKPOINT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class TrainingCounts:
    """What happened in the epochs: steps, clusters with several rows in a batch, and rows without a place in one."""

    steps: int
    collisions: int
    without_place: int
    best: dict[str, float]  # the point of the curve whose weights were kept
    first: dict[str, float]  # the base itself


class EncoderTraining:
    """A training that is under way."""

    def __init__(
        self,
        network: EncoderNetwork,
        mix: TrainingMix,
        hard: HardNegatives,
        dev: HiddenPairs,
        request: EncoderRequest,
        context: TrainingContext,
    ) -> None:
        self.network, self.mix, self.hard, self.dev = network, mix, hard, dev
        self.request, self.context = request, context
        self.rows = [(*mix.clusters(row), *hard.clusters[row]) for row in range(len(mix))]
        self.epochs = [
            cluster_batches(self.rows, request.batch, request.seed, epoch) for epoch in range(request.epochs)
        ]
        self.total = sum(len(batches) for batches, _ in self.epochs)
        options = LoopOptions(epochs=request.epochs, batch=request.batch, rate=request.rate)
        self.clip = options.clip
        self.optimiser = optimiser_of(network, options, options.head_rate)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimiser, lambda step: rate_factor(step, self.total, options.warmup)
        )
        self.position = Position()
        self.best: dict[str, Any] = {}
        self.saved_at = monotonic()

    def run(self) -> TrainingCounts:
        """Train to the end, from the last checkpoint if there is one."""
        self._resume()
        position = self.position
        if not position.curve:
            self._point(0, 0.0)
        while not position.finished:
            self._epoch()
            self._evaluate()
            self._save()
        self.network.load_state_dict(self.best)
        self.network.eval()
        trained = position.curve[1:]
        kept = max(trained, key=_quality) if len(self.dev) else trained[-1]
        batches = [batch for batches, _ in self.epochs for batch in batches]
        return TrainingCounts(
            steps=position.step,
            collisions=sum(collisions(self.rows[row] for row in batch) for batch in batches),
            without_place=sum(left for _, left in self.epochs),
            best=dict(kept),
            first=dict(position.curve[0]),
        )

    def _epoch(self) -> None:
        position = self.position
        batches, _ = self.epochs[position.epoch]
        swapped = swapped_rows(len(self.mix), self.request.seed, position.epoch)
        self.network.train()
        while position.batch < len(batches):
            position.loss += self._step(batches[position.batch], swapped)
            position.batch += 1
            position.step += 1
            self.context.progress(position.step, self.total)
            if monotonic() - self.saved_at >= CHECKPOINT_SECONDS:
                self._save()

    def _step(self, batch: list[int], swapped: Any) -> float:
        self.optimiser.zero_grad(set_to_none=True)
        try:
            loss = self.network.loss(self._texts(batch, swapped))
            if loss.requires_grad:
                loss.backward()
        except (RuntimeError, MemoryError) as problem:
            if not out_of_memory(problem):
                raise
            message = f"a batch of {len(batch):,} pairs does not fit into memory; use a smaller --batch or --length"
            raise UsageError(message, code="out-of-memory") from None
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.clip)
        self.optimiser.step()
        self.schedule.step()
        return float(loss.detach()) * len(batch)

    def _texts(self, batch: list[int], swapped: Any) -> TextBatch:
        texts = TextBatch([], [], [])
        for row in batch:
            pair = self.mix.pairs[row]
            # Hard negatives are those of the first text, which therefore stays the anchor.
            ends = (pair.text2, pair.text1) if swapped[row] and not self.hard.texts[row] else (pair.text1, pair.text2)
            if self.mix.positive[row]:
                texts.positives.append(ends)
                texts.hard.append(self.hard.texts[row])
            else:
                texts.negatives.append(ends)
        each = min(map(len, texts.hard), default=0)  # columns of a batch are whole
        return replace(texts, hard=[hard[:each] for hard in texts.hard])

    def _evaluate(self) -> None:
        """Look for the pairs of the dev part at the end of an epoch; the best weights are kept."""
        position = self.position
        rows = sum(map(len, self.epochs[position.epoch][0]))
        point = self._point(position.epoch + 1, position.loss / max(1, rows))
        if not len(self.dev) or position.best is None or _quality(point) > position.best:
            position.best = _quality(point)
            self.best = {name: value.detach().cpu().clone() for name, value in self.network.state_dict().items()}
        position.epoch, position.batch, position.loss = position.epoch + 1, 0, 0.0
        position.finished = position.epoch >= self.request.epochs

    def _point(self, epoch: int, loss: float) -> dict[str, int | float]:
        point: dict[str, int | float] = {"step": self.position.step, "epoch": epoch, "train_loss": loss}
        if len(self.dev):
            point |= dev_scores(self.network.vectors, self.dev)
        self.position.curve.append(point)
        self.context.curve(point)
        return point

    def _save(self) -> None:
        self.saved_at = monotonic()
        if self.context.checkpoints is not None:
            states = {"network": self.network, "optimiser": self.optimiser, "schedule": self.schedule}
            saved = {name: part.state_dict() for name, part in states.items()}
            save_checkpoint(self.context.checkpoints, self.position, saved | {"best": self.best})

    def _resume(self) -> None:
        found = load_checkpoint(self.context.checkpoints) if self.context.checkpoints is not None else None
        if found is None:
            return
        self.position, saved = found
        self.network.load_state_dict(saved["network"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.schedule.load_state_dict(saved["schedule"])
        self.best = saved["best"]
        for point in self.position.curve:
            self.context.curve(point)
        self.context.progress(self.position.step, self.total)


def fit_encoder(
    network: EncoderNetwork,
    mix: TrainingMix,
    hard: HardNegatives,
    dev: HiddenPairs,
    request: EncoderRequest,
    context: TrainingContext,
) -> TrainingCounts:
    """Train an encoder; it ends with the weights that were best on the dev part."""
    use_threads(0)
    with seeded(request.seed):
        return EncoderTraining(network, mix, hard, dev, request, context).run()


def dev_scores(vectors: Callable[..., Any], dev: HiddenPairs) -> dict[str, float]:
    """The share of pairs of which the second text is found at the first place, and the mean of 1 / rank."""
    found = retrieval_ranks(VectorCandidates(vectors(dev.texts)), dev)
    return {"dev_top1": float((found.ranks == 1).mean()), "dev_mrr": float(np.mean(1 / found.ranks))}


def _quality(point: dict[str, int | float]) -> tuple[float, float]:
    return float(point.get("dev_top1", 0.0)), float(point.get("dev_mrr", 0.0))
