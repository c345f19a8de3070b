"""Measures on sets of tokens or of token n-grams: Jaccard, Dice, the overlap coefficient and PINC.

In the first three, two texts without tokens are equal and score 1 by definition; one without scores 0 against one with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords import _kernels
from otherwords.measures.columns import Floats, Integers, Texts
from otherwords.measures.cut import Tokenisation
from otherwords.measures.options import Options, signature
from otherwords.measures.ratio import Ratio, TokenMeasure, TokenRatio


def set_statistics(texts1: Texts, texts2: Texts, cut: Tokenisation, orders: tuple[int, int] = (1, 1)) -> Integers:
    """Rows × (|a|, |b|, |a ∩ b|): the sizes of the sets of token n-grams of those lengths."""
    low, high = orders
    summed: Integers = cut.statistics(_kernels.distinct_tokens, texts1, texts2, high)[:, low - 1 :, :].sum(axis=1)
    return summed


@dataclass(frozen=True)
class Jaccard(TokenRatio):
    """Shared tokens / all tokens, as sets (the word overlap rate of Suzuki et al. 2017, §3.2)."""

    name: str = "jaccard"
    kind: ClassVar[str] = "jaccard"

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        size1, size2, shared = set_statistics(texts1, texts2, self.cut).T
        return Ratio.of(shared, size1 + size2 - shared, if_undefined=1)


@dataclass(frozen=True)
class Dice(TokenRatio):
    """Twice the shared tokens / tokens of both, as sets."""

    name: str = "dice"
    kind: ClassVar[str] = "dice"

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        size1, size2, shared = set_statistics(texts1, texts2, self.cut).T
        return Ratio.of(2 * shared, size1 + size2, if_undefined=1)


@dataclass(frozen=True)
class Overlap(TokenRatio):
    """Shared token n-grams / those of the text with fewer, as sets (RuPAWS, Martynov et al. 2022, Figure 1).

    The paper does not give its formula; of those tried, this one over 1–3-grams fits its figure best.
    """

    name: str = "overlap"
    orders: tuple[int, int] = (1, 3)
    kind: ClassVar[str] = "overlap"

    @classmethod
    def build(cls, options: Options) -> Overlap:
        return cls(options.tokenisation(), options.spec, options.orders("n", "1-3"))

    def signature(self) -> str:
        return signature("overlap", {"n": "-".join(map(str, self.orders)), **self.cut.signature()})

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        size1, size2, shared = set_statistics(texts1, texts2, self.cut, self.orders).T
        return Ratio.of(shared, np.minimum(size1, size2), if_undefined=size1 == size2)


@dataclass(frozen=True)
class Pinc(TokenMeasure):
    """Share of text2's token n-grams that text1 lacks, averaged over n = 1 to 4 (Chen and Dolan 2011).

    §4: text1 is the source, text2 the candidate. Lengths that the candidate is too short for are left out. 0 is a
    copy, 1 shares no word. An empty candidate has nothing new and scores 0.
    """

    cut: Tokenisation
    orders: tuple[int, int] = (1, 4)
    name: str = "pinc"
    symmetric: ClassVar[bool] = False

    @classmethod
    def build(cls, options: Options) -> Pinc:
        return cls(options.tokenisation(), options.orders("n", "1-4"), options.spec)

    def signature(self) -> str:
        return signature("pinc", {"n": "-".join(map(str, self.orders)), **self.cut.signature()})

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        low, high = self.orders
        statistics = self.cut.statistics(_kernels.distinct_tokens, texts1, texts2, high)
        _, candidate, shared = np.moveaxis(statistics[:, low - 1 :], 2, 0)
        has_any = candidate > 0
        new = np.divide(candidate - shared, candidate, out=np.zeros(candidate.shape), where=has_any)
        mean: Floats = new.sum(axis=1) / np.maximum(has_any.sum(axis=1), 1)
        return mean
