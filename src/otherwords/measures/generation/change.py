"""How much outputs differ from their sources and from each other: Self-BLEU, PINC, copies, distinct n-grams."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords.measures.agreement.resampling import Estimate
from otherwords.measures.bleu import SMOOTHING, TOKENISER_BY_LANGUAGE, BleuFormula
from otherwords.measures.cut import Tokenisation
from otherwords.measures.generation.metric import Evidence, GeneratedTexts, GenerationMetric, mean_of, quotient
from otherwords.measures.generation.ngrams import counted, number_tokens
from otherwords.measures.generation.references import bleu_signature, bleu_statistics, corpus_bleu
from otherwords.measures.intervals import NORMAL
from otherwords.measures.options import Options, signature
from otherwords.measures.sets import Pinc
from otherwords.text.normalise import plain


@dataclass(frozen=True)
class SelfBleu(GenerationMetric):
    """BLEU of outputs against their sources: the lower, the more they change (Dou et al. 2022, §4.2)."""

    cut: Tokenisation
    formula: BleuFormula
    name: str = "self-bleu"
    better: ClassVar[str] = "lower"

    @classmethod
    def build(cls, options: Options) -> SelfBleu:
        cut = options.tokenisation("13a", TOKENISER_BY_LANGUAGE)
        return cls(cut, BleuFormula(options.choice("smooth", list(SMOOTHING), "exp")))

    def signature(self) -> str:
        return bleu_signature("self-bleu", 1, self.cut, self.formula)

    def sentence_signature(self) -> str:
        """That of the scores of single outputs."""
        return bleu_signature("self-bleu", 1, self.cut, self.formula, by_sentence=True)

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        against = GeneratedTexts(texts.sources, texts.outputs, [(source,) for source in texts.sources])
        return corpus_bleu(bleu_statistics(against, self.cut), self.formula, np.ones(len(texts), bool))


@dataclass(frozen=True)
class SourcePinc(GenerationMetric):
    """Share of the n-grams of outputs that their sources lack, n = 1 to 4 (Chen and Dolan 2011)."""

    pinc: Pinc
    name: str = "pinc"
    better: ClassVar[str] = "neither"

    @classmethod
    def build(cls, options: Options) -> SourcePinc:
        return cls(Pinc.build(options))

    def signature(self) -> str:
        return self.pinc.signature()

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        return mean_of(self.pinc.scores(texts.sources, texts.outputs))


@dataclass(frozen=True)
class CopyRate(GenerationMetric):
    """Share of outputs that are their source but for case, punctuation and blanks."""

    name: str = "copies"
    better: ClassVar[str] = "lower"

    @classmethod
    def build(cls, options: Options) -> CopyRate:
        return cls()

    def signature(self) -> str:
        return signature("copies", {"form": "plain"})

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        return mean_of(np.array(copied(texts), np.float64))


def copied(texts: GeneratedTexts) -> list[bool]:
    """Which outputs are their source but for case, punctuation and blanks."""
    pairs = zip(texts.sources, texts.outputs, strict=True)
    return [source.strip() == output.strip() or plain(source) == plain(output) != "" for source, output in pairs]


@dataclass(frozen=True)
class Distinct(GenerationMetric):
    """Different n-grams of all outputs over all their n-grams (Li et al. 2016).

    It falls with the number of outputs: only equally long lists can be compared. Its interval is a jackknife's, since a
    resample repeats outputs and so has fewer different ones.
    """

    cut: Tokenisation
    order: int = 2
    name: str = "distinct"

    @classmethod
    def build(cls, options: Options) -> Distinct:
        _, order = options.orders("n", "2")
        return cls(options.tokenisation(), order, options.spec)

    def signature(self) -> str:
        return signature("distinct", {"n": self.order, **self.cut.signature()})

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        *_, (grams, owners) = number_tokens(self.cut, texts.outputs).ngrams(self.order)
        rows = len(texts)
        owner, gram, count = counted(grams, owners)
        total = np.bincount(owner, count, rows)
        here_only = np.bincount(gram, minlength=1)[gram] == 1  # in no other output
        different = len(np.unique(gram))
        sums = np.array([[different, total.sum()]], np.float64)
        value = float(quotient(sums)[0])
        own = np.bincount(owner, minlength=rows).astype(np.float64)
        scores = np.divide(own, total, out=np.full(rows, np.nan), where=total > 0)
        without = np.stack([different - np.bincount(owner[here_only], minlength=rows), total.sum() - total], axis=1)
        return Evidence(scores, np.zeros((rows, 0)), quotient, _jackknife(value, quotient(without.astype(np.float64))))


def _jackknife(value: float, without: np.ndarray) -> Estimate:
    """A value with its interval, from the values that each row is left out of."""
    if not math.isfinite(value):
        return Estimate(None)
    if len(without) < 2 or not np.isfinite(without).all():
        return Estimate(value)
    spread = math.sqrt((len(without) - 1) / len(without) * math.fsum((without - without.mean()) ** 2))
    return Estimate(value, max(0.0, value - NORMAL * spread), min(1.0, value + NORMAL * spread))
