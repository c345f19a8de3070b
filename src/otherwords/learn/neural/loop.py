"""The training loop of all networks: classifiers, and models that write.

AdamW with a rate that rises and then falls to zero, batches of similar length, and after each epoch the dev part, which
decides when to stop and which weights are kept. What happened is in a checkpoint at times; a training that was killed
goes on from there and ends, on a processor, with the same weights to the bit. Runs depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from otherwords.learn.data.task import NOT_ASKED, Probabilities
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.neural.batches import PreparedPairs, Rows, class_probabilities, epoch_batches, swapped_rows
from otherwords.learn.neural.checkpoints import Position, load_checkpoint, save_checkpoint
from otherwords.learn.neural.devices import (
    chosen_device,
    does_not_fit,
    out_of_memory,
    precision_of,
    seeded,
    use_threads,
)
from otherwords.learn.neural.options import LoopOptions, OptimiserOptions

CHECKPOINT_SECONDS = 120.0
Targets = npt.NDArray[np.int64]  # a row per pair, a column per head
Scores = Callable[[list[Probabilities]], Mapping[str, float]]  # f1 and accuracy of the dev part


@dataclass(frozen=True, slots=True)
class TrainingPairs:
    """Pairs with the class of every head; ``mirrored`` are those of the pairs the other way round, if they have any."""

    pairs: PreparedPairs
    targets: Targets
    mirrored: Targets | None = None


@dataclass(frozen=True, slots=True)
class DevResult:
    """How a network does on the dev part; the epoch with the highest ``choice`` is kept."""

    scores: Mapping[str, float]
    loss: float
    choice: float


def fit(
    network: Any,
    train: TrainingPairs,
    dev: TrainingPairs,
    scores: Scores,
    options: LoopOptions,
    context: TrainingContext,
) -> None:
    """Train a classifier; it ends with the weights that scored best on the dev part."""
    device = chosen_device(context.device)

    def assess() -> DevResult:
        heads = class_probabilities(network, dev.pairs, device)
        found = scores(heads)
        return DevResult(found, mean_loss(heads, dev.targets), found[options.select])

    shown = train if options.swap else replace(train, mirrored=None)
    weights = class_weights(network, train.targets, device) if options.class_weights else None
    train_network(network, shown, assess, options, context, options.head_rate, weights)


def train_network(
    network: Any,
    train: TrainingPairs,
    assess: Callable[[], DevResult],
    options: OptimiserOptions,
    context: TrainingContext,
    new_rate: float,
    weights: list[Any] | None = None,
) -> None:
    """Train any network that has ``losses`` and ``new_parameters``, which learn at ``new_rate``."""
    use_threads(options.threads)
    with seeded(context.seed):
        Training(network, train, assess, options, context, new_rate, weights).run()


class Training:
    """A training that is under way."""

    def __init__(
        self,
        network: Any,
        train: TrainingPairs,
        assess: Callable[[], DevResult],
        options: OptimiserOptions,
        context: TrainingContext,
        new_rate: float,
        weights: list[Any] | None,
    ) -> None:
        self.train, self.assess = train, assess
        self.options, self.context = options, context
        self.device = chosen_device(context.device)
        self.precision = precision_of(self.device)
        self.network = network.to(self.device)
        self.steps_per_epoch = -(-len(train.targets) // (options.batch * options.accumulate))
        self.total = self.steps_per_epoch * options.epochs
        self.optimiser = optimiser_of(network, options, new_rate)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimiser, lambda step: rate_factor(step, self.total, options.warmup)
        )
        self.scaler = torch.amp.GradScaler(self.device, enabled=self.precision.scaled)
        self.weights = weights
        self.frozen = {
            name for name, value in network.named_parameters(remove_duplicate=False) if not value.requires_grad
        }
        self.position = Position()
        self.best: dict[str, Any] = {}
        self.saved_at = monotonic()

    def run(self) -> None:
        """Train to the end, from the last checkpoint if there is one."""
        self._resume()
        while not self.position.finished:
            self._epoch()
            self._evaluate()
            self._save()
        self._load(self.best)
        self.network.eval()

    def _epoch(self) -> None:
        options, position = self.options, self.position
        batches = epoch_batches(self.train.pairs.lengths, options.batch, self.context.seed, position.epoch)
        swapped = None
        if self.train.mirrored is not None:
            swapped = swapped_rows(len(self.train.targets), self.context.seed, position.epoch)
        self.network.train()
        while position.batch < len(batches):
            group = batches[position.batch : position.batch + options.accumulate]
            position.loss += self._step(group, swapped)
            position.batch += len(group)
            position.step += 1
            self.context.progress(position.step, self.total)
            if monotonic() - self.saved_at >= CHECKPOINT_SECONDS:
                self._save()

    def _step(self, group: Sequence[Rows], swapped: npt.NDArray[np.bool_] | None) -> float:
        """One step of the optimiser; the loss, summed over the pairs."""
        pairs = sum(map(len, group))
        self.optimiser.zero_grad(set_to_none=True)
        total = 0.0
        for rows in group:
            try:
                total += self._backward(rows, swapped, pairs)
            except (RuntimeError, MemoryError) as problem:
                if not out_of_memory(problem):
                    raise
                length = int(self.train.pairs.lengths[rows].max())
                refused = does_not_fit(len(rows), length, lambda size: self._backward(rows[:size], swapped, pairs))  # noqa: B023
                raise refused from None
        self.scaler.unscale_(self.optimiser)
        if self.options.clip:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.options.clip)
        self.scaler.step(self.optimiser)
        self.scaler.update()
        self.schedule.step()
        return total

    def _backward(self, rows: Rows, swapped: npt.NDArray[np.bool_] | None, pairs: int) -> float:
        sides = None if swapped is None else swapped[rows]
        targets = self.train.targets[rows]
        if sides is not None and self.train.mirrored is not None:
            targets = np.where(sides[:, None], self.train.mirrored[rows], targets)
        batch = self.train.pairs.tensors(rows, self.device, sides)
        with self._autocast():
            losses = self.network.losses(batch, torch.from_numpy(targets).to(self.device), self.weights)
        self.scaler.scale(losses / pairs).backward()
        return float(losses.detach())

    def _autocast(self) -> Any:
        if self.precision.type is None:
            return nullcontext()
        return torch.autocast(self.device, dtype=getattr(torch, self.precision.type))

    def _evaluate(self) -> None:
        """Ask the dev part at the end of an epoch, and decide whether to go on."""
        position = self.position
        found = self.assess()
        score, loss = found.choice, found.loss
        position.curve.append(
            {
                "step": position.step,
                "epoch": position.epoch + 1,
                "train_loss": position.loss / len(self.train.targets),
                "dev_loss": loss,
                **{f"dev_{name}": value for name, value in found.scores.items()},
            }
        )
        self.context.curve(position.curve[-1])
        better = position.best is None or score > position.best[0]
        position.waited = 0 if better else position.waited + 1
        if position.best is None or (score, -loss) > position.best:
            position.best = (score, -loss)
            self.best = {name: value.detach().cpu().clone() for name, value in self._learnt().items()}
        position.epoch, position.batch, position.loss = position.epoch + 1, 0, 0.0
        stop = self.options.patience and position.waited >= self.options.patience
        position.finished = bool(stop) or position.epoch >= self.options.epochs

    def _learnt(self) -> dict[str, Any]:
        """The weights that a training changes; the frozen ones of a large model need not be kept again and again."""
        return {name: value for name, value in self.network.state_dict().items() if name not in self.frozen}

    def _load(self, weights: dict[str, Any]) -> None:
        self.network.load_state_dict(weights, strict=not self.frozen)

    def _save(self) -> None:
        self.saved_at = monotonic()
        if self.context.checkpoints is None:
            return
        states = {
            "optimiser": self.optimiser,
            "schedule": self.schedule,
            "scaler": self.scaler,
        }
        saved = {name: part.state_dict() for name, part in states.items()}
        save_checkpoint(self.context.checkpoints, self.position, saved | {"network": self._learnt(), "best": self.best})

    def _resume(self) -> None:
        found = load_checkpoint(self.context.checkpoints) if self.context.checkpoints is not None else None
        if found is None:
            return
        self.position, saved = found
        self._load(saved["network"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.schedule.load_state_dict(saved["schedule"])
        self.scaler.load_state_dict(saved["scaler"])
        self.best = saved["best"]
        for point in self.position.curve:
            self.context.curve(point)
        self.context.progress(self.position.step, self.total)


def optimiser_of(network: Any, options: OptimiserOptions, new_rate: float) -> Any:
    """AdamW; what is new learns at its own rate, and biases and the scales of layers do not decay."""
    new = {id(parameter) for parameter in network.new_parameters()}
    groups: dict[tuple[bool, bool], list[Any]] = {}
    for parameter in network.parameters():
        if parameter.requires_grad:
            groups.setdefault((id(parameter) in new, parameter.ndim > 1), []).append(parameter)
    return torch.optim.AdamW(
        [
            {
                "params": parameters,
                "lr": new_rate if is_new else options.rate,
                "weight_decay": options.weight_decay if decays else 0.0,
            }
            for (is_new, decays), parameters in groups.items()
        ],
        fused=True,
    )


def rate_factor(step: int, total: int, warmup: float) -> float:
    """The share of the full rate at a step: it rises in the warm-up, then falls in a line to zero."""
    rising = round(total * warmup)
    if step < rising:
        return (step + 1) / (rising + 1)
    return max(0.0, (total - step) / max(1, total - rising))


def class_weights(network: Any, targets: Targets, device: str) -> list[Any]:
    """For every head, a weight per class so that all classes count the same; 1 for a class without examples."""
    weights = []
    for number, classes in enumerate(network.classes):
        asked = targets[:, number][targets[:, number] != NOT_ASKED]
        counts = np.bincount(asked, minlength=classes)
        present = np.count_nonzero(counts) or 1
        values = np.where(counts > 0, len(asked) / (present * np.maximum(counts, 1)), 1.0)
        weights.append(torch.tensor(values, dtype=torch.float32, device=device))
    return weights


def mean_loss(heads: Sequence[Probabilities], targets: Targets) -> float:
    """The mean negative log-probability of the right classes, over the heads that are asked."""
    total = 0.0
    for number, head in enumerate(heads):
        rows = np.flatnonzero(targets[:, number] != NOT_ASKED)
        total -= float(np.log(np.clip(head[rows, targets[rows, number]], 1e-12, 1.0)).sum())
    return total / max(1, len(targets))
