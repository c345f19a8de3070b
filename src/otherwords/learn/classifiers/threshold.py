"""A measure and a threshold: pairs that score at least so much are paraphrases (Suzuki et al. 2017, Figure 4).

The threshold is the one with the highest accuracy on the training part. The probability that is given rises with the
measure and is 0.5 at the threshold, so that other thresholds and areas under curves can be computed from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa

from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import POSITIVE, LabelTask, Probabilities
from otherwords.learn.ladder import ClassifierKind, TrainingContext
from otherwords.measures import measure, score_columns
from otherwords.project.pipeline.parameters import Parameters

FILE = "threshold.json"


class ThresholdOptions(Parameters, frozen=True, kw_only=True):
    """Which measure."""

    measure: str = "jaccard"


class SavedThreshold(msgspec.Struct, frozen=True):
    """A threshold and the range of the measure."""

    threshold: float
    low: float
    high: float
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class ThresholdClassifier:
    """Compares a measure with a threshold."""

    task: LabelTask
    options: ThresholdOptions
    saved: SavedThreshold

    def probabilities(self, texts1: pa.Array, texts2: pa.Array) -> list[Probabilities]:
        scores = _scores(self.options, self.saved.lang, texts1, texts2)
        known = [self.saved.low - 1e-9, self.saved.threshold, self.saved.high + 1e-9]
        positive = np.interp(scores, known, [0.0, 0.5, 1.0])
        return [np.stack([1 - positive, positive], axis=1)]

    def save(self, folder: Path) -> None:
        (folder / FILE).write_bytes(msgspec.json.encode(self.saved))


def _scores(options: ThresholdOptions, lang: str | None, texts1: pa.Array, texts2: pa.Array) -> Probabilities:
    built = measure(options.measure, lang)
    return score_columns([built], texts1, texts2)[built.name]


def _train(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: ThresholdOptions, context: TrainingContext
) -> ThresholdClassifier:
    scores = _scores(options, context.lang, *train.texts)
    positive = np.array([label == POSITIVE for label in train.labels])
    low, high = measure(options.measure, context.lang).range
    saved = SavedThreshold(best_threshold(scores, positive), float(low), float(high), context.lang)
    return ThresholdClassifier(task, options, saved)


def best_threshold(scores: Probabilities, positive: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    """The threshold with the most right answers, halfway between two scores; the lowest of equally good ones."""
    order = np.argsort(scores, kind="stable")
    values, first = np.unique(scores[order], return_index=True)
    missed = np.concatenate([[0], np.cumsum(positive[order])])  # positives among so many of the lowest scores
    starts = np.append(first, len(scores))  # how many scores are below each threshold
    right = (starts - missed[starts]) + (int(positive.sum()) - missed[starts])
    best = int(right.argmax())
    if best in (0, len(values)):  # everything is a paraphrase, or nothing
        return float(values[0]) if best == 0 else float(np.nextafter(values[-1], np.inf))
    return float((values[best - 1] + values[best]) / 2)


def _load(folder: Path, task: LabelTask, options: ThresholdOptions, context: TrainingContext) -> ThresholdClassifier:
    saved = msgspec.json.decode((folder / FILE).read_bytes(), type=SavedThreshold)
    return ThresholdClassifier(task, options, saved)


OVERLAP = ClassifierKind(
    "overlap", "a threshold on a measure, word overlap by default", ThresholdOptions, _train, _load, binary_only=True
)
