"""The coefficient to quote: one for each question, first in every table and in one sentence.

It is Krippendorff's alpha, which takes any number of annotators and missing judgements: ordinal where the labels have
an order, nominal where they have none. Flags have no order, so labels with flags are compared without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.resampling import LEVEL
from otherwords.measures.agreement.scale import Scale

NOMINAL, ORDINAL = "alpha-nominal", "alpha-ordinal"
TYPES = "iapta-do-f1"
WORDS = {
    NOMINAL: "Krippendorff's nominal alpha",
    ORDINAL: "Krippendorff's ordinal alpha",
    TYPES: "IAPTA (F1 of type and scope)",
    f"{TYPES}-mean": "Mean IAPTA (F1 of type and scope)",
}


@dataclass(frozen=True, slots=True)
class Headline:
    """A coefficient to quote, and what it is over."""

    coefficient: Coefficient
    noun: str

    @property
    def sentence(self) -> str:
        """The coefficient with its interval, its n and what it is over."""
        coefficient = self.coefficient
        name, _, part = coefficient.measure.partition(":")
        about = f" ({part.replace('=', ' ').replace(',', ', ')})" if part else ""
        interval = ""
        if coefficient.low is not None and coefficient.high is not None:
            interval = f", {LEVEL} % interval {coefficient.low:.3f} to {coefficient.high:.3f}"
        noun = self.noun if coefficient.n == 1 else f"{self.noun}s"
        people = f" by two or more of {len(coefficient.annotators)} annotators"
        if len(coefficient.annotators) < 3:
            people = " by both annotators" if coefficient.annotators else " by two or more unnamed people"
        purposes = f" for {' and '.join(coefficient.purposes)}" if coefficient.purposes else ""
        return (
            f"{WORDS[name]}{about} is {coefficient.value:.3f}{interval}, over {coefficient.n:,} {noun} that were judged"
            f"{people}{purposes} ({coefficient.labels} labels)"
        )


def headline_of(coefficients: Iterable[Coefficient], scale: Scale) -> Coefficient | None:
    """The coefficient to quote of all annotators together on one set of labels; None if it has no value."""
    wanted = NOMINAL if scale.level == "nominal" else ORDINAL
    found = (coefficient for coefficient in coefficients if coefficient.measure.partition(":")[0] == wanted)
    return next((coefficient for coefficient in found if coefficient.value is not None), None)
