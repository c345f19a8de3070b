"""Edit distance: characters to insert, delete or replace, over the length of the longer text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords import _kernels
from otherwords.measures.columns import Column, Texts, column, map_texts, same_length
from otherwords.measures.cut import Case
from otherwords.measures.options import Options
from otherwords.measures.ratio import Ratio, RatioMeasure
from otherwords.measures.signature import signature


@dataclass(frozen=True)
class Edit(RatioMeasure):
    """Levenshtein distance in characters / length of the longer text; 0 is equal."""

    case: Case = "mixed"
    name: str = "edit"
    symmetric: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> Edit:
        return cls(options.case(), options.spec)

    def signature(self) -> str:
        return signature("edit", {"unit": "code-point", "case": self.case})

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio:
        first, second = self._column(texts1), self._column(texts2)
        out = np.empty((same_length(first, second), 3), np.int64)
        _kernels.edit_distance(first.offsets, first.data, second.offsets, second.data, out)
        one, two, distance = out.T
        return Ratio.of(distance, np.maximum(one, two), if_undefined=0)

    def _column(self, texts: Texts) -> Column:
        return column(map_texts(str.lower, texts) if self.case == "lc" else texts)
