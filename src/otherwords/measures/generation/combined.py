"""Closeness and change in one number: BERT-iBLEU (Niu et al. 2021) and ParaScore (Shen et al. 2022)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherwords.measures import measure
from otherwords.measures.columns import Floats
from otherwords.measures.generation.change import SelfBleu
from otherwords.measures.generation.metric import Evidence, GeneratedTexts, GenerationMetric, mean_of
from otherwords.measures.generation.token_matching import TokenMatcher, best_scores, encoder_option
from otherwords.measures.options import Options, signature

BETA = 4.0  # Niu et al. 2021, §3: closeness weighs four times as much as change
CHANGE_WEIGHT, ENOUGH_CHANGE = 0.05, 0.35  # ω and γ of Shen et al. 2022, §5


@dataclass(frozen=True)
class BertIBleu(GenerationMetric):
    """Harmonic mean of BERTScore to the source and of 1 − Self-BLEU, by output, then averaged; a copy has 0."""

    matcher: TokenMatcher
    self_bleu: SelfBleu
    beta: float = BETA
    name: str = "bert-ibleu"

    @classmethod
    def build(cls, options: Options) -> BertIBleu:
        beta = options.number("beta", "how much closeness weighs", BETA) or BETA
        matcher = TokenMatcher(encoder_option(options), options.lang)
        return cls(matcher, SelfBleu.build(options), beta, options.spec)

    def signature(self) -> str:
        model = self.matcher.encoder.signature.replace("|", ";")
        bleu = self.self_bleu.sentence_signature().partition("|version")[0].replace("|", ";")
        return signature("bert-ibleu", {"beta": f"{self.beta:g}", "model": model, "bleu": bleu})

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        closeness = best_scores(self.matcher, texts.outputs, [(source,) for source in texts.sources])
        change = 1.0 - self.self_bleu.evidence(texts).scores / 100.0
        return mean_of(weighted_harmonic(closeness, change, self.beta))


def weighted_harmonic(closeness: Floats, change: Floats, beta: float) -> Floats:
    """(β + 1) / (β / closeness + 1 / change); 0 where one of them is not above 0."""
    both = (closeness > 0) & (change > 1e-12)
    out = np.zeros(len(closeness))
    out[both] = (beta + 1) / (beta / closeness[both] + 1 / change[both])
    return out


@dataclass(frozen=True)
class ParaScore(GenerationMetric):
    """BERTScore to the source or to a reference, whichever is higher, and a little for a change of wording.

    The change is the edit distance in characters to the source over the longer length; more than 0.35 adds nothing.
    Without references it is the form that needs none.
    """

    matcher: TokenMatcher
    weight: float = CHANGE_WEIGHT
    enough: float = ENOUGH_CHANGE
    name: str = "parascore"

    @classmethod
    def build(cls, options: Options) -> ParaScore:
        weight = options.number("weight", "how much a change weighs", CHANGE_WEIGHT) or CHANGE_WEIGHT
        return cls(TokenMatcher(encoder_option(options), options.lang), weight, name=options.spec)

    def signature(self) -> str:
        model = self.matcher.encoder.signature.replace("|", ";")
        parts = {"weight": f"{self.weight:g}", "enough": f"{self.enough:g}", "edit": "characters", "model": model}
        return signature("parascore", parts)

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        sets = [(source, *found) for source, found in zip(texts.sources, texts.reference_sets(), strict=True)]
        closeness = best_scores(self.matcher, texts.outputs, sets)
        distance = measure("edit").scores(texts.sources, texts.outputs)
        change = np.where(distance > self.enough, self.enough, distance * (self.enough + 1) / self.enough - 1)
        return mean_of(closeness + self.weight * change)
