"""Bag of words: the cosine of the counts of uni- and bigrams, a paraphrase if it is above 0.5 (RuPAWS, Martynov et al.
2022, §5).

Words are in lower case and without punctuation. The threshold may be chosen on the training part instead. The
probability that is given rises with the cosine and passes 0.5 at the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import pyarrow as pa

from otherwords.learn.classifiers.threshold import best_threshold
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import POSITIVE, LabelTask, Probabilities
from otherwords.learn.features.matching import neighbours
from otherwords.learn.features.words import Numbers, WordNumbers, WordRows
from otherwords.learn.ladder import ClassifierKind, TrainingContext
from otherwords.measures.cosine import cosine_of
from otherwords.project.pipeline.parameters import Parameters
from otherwords.text.packs import pack

FILE = "bag_of_words.json"
THRESHOLD = 0.5  # Martynov et al. 2022, §5


class BagOptions(Parameters, frozen=True, kw_only=True):
    """What is in the bag, and where the threshold comes from: the paper, or the highest accuracy in training."""

    threshold: Literal["paper", "train"] = "paper"
    bigrams: bool = True  # as in the paper; without them a bag knows nothing of word order


class SavedBag(msgspec.Struct, frozen=True):
    """Cosines from here on are paraphrases."""

    threshold: float
    bigrams: bool
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class BagOfWords:
    """Compares the cosine of two bags of words with a threshold."""

    task: LabelTask
    saved: SavedBag

    def probabilities(self, texts1: pa.Array, texts2: pa.Array) -> list[Probabilities]:
        cosines = bag_cosines(texts1, texts2, self.saved.lang, bigrams=self.saved.bigrams)
        positive = np.interp(cosines, [-1e-9, self.saved.threshold, 1 + 1e-9], [0.0, 0.5, 1.0])
        return [np.stack([1 - positive, positive], axis=1)]

    def save(self, folder: Path) -> None:
        (folder / FILE).write_bytes(msgspec.json.encode(self.saved))


def bag_cosines(texts1: pa.Array, texts2: pa.Array, lang: str | None, *, bigrams: bool = True) -> Probabilities:
    """The cosine of the counts of words and of neighbouring words; 0 where a text has none."""
    numbers = WordNumbers(pack(lang))
    words1, words2 = numbers.read(texts1.to_pylist()), numbers.read(texts2.to_pylist())
    span = len(numbers.forms) + 1
    grams1, counts1 = _grams(words1, span, bigrams=bigrams)
    grams2, counts2 = _grams(words2, span, bigrams=bigrams)
    shared, places1, places2 = np.intersect1d(grams1, grams2, assume_unique=True, return_indices=True)
    dots = _row_sums(shared, counts1[places1] * counts2[places2], span, len(texts1))
    squares = [
        _row_sums(grams, counts**2, span, len(texts1)) for grams, counts in ((grams1, counts1), (grams2, counts2))
    ]
    return cosine_of(dots, *squares)


def _grams(words: WordRows, span: int, *, bigrams: bool) -> tuple[Numbers, Numbers]:
    """Numbers of row and gram, each once, and how often it occurs; a single word has no neighbour, 0."""
    after = neighbours(words)[1] + 1
    alone = (words.rows * span + words.forms) * span
    followed = (after > 0) & bigrams
    grams, counts = np.unique(np.concatenate([alone, (alone + after)[followed]]), return_counts=True)
    return grams, counts


def _row_sums(grams: Numbers, values: Numbers, span: int, rows: int) -> Numbers:
    return np.bincount(grams // span**2, weights=values, minlength=rows).astype(np.int64)


def _train(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: BagOptions, context: TrainingContext
) -> BagOfWords:
    threshold = float(np.nextafter(THRESHOLD, 1.0))  # above 0.5
    if options.threshold == "train":
        positive = np.array([label == POSITIVE for label in train.labels])
        threshold = best_threshold(bag_cosines(*train.texts, context.lang, bigrams=options.bigrams), positive)
    return BagOfWords(task, SavedBag(threshold, options.bigrams, context.lang))


def _load(folder: Path, task: LabelTask, options: BagOptions, context: TrainingContext) -> BagOfWords:
    return BagOfWords(task, msgspec.json.decode((folder / FILE).read_bytes(), type=SavedBag))


BOW = ClassifierKind(
    "bow", "the cosine of bags of words and word pairs, above 0.5", BagOptions, _train, _load, binary_only=True
)
