"""PINC (Chen and Dolan 2011, §4): how many n-grams of a paraphrase are not in its source.

text1 is the source, text2 the candidate. For n from 1 to 4 the share of the candidate's distinct
n-grams that the source lacks, then the mean; lengths that the candidate is too short for are left out.
0 is a copy, 1 shares no word. An empty candidate has nothing new and scores 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Integers, Texts
from otherwords.measures.cut import Cut
from otherwords.measures.options import Options
from otherwords.measures.signature import lengths, signature


def mean_novelty(statistics: Integers) -> Floats:
    """Rows × orders × (n-grams of the source, of the candidate, shared) to one score a row."""
    candidate, shared = statistics[:, :, 1], statistics[:, :, 2]
    has_any = candidate > 0
    new = np.divide(candidate - shared, candidate, out=np.zeros(candidate.shape), where=has_any)
    mean: Floats = new.sum(axis=1) / np.maximum(has_any.sum(axis=1), 1)
    return mean


@dataclass(frozen=True)
class Pinc(Measure):
    """Share of text2's token n-grams that text1 lacks, averaged over n = 1 to 4 (Chen and Dolan 2011)."""

    cut: Cut
    orders: tuple[int, int] = (1, 4)
    name: str = "pinc"
    symmetric: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    @classmethod
    def build(cls, options: Options) -> Pinc:
        return cls(options.cut(), options.orders("n", "1-4"), options.spec)

    @property
    def tokeniser(self) -> str:
        return self.cut.tokeniser.name

    def signature(self) -> str:
        return signature("pinc", {"n": lengths(self.orders), **self.cut.signature()})

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        low, high = self.orders
        return mean_novelty(self.cut.distinct(texts1, texts2, high)[:, low - 1 :])
