"""Classifiers that do not read the texts. A model that is not better than these has learnt nothing.

``always`` calls every pair a paraphrase, ``majority`` gives the most frequent label of the training part. On the QQP
part of RuPAWS, ``always`` scores exactly what one of the paper's models does (Martynov et al. 2022, Table 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa

from otherwords.errors import DataError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import NOT_ASKED, LabelTask, Probabilities, is_positive
from otherwords.learn.ladder import ClassifierKind, TrainingContext
from otherwords.project.pipeline.parameters import Parameters

FILE = "label.json"


class NoOptions(Parameters, frozen=True, kw_only=True):
    """There is nothing to choose."""


@dataclass(frozen=True, slots=True)
class ConstantClassifier:
    """Gives every pair the same label."""

    task: LabelTask
    label: str

    def probabilities(self, texts1: pa.Array, texts2: pa.Array) -> list[Probabilities]:
        classes = self.task.targets([self.label])[0]
        tables = []
        for head, number in zip(self.task.heads, classes.tolist(), strict=True):
            table = np.zeros((len(texts1), len(head.classes)))
            table[:, 0 if number == NOT_ASKED else number] = 1.0
            tables.append(table)
        return tables

    def save(self, folder: Path) -> None:
        (folder / FILE).write_bytes(msgspec.json.encode({"label": self.label}))


def _always(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: NoOptions, context: TrainingContext
) -> ConstantClassifier:
    """The most frequent positive label of the training part."""
    positive = [label for label in train.counts() if is_positive(label)]
    if not positive:
        raise DataError("no training pair has a positive label", code="no-positives")
    return ConstantClassifier(task, positive[0])


def _majority(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: NoOptions, context: TrainingContext
) -> ConstantClassifier:
    return ConstantClassifier(task, next(iter(train.counts())))


def _load(folder: Path, task: LabelTask, options: NoOptions, context: TrainingContext) -> ConstantClassifier:
    return ConstantClassifier(task, msgspec.json.decode((folder / FILE).read_bytes())["label"])


ALWAYS = ClassifierKind("always", "calls every pair a paraphrase", NoOptions, _always, _load)
MAJORITY = ClassifierKind("majority", "gives the most frequent label", NoOptions, _majority, _load)
