"""Edit distance: characters to insert, delete or replace, over the length of the longer text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from otherwords.measures.columns import Texts, map_texts, same_length, text_array
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
        one, two = (self._strings(texts) for texts in (texts1, texts2))
        pairs = same_length(one, two)
        distances = cpdist(one, two, scorer=Levenshtein.distance, dtype=np.int64, workers=1)
        longer = np.fromiter((max(len(a), len(b)) for a, b in zip(one, two, strict=True)), np.int64, pairs)
        return Ratio.of(distances, longer, if_undefined=0)

    def _strings(self, texts: Texts) -> list[str]:
        strings: list[str] = (map_texts(str.lower, texts) if self.case == "lc" else text_array(texts)).to_pylist()
        return strings
