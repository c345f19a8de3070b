"""chrF (Popović 2015) with sacrebleu's values: text1 is the reference, text2 the hypothesis.

The F-score of character n-grams up to six, white space left out, recall weighing twice as much as
precision. Orders that either text is too short for are left out. Scores go from 0 to 100.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords import _kernels
from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Integers, Texts, column, map_texts, same_length
from otherwords.measures.cut import Case
from otherwords.measures.options import Options, signature

ORDERS = 6  # Popović 2015
BETA = 2  # Popović 2016, chrF2


def chrf_statistics(texts1: Texts, texts2: Texts, case: Case = "mixed") -> Integers:
    """Rows × orders × (n-grams of text1, of text2, matched and clipped), of characters."""
    if case == "lc":
        texts1, texts2 = map_texts(str.lower, texts1), map_texts(str.lower, texts2)
    column1, column2 = column(texts1), column(texts2)
    out = np.empty((same_length(column1, column2), ORDERS, 3), np.int64)
    _kernels.clipped_characters(*column1.buffers, *column2.buffers, out, _kernels.CHARACTERS, ORDERS)
    return out


def f_scores(statistics: Integers) -> Floats:
    """Statistics to scores: the F of the mean precision and the mean recall over the orders of both texts."""
    reference, hypothesis, matched = np.moveaxis(statistics, 2, 0).astype(np.float64)
    both = (reference > 0) & (hypothesis > 0)
    precisions = np.divide(matched, hypothesis, out=np.zeros_like(matched), where=both)
    recalls = np.divide(matched, reference, out=np.zeros_like(matched), where=both)
    orders = np.maximum(both.sum(axis=1), 1)
    # Added from the first order to the last, so that the rounding is sacrebleu's.
    precision, recall = sum(precisions.T) / orders, sum(recalls.T) / orders
    factor = BETA * BETA
    denominator = factor * precision + recall
    score: Floats = np.divide(
        (1 + factor) * precision * recall, denominator, out=np.zeros(len(denominator)), where=denominator > 0
    )
    return np.minimum(100.0 * score, 100.0)


@dataclass(frozen=True)
class Chrf(Measure):
    """chrF of text2 against text1, with sacrebleu's values, 0 to 100."""

    case: Case = "mixed"
    name: str = "chrf"
    symmetric: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, 100.0)

    @classmethod
    def build(cls, options: Options) -> Chrf:
        return cls(options.case(), options.spec)

    def signature(self) -> str:
        parts = {"nrefs": 1, "case": self.case, "eff": "yes", "nc": ORDERS, "nw": 0, "space": "no"}
        return signature("chrf", parts)

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        return f_scores(chrf_statistics(texts1, texts2, self.case))

    def corpus(self, texts1: Texts, texts2: Texts) -> float:
        """One score for all rows, from their summed statistics."""
        statistics = chrf_statistics(texts1, texts2, self.case)
        # n-grams of a hypothesis count only where the reference has some of that length, as in sacrebleu
        statistics[:, :, 1] *= statistics[:, :, 0] > 0
        return float(f_scores(statistics.sum(axis=0, keepdims=True))[0])
