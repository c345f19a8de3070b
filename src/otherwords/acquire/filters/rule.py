"""What a rule is: for every pair of a block a verdict, 0 to keep it or the number of a reason, and its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords.acquire.filters.characters_of import CharacterCounts
from otherwords.errors import UsageError
from otherwords.measures.columns import Floats, Integers
from otherwords.measures.cut import Tokenisation
from otherwords.measures.options import Options

Verdicts = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdicts on the pairs of a block, and the values that they follow from, where a rule has bounds."""

    verdicts: Verdicts
    values: Floats | None = None
    high_values: Floats | None = None  # where the upper bound is for another value than the lower one


@dataclass(frozen=True, slots=True)
class BoundedValue:
    """A value of a rule, and which of the parameters ``min`` and ``max`` bound it."""

    meaning: str
    bounds: tuple[str, ...] = ("min", "max")


class Rule(Protocol):
    """Keeps a pair, or rejects it with a reason."""

    any_language: ClassVar[bool] = False  # whether one serves the texts of all languages, so that it is built once
    uses_model: ClassVar[bool] = False

    name: str  # as the user spelled it

    @property
    def reasons(self) -> Sequence[str]:
        """What it can say; verdict 1 is the first of them. One that it never says, for want of a bound, is empty."""

    @property
    def bounded(self) -> Sequence[BoundedValue]:
        """What thresholds can be proposed for: its value and, if there is another, the one of the upper bound."""
        return ()

    def signature(self) -> str:
        """Everything that its verdicts depend on."""
        ...

    def decide(self, texts: BlockTexts) -> Decision: ...


class RuleKind(Protocol):
    """What the registry contains: a class, or anything else, that builds a rule from its parameters."""

    def build(self, options: Options, /) -> Rule: ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a value has to lie between, both ends included; None is no bound."""

    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, options: Options, meaning: str, low: float | None = None, high: float | None = None) -> Bounds:
        """The bounds that the user gave as ``min`` and ``max``, or the usual ones."""
        bounds = cls(options.bound("min", f"least {meaning}", low), options.bound("max", f"greatest {meaning}", high))
        if bounds.low is not None and bounds.high is not None and bounds.low > bounds.high:
            message = f"rule {options.spec!r}: min={bounds.low:g} is above max={bounds.high:g}"
            raise UsageError(message, code="bounds-reversed")
        return bounds

    def verdicts(self, low_values: Floats, high_values: Floats | None = None) -> Verdicts:
        """1 where a value is below the bounds, 2 where one is above them."""
        verdicts = np.zeros(len(low_values), np.int8)
        if self.high is not None:
            verdicts[(low_values if high_values is None else high_values) > self.high] = 2
        if self.low is not None:
            verdicts[low_values < self.low] = 1
        return verdicts

    def reasons(self, below: str, above: str) -> tuple[str, str]:
        """What to say of a value beyond either bound, with the bound in place of {}; nothing where there is none."""
        return (
            below.format(f"{self.low:g}") if self.low is not None else "",
            above.format(f"{self.high:g}") if self.high is not None else "",
        )

    def parts(self) -> dict[str, str]:
        """As parts of a signature."""
        named = {"min": self.low, "max": self.high}
        return {name: f"{value:g}" for name, value in named.items() if value is not None}


class BlockTexts:
    """The two texts of every pair of a block, all of one language."""

    def __init__(self, texts1: pa.Array, texts2: pa.Array, lang: str | None = None) -> None:
        self.first, self.second, self.lang = texts1, texts2, lang
        self._tokens: dict[Tokenisation, tuple[Integers, Integers]] = {}

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def characters(self) -> tuple[CharacterCounts, CharacterCounts]:
        """How many characters of each class the first and the second texts have."""
        return CharacterCounts.of(self.first), CharacterCounts.of(self.second)

    def tokens(self, cut: Tokenisation) -> tuple[Integers, Integers]:
        """How many tokens the first and the second texts have."""
        if cut not in self._tokens:
            self._tokens[cut] = cut.counts(self.first), cut.counts(self.second)
        return self._tokens[cut]
