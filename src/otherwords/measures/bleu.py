"""BLEU (Papineni et al. 2002) with sacrebleu's values: text1 is the reference, text2 the hypothesis.

Statistics per row are the lengths and, for n-grams of one to four tokens, how many the hypothesis has
and how many of them the reference has too. Smoothing follows Chen and Cherry 2014 by sacrebleu's names:
``floor`` (method 1), ``add-k`` (method 2), ``exp`` (method 3), ``none``. Scores go from 0 to 100.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Integers, Texts
from otherwords.measures.cut import Cut
from otherwords.measures.options import Options
from otherwords.measures.signature import signature

ORDERS = 4
LOG_OF_ZERO = -9999999999.0  # sacrebleu's
SMOOTHING = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}  # Chen and Cherry 2014, sacrebleu's defaults
TOKENISER_BY_LANGUAGE = {"ja": "ja-mecab", "zh": "zh"}


@dataclass(frozen=True, slots=True)
class Formula:
    """From statistics to scores."""

    smooth: str = "exp"
    k: float | None = None
    effective_order: bool = True

    def scores(self, statistics: Integers) -> Floats:
        """Rows × orders × (n-grams of the reference, of the hypothesis, matched) to one score a row."""
        reference_length, hypothesis_length = statistics[:, 0, 0], statistics[:, 0, 1]
        total, correct = statistics[:, :, 1].astype(np.float64), statistics[:, :, 2].astype(np.float64)
        logs, orders = self._log_precisions(correct, total)
        with np.errstate(under="ignore"):
            mean = np.exp(logs / orders)
        scores = brevity_penalty(hypothesis_length, reference_length) * mean
        scores[~correct.any(axis=1)] = 0.0
        return np.minimum(scores, 100.0)

    def _log_precisions(self, correct: Floats, total: Floats) -> tuple[Floats, Floats]:
        """The sum of the logarithms of the precisions, and how many orders it is over."""
        rows = len(correct)
        logs, orders = np.zeros(rows), np.full(rows, float(ORDERS))
        reached, halvings = np.ones(rows, bool), np.ones(rows)
        for n in range(ORDERS):
            added = self._value if self.smooth == "add-k" and n > 0 else 0.0
            matched, made = correct[:, n] + added, total[:, n] + added
            reached &= made > 0
            missed = reached & (matched == 0)
            halvings[missed] *= 2.0
            precision = np.divide(100.0 * matched, made, out=np.zeros(rows), where=reached)
            if self.smooth == "exp":
                precision[missed] = 100.0 / (halvings[missed] * made[missed])
            elif self.smooth == "floor":
                precision[missed] = 100.0 * self._value / made[missed]
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


def brevity_penalty(hypothesis_length: Integers, reference_length: Integers) -> Floats:
    """exp(1 − reference/hypothesis) where the hypothesis is shorter; 0 where it is empty."""
    ratio = np.divide(
        reference_length, hypothesis_length, out=np.full(len(hypothesis_length), np.inf), where=hypothesis_length > 0
    )
    with np.errstate(under="ignore"):
        penalty = np.exp(1.0 - ratio)
    return np.where(hypothesis_length < reference_length, penalty, 1.0)


@dataclass(frozen=True)
class Bleu(Measure):
    """Sentence BLEU of text2 against text1, with sacrebleu's values, 0 to 100."""

    cut: Cut
    formula: Formula = Formula()
    name: str = "bleu"
    symmetric: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, 100.0)

    @classmethod
    def build(cls, options: Options) -> Bleu:
        cut = options.cut("13a", TOKENISER_BY_LANGUAGE)
        smooth = options.choice("smooth", list(SMOOTHING), "exp")
        k = options.number("k", "the number of floor and add-k", SMOOTHING[smooth])
        effective = options.choice("eff", ["yes", "no"], "yes") == "yes"
        return cls(cut, Formula(smooth, k, effective), options.spec)

    @property
    def tokeniser(self) -> str:
        return self.cut.tokeniser.name

    def signature(self) -> str:
        effective = "yes" if self.formula.effective_order else "no"
        cut = self.cut.signature()
        parts = {"nrefs": 1, "case": cut["case"], "eff": effective, "tok": cut["tok"]}
        return signature("bleu", {**parts, "smooth": self.formula.signature()})

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        return self.formula.scores(self.cut.clipped(texts1, texts2, ORDERS))

    def corpus(self, texts1: Texts, texts2: Texts) -> float:
        """One score for all rows, from their summed statistics; orders are never left out, as in sacrebleu."""
        summed = self.cut.clipped(texts1, texts2, ORDERS).sum(axis=0, keepdims=True)
        return float(replace(self.formula, effective_order=False).scores(summed)[0])


def corpus_bleu(texts1: Texts, texts2: Texts, spec: str = "bleu", lang: str | None = None) -> float:
    """Corpus BLEU of the second texts against the first, 0 to 100."""
    return Bleu.build(Options.parse(spec, lang)).corpus(texts1, texts2)
