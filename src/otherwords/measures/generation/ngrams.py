"""The n-grams of many texts as numbers, counted all at once.

Tokens get numbers in the order of their first occurrence, and an n-gram the number of its first n − 1 tokens together
with that of its last one. Counts are exact: nothing is hashed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from otherwords.measures.columns import Integers
from otherwords.measures.cut import Tokenisation


@dataclass(frozen=True, slots=True)
class NumberedTokens:
    """The tokens of texts, one after the other."""

    numbers: Integers
    starts: Integers  # of each text, and the end

    @property
    def lengths(self) -> Integers:
        """How many tokens each text has."""
        return np.diff(self.starts)

    def ngrams(self, orders: int) -> Iterator[tuple[Integers, Integers]]:
        """For each order from 1: the n-grams as numbers, and the text of each."""
        texts = np.repeat(np.arange(len(self.starts) - 1), self.lengths)
        last = np.repeat(self.starts[1:], self.lengths)  # where the text of a token ends
        places = np.arange(len(self.numbers))
        size = int(self.numbers.max(initial=0)) + 1
        grams = self.numbers
        for order in range(1, orders + 1):
            yield grams, texts
            going_on = places + order < last
            places, texts, last = places[going_on], texts[going_on], last[going_on]
            longer = grams[going_on] * size + self.numbers[places + order]
            _, grams = np.unique(longer, return_inverse=True)


def number_tokens(cut: Tokenisation, texts: Sequence[str]) -> NumberedTokens:
    """The tokens of texts as numbers."""
    lower = cut.case == "lc"
    known: dict[str, int] = {}
    numbers: list[int] = []
    starts = np.zeros(len(texts) + 1, np.int64)
    for row, text in enumerate(texts, 1):
        tokens = cut.tokeniser.tokens(text.lower() if lower else text)
        numbers.extend([known.setdefault(token, len(known)) for token in tokens])
        starts[row] = len(numbers)
    return NumberedTokens(np.array(numbers, np.int64), starts)


def counted(grams: Integers, owners: Integers) -> tuple[Integers, Integers, Integers]:
    """Each n-gram of each owner once: owner, n-gram, and how often it is there; in this order."""
    size = int(grams.max(initial=0)) + 1
    keys, counts = np.unique(owners * size + grams, return_counts=True)
    return keys // size, keys % size, counts
