"""BLEU (Papineni et al. 2002) with sacrebleu's values: text1 is the reference, text2 the hypothesis.

Statistics per row are the lengths and, for n-grams of one to four tokens, how many the hypothesis has
and how many of them the reference has too. Smoothing follows Chen and Cherry 2014 by sacrebleu's names:
``floor`` (method 1), ``add-k`` (method 2), ``exp`` (method 3), ``none``. Scores go from 0 to 100.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from otherwords import _kernels
from otherwords.measures.columns import Floats, Integers, Texts
from otherwords.measures.cut import Tokenisation
from otherwords.measures.options import Options, signature
from otherwords.measures.ratio import TokenMeasure

ORDERS = 4
LOG_OF_ZERO = -9999999999.0  # sacrebleu's
SMOOTHING = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}  # Chen and Cherry 2014, sacrebleu's defaults
TOKENISER_BY_LANGUAGE = {"ja": "ja-mecab", "zh": "zh"}


@dataclass(frozen=True, slots=True)
class BleuFormula:
    """From statistics to scores."""

    smooth: str = "exp"
    k: float | None = None
    effective_order: bool = True

    def scores(self, statistics: Integers) -> Floats:
        """Rows × orders × (n-grams of the reference, of the hypothesis, matched) to one score per row."""
        reference_length, hypothesis_length = statistics[:, 0, 0], statistics[:, 0, 1]
        total, correct = statistics[:, :, 1].astype(np.float64), statistics[:, :, 2].astype(np.float64)
        logs, orders = self._log_precisions(correct, total)
        with np.errstate(under="ignore"):
            mean = np.exp(logs / orders)
            # exp(1 − reference/hypothesis) where the hypothesis is shorter; 0 where it is empty
            empty = np.full(len(statistics), np.inf)
            ratio = np.divide(reference_length, hypothesis_length, out=empty, where=hypothesis_length > 0)
            brevity_penalty = np.where(hypothesis_length < reference_length, np.exp(1.0 - ratio), 1.0)
        scores: Floats = brevity_penalty * mean
        scores[~correct.any(axis=1)] = 0.0
        return np.minimum(scores, 100.0)

    def _log_precisions(self, correct: Floats, total: Floats) -> tuple[Floats, Floats]:
        """The sum of the logarithms of the precisions, and how many orders it is over."""
        rows = len(correct)
        logs, orders = np.zeros(rows), np.full(rows, float(ORDERS))
        reached, halvings = np.ones(rows, bool), np.ones(rows)
        for n in range(ORDERS):
            added = self._value if self.smooth == "add-k" and n > 0 else 0.0
            matched, possible = correct[:, n] + added, total[:, n] + added
            reached &= possible > 0
            missed = reached & (matched == 0)
            halvings[missed] *= 2.0
            precision = np.divide(100.0 * matched, possible, out=np.zeros(rows), where=reached)
            if self.smooth == "exp":
                precision[missed] = 100.0 / (halvings[missed] * possible[missed])
            elif self.smooth == "floor":
                precision[missed] = 100.0 * self._value / possible[missed]
            log = np.log(precision, out=np.full(rows, LOG_OF_ZERO), where=precision > 0)
            if self.effective_order:
                orders[reached] = n + 1
                log[~reached] = 0.0
            logs += log
        return logs, orders

    @property
    def _value(self) -> float:
        return self.k if self.k is not None else SMOOTHING[self.smooth] or 0.0

    def signature(self) -> str:
        return self.smooth if SMOOTHING[self.smooth] is None else f"{self.smooth}[{self._value:.2f}]"


@dataclass(frozen=True)
class Bleu(TokenMeasure):
    """Sentence BLEU of text2 against text1, with sacrebleu's values, 0 to 100."""

    cut: Tokenisation
    formula: BleuFormula = BleuFormula()
    name: str = "bleu"
    symmetric: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, 100.0)

    @classmethod
    def build(cls, options: Options) -> Bleu:
        cut = options.tokenisation("13a", TOKENISER_BY_LANGUAGE)
        smooth = options.choice("smooth", list(SMOOTHING), "exp")
        k = options.number("k", "the number of floor and add-k", SMOOTHING[smooth])
        effective = options.choice("eff", ["yes", "no"], "yes") == "yes"
        return cls(cut, BleuFormula(smooth, k, effective), options.spec)

    def signature(self) -> str:
        effective = "yes" if self.formula.effective_order else "no"
        cut = self.cut.signature()
        parts = {"nrefs": 1, "case": cut["case"], "eff": effective, "tok": cut["tok"]}
        return signature("bleu", {**parts, "smooth": self.formula.signature()})

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        return self.formula.scores(self.cut.statistics(_kernels.clipped_tokens, texts1, texts2, ORDERS))

    def corpus(self, texts1: Texts, texts2: Texts) -> float:
        """One score for all rows, from their summed statistics; orders are never left out, as in sacrebleu."""
        summed = self.cut.statistics(_kernels.clipped_tokens, texts1, texts2, ORDERS).sum(axis=0, keepdims=True)
        return float(replace(self.formula, effective_order=False).scores(summed)[0])
