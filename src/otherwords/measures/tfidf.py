"""Character cosine with tf-idf weights, as scikit-learn's ``TfidfVectorizer`` makes them by default.

Every text is a document. Fitting counts in how many documents each n-gram is; its weight is then
ln((1 + documents) / (1 + frequency)) + 1. N-grams that no document has count for nothing. Memory grows
with the n-grams, not with the texts. The signature names the fit by its number of documents and a
digest of all frequencies, which does not depend on the order of the documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import ClassVar

import numpy as np

from otherwords import _kernels
from otherwords.errors import UsageError
from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Integers, Texts, column, lowered_rows, same_length, text_array
from otherwords.measures.cosine import cosine_of, folding
from otherwords.measures.cut import Case
from otherwords.measures.options import Options
from otherwords.measures.parallel import cores
from otherwords.measures.signature import lengths, signature

TEXTS_A_THREAD = 2048  # fewer are not worth a thread
MOST_THREADS = 8  # each holds a vocabulary until the fit is finished


class Frequencies:
    """The document frequencies of a collection; closed when they are first used as weights.

    Large batches are counted on several threads, each into a vocabulary of its own; these are joined at
    the end. Frequencies add up, so the result does not depend on the number of threads.
    """

    def __init__(self, orders: tuple[int, int], case: Case) -> None:
        self.orders, self.case = orders, case
        self._vocabularies = [_kernels.frequencies_new()]
        self._fit: str | None = None  # known once the frequencies have become weights
        self._lock = Lock()

    def add(self, texts: Texts) -> None:
        """Count each text as one document."""
        with self._lock:
            if self._fit is not None:
                raise UsageError("char-cosine-tfidf has been used already: fit it to all texts before scoring any")
            array = text_array(texts)
            parts = max(1, min(cores(), MOST_THREADS, len(array) // TEXTS_A_THREAD))
            while len(self._vocabularies) < parts:
                self._vocabularies.append(_kernels.frequencies_new())
            size = -(-len(array) // parts)
            stretches = [array[start : start + size] for start in range(0, len(array), size or 1)]
            with ThreadPoolExecutor(parts) as pool:
                list(pool.map(self._add, self._vocabularies, stretches))

    def _add(self, vocabulary: object, texts: Texts) -> None:
        again = self._count(vocabulary, texts, self.case)
        if len(again):
            self._count(vocabulary, lowered_rows(texts, again), "mixed")

    def _count(self, vocabulary: object, texts: Texts, case: Case) -> Integers:
        one = column(texts)
        needs_context = np.empty(len(one), np.int64)
        _kernels.frequencies_add(vocabulary, one.offsets, one.data, needs_context, folding(case), *self.orders)
        return np.flatnonzero(needs_context)

    def fit(self) -> str:
        """Which fit this is: the number of documents and a digest of the frequencies."""
        with self._lock:
            return self._fit or self._named(self._joined())

    def weights(self) -> object:
        """The vocabulary with the squares of the weights, ready for scoring."""
        with self._lock:
            vocabulary = self._joined()
            if self._fit is None:
                terms, documents = _kernels.frequencies_size(vocabulary)
                if documents == 0:
                    raise UsageError("char-cosine-tfidf weighs n-grams by their rarity: fit it to the texts first")
                self._fit = self._named(vocabulary)
                frequencies = np.empty(terms, np.int64)
                _kernels.frequencies_read(vocabulary, frequencies)
                idf = np.log((1.0 + documents) / (1.0 + frequencies)) + 1.0
                _kernels.frequencies_weigh(vocabulary, np.where(frequencies > 0, idf * idf, 0.0))
            return vocabulary

    def _joined(self) -> object:
        first, *others = self._vocabularies
        for other in others:
            _kernels.frequencies_join(first, other)
        self._vocabularies = [first]
        return first

    @staticmethod
    def _named(vocabulary: object) -> str:
        _, documents = _kernels.frequencies_size(vocabulary)
        return f"{documents}-{_kernels.frequencies_digest(vocabulary):016x}"


@dataclass(frozen=True)
class TfidfCosine(Measure):
    """Cosine of the tf-idf weights of character 2–4-grams within words (scikit-learn's)."""

    frequencies: Frequencies = field(repr=False, compare=False)
    orders: tuple[int, int] = (2, 4)
    case: Case = "lc"
    name: str = "char-cosine-tfidf"
    symmetric: ClassVar[bool] = True
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    needs_fit: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> TfidfCosine:
        orders, case = options.orders("n", "2-4"), options.case("lc")
        return cls(Frequencies(orders, case), orders, case, options.spec)

    def signature(self) -> str:
        parts = {"n": lengths(self.orders), "case": self.case, "fit": self.frequencies.fit()}
        return signature("char-cosine-tfidf", parts)

    def fit(self, texts: Iterable[Texts]) -> None:
        for documents in texts:
            self.frequencies.add(documents)

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        weights = self.frequencies.weights()
        sums = self._sums(weights, texts1, texts2, self.case)
        again = np.flatnonzero(sums[:, 3])
        if len(again):
            sums[again] = self._sums(weights, lowered_rows(texts1, again), lowered_rows(texts2, again), "mixed")
        return cosine_of(*sums.T[:3])

    def _sums(self, weights: object, texts1: Texts, texts2: Texts, case: Case) -> Floats:
        """Rows × (dot product, squared norms, needs context)."""
        one, two = column(texts1), column(texts2)
        out = np.empty((same_length(one, two), 4), np.float64)
        _kernels.tfidf(weights, one.offsets, one.data, two.offsets, two.data, out, folding(case), *self.orders)
        return out
