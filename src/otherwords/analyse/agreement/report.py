"""What measuring agreement results in: coefficients and the one to quote, confusion matrices, weeks; and its options.

The coefficient to quote, one for each question, is first in every table and in one sentence. It is Krippendorff's
alpha, which takes any number of annotators and missing judgements: ordinal where the labels have an order, nominal
where they have none. Flags have no order, so labels with flags are compared without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np

from otherwords.analyse.figures.charts import FEWEST_IN_LINE
from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.codes import Codes, Ints
from otherwords.measures.agreement.pairwise import confusion_matrix
from otherwords.measures.agreement.resampling import LEVEL, Bootstrap
from otherwords.measures.agreement.scale import Scale
from otherwords.measures.agreement.setting import AgreementSetting

NOMINAL, ORDINAL = "alpha-nominal", "alpha-ordinal"
TYPES = "iapta-do-f1"
WORDS = {
    NOMINAL: "Krippendorff's nominal alpha",
    ORDINAL: "Krippendorff's ordinal alpha",
    TYPES: "IAPTA (F1 of type and scope)",
    f"{TYPES}-mean": "Mean IAPTA (F1 of type and scope)",
}
ANY = "any annotator"
MOST_MATRICES = 45  # on a page: those of ten annotators
By = Literal["annotator", "label", "week", "batch"]
FEWEST_WEEKS = 2  # a single one is no line


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


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each label of one annotator met each label of another."""

    part: str
    first: str
    second: str
    categories: tuple[str, ...]
    counts: Ints


def confusions_of_two(codes: Codes, setting: AgreementSetting) -> list[Confusion]:
    """How often the labels of every two annotators met, of the first few annotators."""
    title, names = set_title(setting), codes.names
    pairs = list(combinations(range(len(names)), 2))[:MOST_MATRICES]
    return [
        Confusion(title, names[first], names[second], codes.categories, confusion_matrix(codes, (first, second)))
        for first, second in pairs
    ]


def confusion_of_all(codes: Codes, setting: AgreementSetting, *, anonymous: bool) -> Confusion:
    """How often labels met on the same unit; of more than two annotators, every two judgements in both directions."""
    if len(codes.names) == 2 and not anonymous:
        return Confusion(set_title(setting), *codes.names, codes.categories, confusion_matrix(codes, (0, 1)))
    counts = codes.counts()
    together = counts.T @ counts - np.diag(counts.sum(axis=0))
    return Confusion(set_title(setting), ANY, ANY, codes.categories, together)


def set_title(setting: AgreementSetting) -> str:
    """The set of labels that coefficients and matrices are about."""
    return ", ".join([*(f"{name} {value}" for name, value in setting.part.items()), f"{setting.labels} labels"])


@dataclass(slots=True)
class AgreementReport:
    """Coefficients, remarks about them, and what pictures are drawn from."""

    figures: list[Coefficient] = field(default_factory=list)
    headlines: list[Headline] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    other_purposes: list[str] = field(default_factory=list)  # of judgements that are compared on request only
    confusions: list[Confusion] = field(default_factory=list)  # of every two annotators
    all_labels: list[Confusion] = field(default_factory=list)  # of all annotators together, one for each question
    weeks: dict[str, dict[str, list[Coefficient]]] = field(default_factory=dict)  # by set of labels, then by week

    @property
    def computed(self) -> bool:
        return any(coefficient.value is not None for coefficient in self.figures)


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """Parts, projections, intervals and pictures to compute. Without projections, the full labels are compared."""

    by: By | None = None
    labels: tuple[str, ...] = ()
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    project: Path | None = None
    pictures: bool = False


def measure_name(coefficient: Coefficient) -> str:
    """The name of a measure without the part of the judgements that it was computed on."""
    return coefficient.measure.partition(":")[0]


@dataclass(frozen=True, slots=True)
class DrawnWeeks:
    """The weeks of a line in their order, and how many were left out because they have too few units."""

    weeks: dict[str, list[Coefficient]]
    too_small: int

    @property
    def is_line(self) -> bool:
        return len(self.weeks) >= FEWEST_WEEKS

    @property
    def remark(self) -> str:
        """Why weeks or the whole line are missing, as a sentence; empty if nothing is."""
        if not self.too_small or len(self.weeks) + self.too_small < FEWEST_WEEKS:
            return ""
        if not self.is_line:
            return (
                f"No line is drawn from week to week: it needs {FEWEST_WEEKS} weeks with {FEWEST_IN_LINE} units each."
            )
        noun, verb = ("week", "is") if self.too_small == 1 else ("weeks", "are")
        return f"{self.too_small} {noun} with fewer than {FEWEST_IN_LINE} units {verb} left out."


def weeks_to_draw(weeks: Mapping[str, list[Coefficient]]) -> DrawnWeeks:
    """The weeks with enough units for a point of a line."""
    large = {week: weeks[week] for week in sorted(weeks) if _units(weeks[week]) >= FEWEST_IN_LINE}
    return DrawnWeeks(large, len(weeks) - len(large))


def _units(coefficients: list[Coefficient]) -> int:
    return max((coefficient.n for coefficient in coefficients), default=0)
