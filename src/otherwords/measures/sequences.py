"""Measures on texts as sequences: edit distance of characters, common subsequence of tokens, lengths in tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords import _kernels
from otherwords.measures.columns import Texts, column, map_texts, same_length
from otherwords.measures.cut import Case
from otherwords.measures.options import Options, signature
from otherwords.measures.ratio import Ratio, RatioMeasure, TokenRatio


@dataclass(frozen=True)
class Edit(RatioMeasure):
    """Levenshtein distance in characters / length of the longer text; 0 is equal."""

    case: Case = "mixed"
    name: str = "edit"

    @classmethod
    def build(cls, options: Options) -> Edit:
        return cls(options.case(), options.spec)

    def signature(self) -> str:
        return signature("edit", {"unit": "code-point", "case": self.case})

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        if self.case == "lc":
            texts1, texts2 = map_texts(str.lower, texts1), map_texts(str.lower, texts2)
        column1, column2 = column(texts1), column(texts2)
        out = np.empty((same_length(column1, column2), 3), np.int64)
        _kernels.edit_distance(*column1.buffers, *column2.buffers, out)
        length1, length2, distance = out.T
        return Ratio.of(distance, np.maximum(length1, length2), if_undefined=0)


@dataclass(frozen=True)
class CommonSubsequence(TokenRatio):
    """Longest common subsequence of tokens / tokens of the longer text; 1 where both are empty."""

    name: str = "lcs"
    kind: ClassVar[str] = "lcs"

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        length1, length2, common = self.cut.statistics(_kernels.common_subsequence, texts1, texts2).T
        return Ratio.of(common, np.maximum(length1, length2), if_undefined=1)


@dataclass(frozen=True)
class LengthRatio(TokenRatio):
    """Tokens of the shorter text / tokens of the longer one; 1 where both are empty."""

    name: str = "length-ratio"
    kind: ClassVar[str] = "length-ratio"

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        length1, length2 = self.cut.counts(texts1), self.cut.counts(texts2)
        same_length(length1, length2)
        return Ratio.of(np.minimum(length1, length2), np.maximum(length1, length2), if_undefined=1)
