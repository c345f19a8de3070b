"""Features of the words themselves, whatever their order: measures, lengths, and how rare the words are that differ.

How rare a word is comes from the training texts: ln((1 + texts) / (1 + texts with the word)) + 1, as in scikit-learn. A
word that is in one text only counts like one that is in none, so the table holds only those in two and more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

import msgspec
import numpy as np

from otherwords.learn.features.matching import MatchedWords
from otherwords.learn.features.order import FeatureColumns, Floats
from otherwords.learn.features.words import WordNumbers, WordRows
from otherwords.text.packs import Pack

SYMMETRIC = (
    *("char-cosine", "jaccard", "dice", "overlap", "edit", "lcs", "length-ratio"),
    *("jaccard:case=lc", "overlap:n=2,case=lc", "overlap:n=3,case=lc"),
)
DIRECTED = ("bleu", "chrf", "pinc")  # these tell a source from a candidate


class Rarity(msgspec.Struct, frozen=True):
    """In how many of the training texts each word is."""

    texts: int
    words: dict[str, int]

    @classmethod
    def of_texts(cls, texts: Sequence[str], pack: Pack) -> Rarity:
        """Count different texts, each once."""
        counts: Counter[str] = Counter()
        different = dict.fromkeys(texts)
        for text in different:
            counts.update({token.lower() for token in pack.tokens(text)})
        return cls(len(different), {word: count for word, count in sorted(counts.items()) if count > 1})

    def weights(self, numbers: WordNumbers) -> Floats:
        """The weights of the words that have numbers, in the order of these."""
        return np.array([log((1 + self.texts) / (1 + self.words.get(word, 1))) + 1 for word in numbers.forms])


def rarity_features(words1: WordRows, words2: WordRows, matched: MatchedWords, weights: Floats) -> FeatureColumns:
    """Overlap weighted by rarity, and the weight of what only one text has."""
    pairs = len(words1.counts)
    totals, left, rarest = [], [], []
    for words, used in ((words1, matched.first), (words2, matched.second)):
        weight = weights[words.forms]
        free = np.ones(len(weight), np.bool_)
        free[used] = False
        totals.append(np.bincount(words.rows, weights=weight, minlength=pairs))
        left.append(np.bincount(words.rows, weights=weight * free, minlength=pairs))
        most = np.zeros(pairs)
        np.maximum.at(most, words.rows, weight * free)
        rarest.append(most)
    whole = totals[0] + totals[1]
    shared = np.divide(left[0] + left[1], whole, out=np.zeros(pairs), where=whole > 0)
    return {
        "weighted overlap": 1 - shared,
        "weight only in A": left[0],
        "weight only in B": left[1],
        "rarest only in A": rarest[0],
        "rarest only in B": rarest[1],
        "difference of weights": totals[0] - totals[1],
    }


def length_features(words1: WordRows, words2: WordRows) -> FeatureColumns:
    """Numbers of words."""
    count1, count2 = words1.counts.astype(np.float64), words2.counts.astype(np.float64)
    return {"words of A": count1, "words of B": count2, "difference of words": count1 - count2}
