"""Length in tokens: both texts have to have enough of them, not too many, and about the same number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from otherwords.acquire.filters.rule import BlockTexts, BoundedValue, Bounds, Decision, Rule
from otherwords.measures.cut import Tokenisation
from otherwords.measures.options import Options, signature

FEWEST, MOST = 3, 100  # tokens
LEAST_RATIO = 0.5


@dataclass(frozen=True)
class Length(Rule):
    """Tokens of each text."""

    cut: Tokenisation
    bounds: Bounds
    name: str = "length"

    @classmethod
    def build(cls, options: Options) -> Length:
        return cls(options.tokenisation(), Bounds.of(options, "tokens of a text", FEWEST, MOST), options.spec)

    @property
    def reasons(self) -> Sequence[str]:
        return self.bounds.reasons("a text has fewer than {} tokens", "a text has more than {} tokens")

    @property
    def bounded(self) -> Sequence[BoundedValue]:
        return BoundedValue("tokens of the shorter text", ("min",)), BoundedValue("tokens of the longer text", ("max",))

    def signature(self) -> str:
        return signature("length", {**self.bounds.parts(), **self.cut.signature()})

    def decide(self, texts: BlockTexts) -> Decision:
        first, second = (counts.astype(np.float64) for counts in texts.tokens(self.cut))
        shorter, longer = np.minimum(first, second), np.maximum(first, second)
        return Decision(self.bounds.verdicts(shorter, longer), shorter, longer)


@dataclass(frozen=True)
class RatioRule(Rule):
    """Tokens of the shorter text / tokens of the longer one, as the measure length-ratio has it."""

    cut: Tokenisation
    bounds: Bounds
    name: str = "ratio"

    @classmethod
    def build(cls, options: Options) -> RatioRule:
        return cls(options.tokenisation(), Bounds.of(options, "ratio of lengths", LEAST_RATIO), options.spec)

    @property
    def reasons(self) -> Sequence[str]:
        return self.bounds.reasons(
            "the shorter text has less than {} of the tokens of the longer",
            "the shorter text has more than {} of the tokens of the longer",
        )

    @property
    def bounded(self) -> Sequence[BoundedValue]:
        return (BoundedValue("tokens of the shorter text / tokens of the longer"),)

    def signature(self) -> str:
        return signature("ratio", {**self.bounds.parts(), **self.cut.signature()})

    def decide(self, texts: BlockTexts) -> Decision:
        first, second = texts.tokens(self.cut)
        longer = np.maximum(first, second)
        ratios = np.divide(np.minimum(first, second), longer, out=np.ones(len(longer)), where=longer > 0)
        return Decision(self.bounds.verdicts(ratios), ratios)
