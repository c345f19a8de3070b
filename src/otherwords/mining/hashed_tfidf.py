"""TF-IDF of character 2- and 3-grams within words, hashed into vectors of a few hundred numbers: the baseline.

Kanerva et al. 2023, §8, compare encoders with it. The weights follow scikit-learn (``char_wb``, raw counts, smooth
inverse document frequency) except that the frequencies are those of some sentences of the pool. A vocabulary of
hundreds of thousands of n-grams becomes a vector of fixed length by a count sketch (Charikar et al. 2002): each n-gram
is added to one number, with a sign; a cosine is then off by about one over the root of the length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

DIMENSION = 384
FEATURE_BITS = 18  # n-grams are distinguished by so many bits for their document frequency
FITTED_TEXTS = 20_000
TEXTS_PER_BLOCK = 2_048
BLANK = 32
_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))
_MIX = np.uint64(0xFF51AFD7ED558CCD)  # of MurmurHash3's last step

Hashes = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HashedTfidf:
    """The baseline with the document frequencies of some texts; it needs no package and fits any language."""

    weights: npt.NDArray[np.float32]  # inverse document frequency, by feature
    dimension: int = DIMENSION

    @property
    def signature(self) -> str:
        return f"tfidf|char_wb:2-3|hashed:{FEATURE_BITS}bits|dim:{self.dimension}|idf:pool"

    def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A vector of length 1 for each text; zeros for a text without n-grams."""
        rows = [self._block(texts[start : start + TEXTS_PER_BLOCK]) for start in range(0, len(texts), TEXTS_PER_BLOCK)]
        return np.concatenate(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def _block(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        places, hashes = ngram_hashes(texts)
        numbers = (hashes & np.uint64(0xFFFFFFFF)) % np.uint64(self.dimension)
        signs = 1.0 - 2.0 * ((hashes >> np.uint64(40)) & np.uint64(1)).astype(np.float32)
        cells = places * self.dimension + numbers.astype(np.int64)
        weights = self.weights[_features(hashes)] * signs
        sums = np.bincount(cells, weights, len(texts) * self.dimension).reshape(len(texts), self.dimension)
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        return (sums / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)


def fit_tfidf(texts: Iterable[str], dimension: int = DIMENSION) -> HashedTfidf:
    """The baseline with the document frequencies of these texts."""
    counts, total = np.zeros(2**FEATURE_BITS, np.int64), 0
    waiting: list[str] = []

    def count() -> None:
        places, hashes = ngram_hashes(waiting)
        once = np.unique((places << FEATURE_BITS) | _features(hashes))
        counts[:] += np.bincount(once & (2**FEATURE_BITS - 1), minlength=2**FEATURE_BITS)

    for text in texts:
        waiting.append(text)
        total += 1
        if len(waiting) == TEXTS_PER_BLOCK:
            count()
            waiting.clear()
    count()
    return HashedTfidf((np.log((1 + total) / (1 + counts)) + 1).astype(np.float32), dimension)


def ngram_hashes(texts: Sequence[str]) -> tuple[Numbers, Hashes]:
    """The hash of every n-gram of 2 and 3 characters within a word and the blanks around it, with the text it is in."""
    padded = [f" {' '.join(text.lower().split())} " for text in texts]
    codes = np.frombuffer("".join(padded).encode("utf-32-le", "replace"), "<u4").astype(np.uint64)
    places = np.repeat(np.arange(len(texts), dtype=np.int64), [len(text) for text in padded])
    blank = codes == BLANK
    two = (places[1:] == places[:-1]) & ~(blank[1:] & blank[:-1])
    three = (places[2:] == places[:-2]) & ~blank[1:-1]
    first, second, third = _FACTORS
    bigrams = codes[:-1] * first + codes[1:] * second
    trigrams = bigrams[:-1] + (codes[2:] + np.uint64(1)) * third
    hashes = np.concatenate([bigrams[two], trigrams[three]])
    hashes ^= hashes >> np.uint64(33)
    hashes *= _MIX
    hashes ^= hashes >> np.uint64(33)
    return np.concatenate([places[:-1][two], places[:-2][three]]), hashes


def _features(hashes: Hashes) -> Numbers:
    return (hashes >> np.uint64(64 - FEATURE_BITS)).astype(np.int64)
