"""The ladder: classifiers by name, from one that always says yes to a transformer, each with typed options.

A kind trains on examples and gives a :class:`PairClassifier`, which gives the probabilities of every head of the task
(:mod:`otherwords.learn.data.task`), saves itself into a folder and is loaded from there. Nothing is chosen on test
data: a kind sees the training part and the dev part and no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import pyarrow as pa

from otherwords.engine import Progress
from otherwords.errors import RecipeError, UsageError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import LabelTask, Probabilities
from otherwords.models.edges import Device
from otherwords.project.pipeline.parameters import Parameters, parameters_of
from otherwords.registry import Registry

Options = TypeVar("Options", bound=Parameters)


class PairClassifier(Protocol):
    """A trained classifier."""

    @property
    def task(self) -> LabelTask: ...

    def probabilities(self, texts1: pa.Array, texts2: pa.Array) -> list[Probabilities]:
        """For every head, a row per pair with the probability of each class; rows sum to 1."""

    def save(self, folder: Path) -> None:
        """Write all that :attr:`ClassifierKind.load` needs."""


@dataclass(frozen=True, slots=True)
class TrainingContext:
    """Where a training runs: its seed, its device, and a folder in which a killed one finds what it had done."""

    seed: int = 0
    lang: str | None = None
    device: Device = "auto"
    checkpoints: Path | None = None
    progress: Progress = lambda done, total: None
    note: Callable[[str], None] = lambda message: None  # for what a reader of the scores has to know
    curve: Callable[[Mapping[str, float]], None] = lambda point: None  # step, train_loss, dev_loss, dev_accuracy …


@dataclass(frozen=True, slots=True)
class ClassifierKind(Generic[Options]):
    """One rung of the ladder; ``extra`` is what has to be installed for it."""

    name: str
    title: str
    options: type[Options]
    train: Callable[[LabelTask, LabelledPairs, LabelledPairs, Options, TrainingContext], PairClassifier]
    load: Callable[[Path, LabelTask, Options, TrainingContext], PairClassifier]
    extra: str | None = None
    binary_only: bool = False
    begins_with: Callable[[Options], Path | None] = lambda options: None  # what is trained further, outside the run

    def decode(self, values: Mapping[str, Any]) -> Options:
        """The options out of ``--set`` or a recipe."""
        try:
            return parameters_of(self.name, self.options, values)
        except RecipeError as problem:
            raise UsageError(str(problem), code=problem.code) from None


LADDER: Registry[ClassifierKind[Any]] = Registry(
    "classifier",
    {
        "always": "otherwords.learn.classifiers.trivial:ALWAYS",
        "majority": "otherwords.learn.classifiers.trivial:MAJORITY",
        "overlap": "otherwords.learn.classifiers.threshold:OVERLAP",
        "bow": "otherwords.learn.classifiers.bow:BOW",
        "features": "otherwords.learn.classifiers.feature_model:FEATURES",
        "bilstm": "otherwords.learn.classifiers.bilstm:BILSTM",
        "transformer": "otherwords.learn.classifiers.transformer:TRANSFORMER",
        "four-heads": "otherwords.learn.classifiers.four_heads:FOUR_HEADS",
        "text-to-text": "otherwords.learn.classifiers.text_to_text:TEXT_TO_TEXT",
    },
    group="otherwords.trainable_classifiers",
)


def trivial_rungs(names: Sequence[str]) -> list[str]:
    """The rungs that stand beside every other: what a model is worth shows only in comparison with them."""
    return [name for name in ("always", "majority") if name not in names]
