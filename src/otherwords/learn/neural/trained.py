"""Trained networks as classifiers, and what all kinds of them do around the training loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from otherwords.labels import is_label, parse_label
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import NEG, NEGATIVE, POSITIVE, LabelTask, Probabilities
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.neural.base_models import load_encoder, load_tokenizer, longest_input
from otherwords.learn.neural.batches import PreparedPairs, Rows, class_probabilities
from otherwords.learn.neural.devices import chosen_device, seeded
from otherwords.learn.neural.loop import Targets, TrainingPairs, fit
from otherwords.learn.neural.networks import PooledEncoder
from otherwords.learn.neural.options import LoopOptions, PairEncoderOptions
from otherwords.learn.neural.pair_tokens import TokenReader, frame_of
from otherwords.learn.neural.saving import POOLED, HeadsConfig, save_heads, write_card


class PairReader(Protocol):
    """Makes texts into what a network reads, and counts the pairs that were too long."""

    def prepare(self, texts1: Sequence[str], texts2: Sequence[str]) -> tuple[PreparedPairs, Rows]:
        """The pairs, and the rows whose end was cut off."""

    @property
    def limit(self) -> str:
        """How long a pair may be, in words."""


@dataclass(frozen=True, slots=True)
class NeuralClassifier:
    """A trained network; ``complete`` is whether it has one head over complete labels."""

    task: LabelTask
    network: Any
    reader: PairReader
    write: Callable[[Any, Path], None]
    complete: bool = False
    device: str = "cpu"
    cut: Counter[str] = field(default_factory=Counter)  # pairs that were too long to be read whole, by the limit

    def probabilities(self, texts1: pa.Array, texts2: pa.Array) -> list[Probabilities]:
        pairs, cut = self.reader.prepare(texts1.to_pylist(), texts2.to_pylist())
        self.cut[self.reader.limit] += len(cut)
        return self.heads(class_probabilities(self.network, pairs, self.device))

    def heads(self, tables: list[Probabilities]) -> list[Probabilities]:
        """The heads of the task, from those of the network."""
        return self.task.margins(tables[0]) if self.complete else tables

    def save(self, folder: Path) -> None:
        self.write(self, folder)


def pooled_classifier(
    folder: Path,
    task: LabelTask,
    pooling: str,
    heads: Mapping[str, tuple[str, ...]],
    title: str,
    options: PairEncoderOptions,
    context: TrainingContext,
    *,
    complete: bool = False,
) -> NeuralClassifier:
    """A classifier on the encoder in a folder, with heads that have learnt nothing yet."""
    device = chosen_device(context.device)
    tokenizer = load_tokenizer(folder)
    with seeded(context.seed):
        encoder = load_encoder(folder)
        network = PooledEncoder(encoder, pooling, {name: len(classes) for name, classes in heads.items()})
    length = longest_input(tokenizer, encoder, options.length)

    def write(classifier: Any, target: Path) -> None:
        classifier.network.encoder.save_pretrained(target)
        tokenizer.save_pretrained(target)
        save_heads(classifier.network, HeadsConfig(pooling, length, dict(heads)), target)
        write_card(target, title, task, options.base, POOLED.format())

    reader = TokenReader(tokenizer, frame_of(tokenizer, folder), length)
    return NeuralClassifier(task, network.to(device), reader, write, complete, device)


def train_classifier(
    classifier: NeuralClassifier,
    train: LabelledPairs,
    dev: LabelledPairs,
    options: LoopOptions,
    context: TrainingContext,
) -> NeuralClassifier:
    """Train the network of a classifier that has learnt nothing yet."""
    task, complete = classifier.task, classifier.complete
    mirrored = _mirrored_labels(task)
    if options.swap and mirrored is None:
        context.note("pairs are not shown the other way round: nobody knows what their labels would be")
    parts = []
    for examples, part in ((train, "training"), (dev, "dev")):
        pairs, cut = classifier.reader.prepare(*(column.to_pylist() for column in examples.texts))
        if len(cut):
            context.note(
                f"{len(cut):,} of {len(examples):,} {part} pairs are longer than {classifier.reader.limit}; "
                "the ends of their texts were not read"
            )
        other = (
            None if mirrored is None else class_targets(task, [mirrored[label] for label in examples.labels], complete)
        )
        parts.append(TrainingPairs(pairs, class_targets(task, examples.labels, complete), other))
    gold = np.array([task.labels.index(label) for label in dev.labels])

    def scores(tables: list[Probabilities]) -> dict[str, float]:
        labels = task.decode(classifier.heads(tables))
        predicted = np.array([task.labels.index(label) for label in labels])
        return selection_scores(gold, predicted, binary=task.name == "binary")

    fit(classifier.network, parts[0], parts[1], scores, options, context)
    return replace(classifier, device=chosen_device(context.device))


def class_targets(task: LabelTask, labels: Sequence[str], complete: bool) -> Targets:
    """The class of every head of the network for each label."""
    if not complete:
        return task.targets(labels)
    return np.array([[task.labels.index(label)] for label in labels], np.int64)


def selection_scores(gold: Rows, predicted: Rows, *, binary: bool) -> dict[str, float]:
    """Accuracy and F1: that of the positive class, or of all labels weighted by how frequent they are."""
    total = 0.0
    labels = np.array([1]) if binary else np.unique(gold)
    for label in labels:
        right = int(((gold == label) & (predicted == label)).sum())
        score = 2 * right / max(1, int((gold == label).sum()) + int((predicted == label).sum()))
        total += score * (1.0 if binary else float((gold == label).mean()))
    return {"f1": total, "accuracy": float((gold == predicted).mean())}


def _mirrored_labels(task: LabelTask) -> dict[str, str] | None:
    """The label of each pair the other way round; None where labels are of an unknown scheme."""
    mirrored = {}
    for label in task.labels:
        if label in (POSITIVE, NEGATIVE, NEG):
            mirrored[label] = label
        elif is_label(label):
            mirrored[label] = str(parse_label(label).mirror())
        else:
            return None
    return mirrored
