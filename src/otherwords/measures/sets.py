"""Measures on sets of tokens or of token n-grams: Jaccard, Dice and the overlap coefficient.

Two texts without tokens are equal and score 1 by definition; one without scores 0 against one with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords.measures.columns import Integers, Texts
from otherwords.measures.cut import Cut
from otherwords.measures.options import Options
from otherwords.measures.ratio import Ratio, RatioMeasure
from otherwords.measures.signature import lengths, signature


def set_statistics(texts1: Texts, texts2: Texts, cut: Cut, orders: tuple[int, int] = (1, 1)) -> Integers:
    """Rows × (|a|, |b|, |a ∩ b|): the sizes of the sets of token n-grams of those lengths."""
    low, high = orders
    summed: Integers = cut.distinct(texts1, texts2, high)[:, low - 1 :, :].sum(axis=1)
    return summed


@dataclass(frozen=True)
class Jaccard(RatioMeasure):
    """Shared tokens / all tokens, as sets (the word overlap rate of Suzuki et al. 2017, §3.2)."""

    cut: Cut
    name: str = "jaccard"
    symmetric: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> Jaccard:
        return cls(options.cut(), options.spec)

    @property
    def tokeniser(self) -> str:
        return self.cut.tokeniser.name

    def signature(self) -> str:
        return signature("jaccard", self.cut.signature())

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        one, two, shared = set_statistics(texts1, texts2, self.cut).T
        return Ratio.of(shared, one + two - shared, if_undefined=1)


@dataclass(frozen=True)
class Dice(RatioMeasure):
    """Twice the shared tokens / tokens of both, as sets."""

    cut: Cut
    name: str = "dice"
    symmetric: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> Dice:
        return cls(options.cut(), options.spec)

    @property
    def tokeniser(self) -> str:
        return self.cut.tokeniser.name

    def signature(self) -> str:
        return signature("dice", self.cut.signature())

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        one, two, shared = set_statistics(texts1, texts2, self.cut).T
        return Ratio.of(2 * shared, one + two, if_undefined=1)


@dataclass(frozen=True)
class Overlap(RatioMeasure):
    """Shared token n-grams / those of the text with fewer, as sets (RuPAWS, Martynov et al. 2022, Figure 1).

    The paper does not give its formula; of those tried, this one over 1–3-grams fits its figure best.
    """

    cut: Cut
    orders: tuple[int, int] = (1, 3)
    name: str = "overlap"
    symmetric: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> Overlap:
        return cls(options.cut(), options.orders("n", "1-3"), options.spec)

    @property
    def tokeniser(self) -> str:
        return self.cut.tokeniser.name

    def signature(self) -> str:
        return signature("overlap", {"n": lengths(self.orders), **self.cut.signature()})

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        one, two, shared = set_statistics(texts1, texts2, self.cut, self.orders).T
        return Ratio.of(shared, np.minimum(one, two), if_undefined=one == two)
