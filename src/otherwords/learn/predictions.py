"""Predictions: what a classifier says about pairs whose label is known, as a table that other commands read.

Texts are not in the table: it names pairs by their ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.errors import DataError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.parts import LabelledParts
from otherwords.learn.data.task import LabelTask, Probabilities
from otherwords.learn.ladder import PairClassifier
from otherwords.sources.io.files import atomic_write

PAIRS_PER_BLOCK = 4096
_TASK = b"otherwords.task"
_TEST = b"otherwords.test"


class DecisionRule(msgspec.Struct, frozen=True):
    """How probabilities become labels; everything in it was chosen on the dev part."""

    temperatures: tuple[float, ...] = ()  # one for each head; none: the probabilities are taken as they are
    threshold: float = 0.5  # of the probability of a paraphrase, in a binary task
    jointly: bool = False  # decode the heads together

    def calibrated(self, heads: Sequence[Probabilities]) -> list[Probabilities]:
        """The probabilities after temperature scaling (Guo et al. 2017)."""
        if not self.temperatures:
            return list(heads)
        return [with_temperature(head, temperature) for head, temperature in zip(heads, self.temperatures, strict=True)]

    def labels(self, task: LabelTask, heads: Sequence[Probabilities]) -> list[str]:
        """The labels by calibrated probabilities."""
        if task.name != "binary":
            return task.decode(heads, jointly=self.jointly)
        return [task.labels[int(yes)] for yes in task.positive(heads) >= self.threshold]


def with_temperature(head: Probabilities, temperature: float) -> Probabilities:
    """Probabilities that are more cautious above 1, and more certain below."""
    logits = np.log(np.clip(head, 1e-12, 1.0)) / temperature
    scaled = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(scaled / scaled.sum(axis=1, keepdims=True), np.float64)


Chooser = Callable[[PairClassifier, LabelledParts], DecisionRule]


@dataclass(frozen=True, slots=True)
class Predictions:
    """What was predicted for the pairs of a test, beside what is right; pairs of one unit share sentences."""

    test: str
    task: LabelTask
    ids: list[str]
    gold: list[str]
    predicted: list[str]
    heads: list[Probabilities]  # calibrated
    units: npt.NDArray[np.int64]  # the number of the unit of each pair

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: npt.NDArray[np.int64]) -> Predictions:
        """Some of the pairs, in the order of the rows."""
        ids, gold, predicted = ([column[row] for row in rows] for column in (self.ids, self.gold, self.predicted))
        heads = [head[rows] for head in self.heads]
        return Predictions(self.test, self.task, ids, gold, predicted, heads, self.units[rows])

    @property
    def positive(self) -> Probabilities:
        """The probability that each pair is a paraphrase."""
        return self.task.positive(self.heads)

    def gold_probabilities(self) -> Probabilities:
        """The probability that was given to the right label of each pair."""
        rows = self.task.joint(self.heads)
        places = [self.task.labels.index(label) for label in self.gold]
        return np.asarray(rows[np.arange(len(self)), places], np.float64)


def head_probabilities(classifier: PairClassifier, texts1: pa.Array, texts2: pa.Array) -> list[Probabilities]:
    """The probabilities of a classifier, asked for some thousand pairs at a time."""
    blocks = [
        classifier.probabilities(texts1.slice(start, PAIRS_PER_BLOCK), texts2.slice(start, PAIRS_PER_BLOCK))
        for start in range(0, len(texts1), PAIRS_PER_BLOCK)
    ]
    return [np.concatenate(head) for head in zip(*blocks, strict=True)]


def forget_cut(classifier: PairClassifier) -> str | None:
    """How many of the pairs asked about so far were too long to be read whole, in words; then counted from 0 again."""
    cut: Counter[str] = getattr(classifier, "cut", None) or Counter()
    found = [f"{count:,} × longer than {limit}; the ends of the texts were not read" for limit, count in (+cut).items()]
    cut.clear()
    return "; ".join(found) or None


def predict(classifier: PairClassifier, examples: LabelledPairs, decision: DecisionRule) -> Predictions:
    """Predict the labels of examples."""
    heads = decision.calibrated(head_probabilities(classifier, *examples.texts))
    labels = decision.labels(classifier.task, heads)
    ids = [pair.id for pair in examples.pairs]
    return Predictions(examples.name, classifier.task, ids, list(examples.labels), labels, heads, examples.units)


def save_predictions(predictions: Predictions, path: Path) -> None:
    """Write predictions as Parquet; a column for each class of each head."""
    columns: dict[str, object] = {"id": predictions.ids, "gold": predictions.gold, "predicted": predictions.predicted}
    columns["unit"] = predictions.units
    for head, table in zip(predictions.task.heads, predictions.heads, strict=True):
        columns |= {f"{head.name}={name}": table[:, number] for number, name in enumerate(head.classes)}
    metadata = {_TASK: msgspec.json.encode(predictions.task), _TEST: predictions.test.encode()}
    with atomic_write(path) as stream:
        pq.write_table(pa.table(columns).replace_schema_metadata(metadata), stream, compression="zstd")


def load_predictions(path: Path) -> Predictions:
    """Read what :func:`save_predictions` wrote."""
    try:
        table = pq.read_table(path)
        metadata = table.schema.metadata or {}
        task = msgspec.json.decode(metadata[_TASK], type=LabelTask)
        columns = {name: table[name].to_pylist() for name in ("id", "gold", "predicted")}
        units = table["unit"].to_numpy()
        heads = [
            np.stack([table[f"{head.name}={name}"].to_numpy() for name in head.classes], axis=1) for head in task.heads
        ]
    except (OSError, KeyError, ValueError, pa.ArrowInvalid) as problem:
        raise DataError(f"not a table of predictions: {problem}", path, code="predictions-unreadable") from None
    ids, gold, predicted = (columns[name] for name in ("id", "gold", "predicted"))
    return Predictions(metadata[_TEST].decode(), task, ids, gold, predicted, heads, units)
