"""Measures on texts as sequences of tokens: their longest common subsequence, and their lengths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords.measures.columns import Texts, same_length
from otherwords.measures.cut import Cut
from otherwords.measures.options import Options
from otherwords.measures.ratio import Ratio, RatioMeasure
from otherwords.measures.signature import signature


@dataclass(frozen=True)
class CommonSubsequence(RatioMeasure):
    """Longest common subsequence of tokens / tokens of the longer text; 1 where both are empty."""

    cut: Cut
    name: str = "lcs"
    symmetric: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> CommonSubsequence:
        return cls(options.cut(), options.spec)

    @property
    def tokeniser(self) -> str:
        return self.cut.tokeniser.name

    def signature(self) -> str:
        return signature("lcs", self.cut.signature())

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        one, two, common = self.cut.subsequences(texts1, texts2).T
        return Ratio.of(common, np.maximum(one, two), if_undefined=1)


@dataclass(frozen=True)
class LengthRatio(RatioMeasure):
    """Tokens of the shorter text / tokens of the longer one; 1 where both are empty."""

    cut: Cut
    name: str = "length-ratio"
    symmetric: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> LengthRatio:
        return cls(options.cut(), options.spec)

    @property
    def tokeniser(self) -> str:
        return self.cut.tokeniser.name

    def signature(self) -> str:
        return signature("length-ratio", self.cut.signature())

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        one, two = self.cut.counts(texts1), self.cut.counts(texts2)
        same_length(one, two)
        return Ratio.of(np.minimum(one, two), np.maximum(one, two), if_undefined=1)
