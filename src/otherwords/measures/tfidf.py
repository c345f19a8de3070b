"""Character cosine with tf-idf weights, as scikit-learn's ``TfidfVectorizer`` computes them by default.

Every text is a document. Fitting counts in how many documents each n-gram is; its weight is then
ln((1 + documents) / (1 + frequency)) + 1. N-grams that no document has count for nothing. Memory grows
with the n-grams, not with the texts. The signature names the fit by its number of documents and a
digest of all frequencies, which does not depend on the order of the documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import ClassVar

import numpy as np

from otherwords import _kernels
from otherwords.engine import cores
from otherwords.errors import UsageError
from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Texts, column, lowered_rows, text_array
from otherwords.measures.cosine import cosine_of, cosine_statistics, folding
from otherwords.measures.cut import Case
from otherwords.measures.options import Options, signature

TEXTS_PER_THREAD = 2048  # fewer are not worth a thread
MOST_THREADS = 8  # each has a vocabulary until the fit is finished


class Frequencies:
    """The document frequencies of a collection; closed when they are first used as weights.

    Large blocks are counted on several threads, each into a vocabulary of its own; these are joined at
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
                message = "char-cosine-tfidf has been used already: fit it to all texts before scoring any"
                raise UsageError(message, code="fit-after-use")
            array = text_array(texts)
            parts = max(1, min(cores(), MOST_THREADS, len(array) // TEXTS_PER_THREAD))
            while len(self._vocabularies) < parts:
                self._vocabularies.append(_kernels.frequencies_new())
            size = -(-len(array) // parts)
            blocks = [array[start : start + size] for start in range(0, len(array), size or 1)]
            with ThreadPoolExecutor(parts) as pool:
                list(pool.map(self._count, self._vocabularies, blocks, [self.case] * parts))

    def _count(self, vocabulary: object, texts: Texts, case: Case) -> None:
        prepared = column(texts)
        needs_context = np.empty(len(prepared), np.int64)
        _kernels.frequencies_add(vocabulary, *prepared.buffers, needs_context, folding(case), *self.orders)
        if needs_context.any():  # these have letters whose lower case depends on their neighbours
            self._count(vocabulary, lowered_rows(texts, np.flatnonzero(needs_context)), "mixed")

    def fit(self) -> str:
        """Which fit this is: the number of documents and a digest of the frequencies."""
        with self._lock:
            return self._fit or self._fit_name(self._join())

    def weights(self) -> object:
        """The vocabulary with the squares of the weights, ready for scoring."""
        with self._lock:
            vocabulary = self._join()
            if self._fit is None:
                terms, documents = _kernels.frequencies_size(vocabulary)
                if documents == 0:
                    message = "char-cosine-tfidf weights n-grams by their rarity: fit it to the texts first"
                    raise UsageError(message, code="not-fitted")
                self._fit = self._fit_name(vocabulary)
                frequencies = np.empty(terms, np.int64)
                _kernels.frequencies_read(vocabulary, frequencies)
                idf = np.log((1.0 + documents) / (1.0 + frequencies)) + 1.0
                _kernels.frequencies_weigh(vocabulary, np.where(frequencies > 0, idf * idf, 0.0))
            return vocabulary

    def _join(self) -> object:
        first, *others = self._vocabularies
        for other in others:
            _kernels.frequencies_join(first, other)
        self._vocabularies = [first]
        return first

    @staticmethod
    def _fit_name(vocabulary: object) -> str:
        _, documents = _kernels.frequencies_size(vocabulary)
        return f"{documents}-{_kernels.frequencies_digest(vocabulary):016x}"


@dataclass(frozen=True)
class TfidfCosine(Measure):
    """Cosine of the tf-idf weights of character 2–4-grams within words (scikit-learn's)."""

    frequencies: Frequencies = field(repr=False, compare=False)
    orders: tuple[int, int] = (2, 4)
    case: Case = "lc"
    name: str = "char-cosine-tfidf"
    needs_fit: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> TfidfCosine:
        orders, case = options.orders("n", "2-4"), options.case("lc")
        return cls(Frequencies(orders, case), orders, case, options.spec)

    def signature(self) -> str:
        parts = {"n": "-".join(map(str, self.orders)), "case": self.case, "fit": self.frequencies.fit()}
        return signature("char-cosine-tfidf", parts)

    def fit(self, texts: Iterable[Texts]) -> None:
        for documents in texts:
            self.frequencies.add(documents)

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        kernel = partial(_kernels.tfidf, self.frequencies.weights())
        return cosine_of(*cosine_statistics(texts1, texts2, self.orders, self.case, kernel, np.float64).T)
