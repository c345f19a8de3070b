"""The features of pairs as a table: one row a pair, one column a feature, in an order that does not change.

Pairs are read in blocks of some thousand, each by the same code on whichever thread, so that values do not depend on
the number of threads or on the pairs beside them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from otherwords.engine import cores
from otherwords.learn.features.closeness import closeness_features
from otherwords.learn.features.lexical import DIRECTED, SYMMETRIC, Rarity, length_features, rarity_features
from otherwords.learn.features.matching import match_words
from otherwords.learn.features.order import FeatureColumns, Floats, order_features
from otherwords.learn.features.words import WordNumbers, WordRows
from otherwords.measures import Measure, measure, score_columns
from otherwords.measures.encoded import EncoderCosine
from otherwords.text.packs import pack

PAIRS_PER_BLOCK = 4096
OF_WORDS = "vectors:"  # encoders that know single words, not only texts
OF_VECTORS = ("cosine of vectors", "mean difference of vectors", "largest difference of vectors", "spread of products")


@dataclass(frozen=True)
class FeatureExtractor:
    """Reduces pairs of texts of a language to numbers."""

    lang: str | None
    rarity: Rarity
    encoder: EncoderCosine | None = None
    threads: int | None = None

    @cached_property
    def names(self) -> list[str]:
        """The names of the features, in the order of the columns."""
        nothing = pa.array([""], pa.large_string())
        return [*self._shared(nothing, nothing), *self._directed(nothing, nothing)[0]]

    def tables(self, texts1: pa.Array, texts2: pa.Array) -> tuple[Floats, Floats]:
        """The features of every pair, and those of the same pairs with their texts swapped."""
        shared = self._shared(texts1, texts2)
        first, second = self._directed(texts1, texts2)
        return _table(shared | first), _table(shared | second)

    def _shared(self, texts1: pa.Array, texts2: pa.Array) -> FeatureColumns:
        """The features that do not change when the texts are swapped."""
        columns = score_columns(self._measures(SYMMETRIC), texts1, texts2, self.threads)
        if self.encoder is not None:
            columns |= vector_features(*self.encoder.vectors(texts1, texts2))
        return columns

    def _directed(self, texts1: pa.Array, texts2: pa.Array) -> tuple[FeatureColumns, FeatureColumns]:
        """The others, for the pairs and for the swapped pairs."""
        measures = self._measures(DIRECTED)
        first = score_columns(measures, texts1, texts2, self.threads)
        second = score_columns(measures, texts2, texts1, self.threads)
        starts = range(0, max(len(texts1), 1), PAIRS_PER_BLOCK)
        with ThreadPoolExecutor(self.threads or cores()) as pool:
            blocks = list(
                pool.map(
                    self._words,
                    (texts1.slice(start, PAIRS_PER_BLOCK) for start in starts),
                    (texts2.slice(start, PAIRS_PER_BLOCK) for start in starts),
                )
            )
        return first | _joined([block[0] for block in blocks]), second | _joined([block[1] for block in blocks])

    def _words(self, texts1: pa.Array, texts2: pa.Array) -> tuple[FeatureColumns, FeatureColumns]:
        numbers = WordNumbers(pack(self.lang))
        words1, words2 = numbers.read(texts1.to_pylist()), numbers.read(texts2.to_pylist())
        weights, vectors = self.rarity.weights(numbers), self._word_vectors(numbers)
        return _word_features(words1, words2, weights, vectors), _word_features(words2, words1, weights, vectors)

    def _word_vectors(self, numbers: WordNumbers) -> Floats | None:
        """The vectors of the words that have numbers, if the encoder is made of vectors of words."""
        if self.encoder is None or not self.encoder.model.startswith(OF_WORDS):
            return None
        words = pa.array(list(numbers.forms), pa.large_string())
        return self.encoder.vectors(words, words)[0]

    def _measures(self, names: tuple[str, ...]) -> list[Measure]:
        return [measure(name, self.lang) for name in names]


def vector_features(vectors1: Floats, vectors2: Floats) -> FeatureColumns:
    """How close pairs of vectors of length 1 are, and how their difference is spread."""
    if not len(vectors1):
        return {name: np.zeros(0) for name in OF_VECTORS}
    products, differences = vectors1 * vectors2, np.abs(vectors1 - vectors2)
    values = (products.sum(axis=1), differences.mean(axis=1), differences.max(axis=1), products.std(axis=1))
    return dict(zip(OF_VECTORS, values, strict=True))


def _word_features(words1: WordRows, words2: WordRows, weights: Floats, vectors: Floats | None) -> FeatureColumns:
    matched = match_words(words1, words2)
    columns = length_features(words1, words2) | rarity_features(words1, words2, matched, weights)
    columns |= order_features(words1, words2, matched)
    return columns if vectors is None else columns | closeness_features(words1, words2, matched, vectors, weights)


def _joined(blocks: list[FeatureColumns]) -> FeatureColumns:
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def _table(columns: FeatureColumns) -> Floats:
    return np.stack(list(columns.values()), axis=1)
