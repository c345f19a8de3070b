"""Measures that are a ratio of two whole numbers, so that the range a pair falls into can be exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Integers, Texts


@dataclass(frozen=True, slots=True)
class Ratio:
    """Numerator and denominator per row; the denominator is never 0."""

    numerator: Integers
    denominator: Integers

    @classmethod
    def of(cls, numerator: Integers, denominator: Integers, if_undefined: npt.ArrayLike) -> Ratio:
        """The ratio, with that whole number in place of 0/0."""
        undefined = denominator == 0
        return cls(np.where(undefined, if_undefined, numerator), np.where(undefined, 1, denominator))

    def value(self) -> Floats:
        quotient: Floats = self.numerator / self.denominator
        return quotient


@runtime_checkable
class RatioMeasure(Measure, Protocol):
    """A measure that gives the two numbers as well as their quotient."""

    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def ratio(self, texts1: Texts, texts2: Texts) -> Ratio: ...

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        return self.ratio(texts1, texts2).value()
