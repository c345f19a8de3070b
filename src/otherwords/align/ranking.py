"""The sentences of a group, the most typical first: the ranking of MultiPIT §2.3.

"A simple ranking algorithm (Xu et al., 2015) based on the averaged probability of words": the
probability of a word is its share of all words of the group's own sentences, and a sentence is as
good as the mean over its words. Words are the tokens that have a letter or a digit, case-folded, all
of them: nothing is weighted and no stop list is used. Equal means keep the order in which the
sentences came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """The mean word probability of a sentence, and its rank in the group (1 is the best)."""

    probability: float
    rank: int


def words(tokens: Iterable[str]) -> list[str]:
    """The tokens that are words or numbers, as they are counted."""
    return [token.casefold() for token in tokens if any(map(str.isalnum, token))]


def ranked(sentences: Sequence[Sequence[str]]) -> list[Place]:
    """The place of each sentence, given as its words, among all of them."""
    counts = Counter(word for sentence in sentences for word in sentence)
    total = counts.total()
    means = [_mean(sentence, counts, total) for sentence in sentences]
    order = sorted(range(len(means)), key=lambda place: -means[place])
    ranks = {place: rank for rank, place in enumerate(order, 1)}
    return [Place(mean, ranks[place]) for place, mean in enumerate(means)]


def _mean(sentence: Sequence[str], counts: Counter[str], total: int) -> float:
    """Counts are added before they are divided, so that equal means are equal to the last bit."""
    return sum(map(counts.__getitem__, sentence)) / (len(sentence) * total) if sentence else 0.0
