"""Measures that are a ratio of two whole numbers, so that the bin of a pair can be exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Integers, Texts
from otherwords.measures.cut import Tokenisation
from otherwords.measures.options import Options, signature


@dataclass(frozen=True, slots=True)
class Ratio:
    """Numerator and denominator per row; the denominator is never 0."""

    numerator: Integers
    denominator: Integers

    @classmethod
    def of(cls, numerator: Integers, denominator: Integers, if_undefined: npt.ArrayLike) -> Ratio:
        """The ratio, with a whole number in place of 0/0."""
        undefined = denominator == 0
        return cls(np.where(undefined, if_undefined, numerator), np.where(undefined, 1, denominator))


@runtime_checkable
class RatioMeasure(Measure, Protocol):
    """A measure that has the two numbers as well as their quotient."""

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio: ...

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        ratio = self.ratio(texts1, texts2)
        quotient: Floats = ratio.numerator / ratio.denominator
        return quotient


class TokenMeasure(Measure, Protocol):
    """A measure that counts in tokens."""

    cut: Tokenisation

    @property
    def tokeniser(self) -> str:
        return self.cut.tokeniser.name


@dataclass(frozen=True)
class TokenRatio(TokenMeasure, RatioMeasure):
    """A symmetric ratio that is counted in tokens; ``kind`` is its name in signatures."""

    cut: Tokenisation
    name: str
    kind: ClassVar[str]

    @classmethod
    def build(cls, options: Options) -> Self:
        return cls(options.tokenisation(), options.spec)

    def signature(self) -> str:
        return signature(self.kind, self.cut.signature())
