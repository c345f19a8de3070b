"""The sentences of a group, the most typical first: the ranking of MultiPIT §2.3.

"A simple ranking algorithm (Xu et al., 2015) based on the averaged probability of words": the probability of a word
is its share of all words in the sentences of the group, and the score of a sentence is the mean over its words. Words
are the tokens with a letter or a digit, case-folded; nothing is weighted and no stop list is used. Equal means keep
the order of the sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SentenceRank:
    """The mean word probability of a sentence, and its rank in the group (1 is the best)."""

    probability: float
    rank: int


def words(tokens: Iterable[str]) -> list[str]:
    """The tokens that are words or numbers, as they are counted."""
    return [token.casefold() for token in tokens if any(map(str.isalnum, token))]


def rank_sentences(sentences: Sequence[Sequence[str]]) -> list[SentenceRank]:
    """The place of each sentence, given as its words, among all of them."""
    counts = Counter(word for sentence in sentences for word in sentence)
    total = counts.total()
    # Counts are added before they are divided, so that equal means are equal to the last bit.
    means = [
        sum(map(counts.__getitem__, sentence)) / (len(sentence) * total) if sentence else 0.0 for sentence in sentences
    ]
    order = sorted(range(len(means)), key=lambda place: -means[place])
    ranks = {place: rank for rank, place in enumerate(order, 1)}
    return [SentenceRank(mean, ranks[place]) for place, mean in enumerate(means)]
