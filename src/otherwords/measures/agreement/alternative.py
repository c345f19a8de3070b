"""The alternative annotator test: may a model stand in for a person (Calderon, Reichart and Dror 2025)?

Each annotator is left out in turn. On every unit, the model and the annotator are scored by how many of the remaining
annotators gave the same label; whoever scores at least as high as the other has the advantage there, and where they tie
both have it. The model wins against an annotator if the annotator's advantage exceeds its own by less than ε, by a
one-sided t-test over units, with all annotators' p-values corrected by Benjamini and Yekutieli. A model that wins
against at least half of the annotators may stand in.

This is the variant for labels, scored by accuracy (§3). A single expert, and weights for rare labels (appendix), are
left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NoReturn

import msgspec

from otherwords.errors import DataError
from otherwords.measures.intervals import incomplete_beta

EXPERTS, SKILLED, CROWD = 0.2, 0.15, 0.1  # ε by who the annotators are; §3.3 and FAQ
FEWEST_ANNOTATORS = 3  # with two, a person would be compared with one other, §5
FEWEST_UNITS = 30  # of each annotator; with fewer, the mean is not normal enough for a t-test, §5
PASSING_RATE = 0.5
FALSE_DISCOVERIES = 0.05
Answers = Mapping[str, str]  # labels by unit


class AnnotatorAdvantage(msgspec.Struct, frozen=True):
    """The model beside one annotator, both compared with all others."""

    annotator: str
    n: int  # units that the annotator, the model and somebody else judged
    model: float  # share of the units on which the model agrees with the others at least as well as the annotator
    person: float  # … and the annotator at least as well as the model
    p: float
    wins: bool  # after the correction


class AlternativeTest(msgspec.Struct, frozen=True):
    """The outcome of a test."""

    model: str
    epsilon: float
    units: int
    winning_rate: float  # ω
    advantage: float  # ρ, the mean of the model's advantages: by it models are compared
    annotators: list[AnnotatorAdvantage]
    left_out: dict[str, int] = {}  # annotators with too few units, who still count among the others; their units

    @property
    def passes(self) -> bool:
        """Whether the model may stand in."""
        return self.winning_rate >= PASSING_RATE


def alternative_test(
    model: str, answers: Answers, people: Mapping[str, Answers], epsilon: float = EXPERTS
) -> AlternativeTest:
    """Test a model, given by its labels and those of each annotator."""
    if not 0 <= epsilon < 1:
        raise DataError(f"ε is at least 0 and less than 1, not {epsilon:g}", code="bad-epsilon")
    by_unit: dict[str, dict[str, str]] = {}
    for name, labels in people.items():
        for unit, label in labels.items():
            if unit in answers:
                by_unit.setdefault(unit, {})[name] = label
    shared = {unit: labels for unit, labels in by_unit.items() if len(labels) > 1}
    differences: dict[str, list[tuple[bool, bool]]] = {}
    for unit, labels in shared.items():
        for name, label in labels.items():
            others = [other for somebody, other in labels.items() if somebody != name]
            own, of_model = others.count(label), others.count(answers[unit])
            differences.setdefault(name, []).append((of_model >= own, own >= of_model))
    counts = {name: len(differences.get(name, ())) for name in sorted(people)}
    names = [name for name, count in counts.items() if count >= FEWEST_UNITS]
    few = {name: count for name, count in counts.items() if count < FEWEST_UNITS}
    if len(names) < FEWEST_ANNOTATORS:
        _refuse(model, len(people), few)
    p_values = [_p_value([int(own) - int(better) for better, own in differences[name]], epsilon) for name in names]
    rejected = benjamini_yekutieli(p_values, FALSE_DISCOVERIES)
    rows = [
        AnnotatorAdvantage(name, len(differences[name]), *_shares(differences[name]), p, wins)
        for name, p, wins in zip(names, p_values, rejected, strict=True)
    ]
    rate, advantage = sum(rejected) / len(rows), sum(row.model for row in rows) / len(rows)
    return AlternativeTest(model, epsilon, len(shared), rate, advantage, rows, few)


def _refuse(model: str, annotators: int, few: Mapping[str, int]) -> NoReturn:
    """Say what is missing for a test."""
    if annotators < FEWEST_ANNOTATORS:
        message = f"the alternative annotator test needs {FEWEST_ANNOTATORS} annotators or more; there are {annotators}"
        raise DataError(message, code="too-few-annotators")
    listed = ", ".join(f"{name} {count}" for name, count in few.items())
    message = (
        f"the alternative annotator test needs {FEWEST_ANNOTATORS} annotators, each with {FEWEST_UNITS} units or more "
        f"that {model} and somebody else judged too; there are too few of {listed}"
    )
    raise DataError(message, code="too-few-units")


def _shares(compared: Sequence[tuple[bool, bool]]) -> tuple[float, float]:
    return sum(better for better, _ in compared) / len(compared), sum(own for _, own in compared) / len(compared)


def _p_value(differences: Sequence[int], epsilon: float) -> float:
    """Of the hypothesis that an annotator's advantage exceeds that of the model by ε or more."""
    n = len(differences)
    mean = sum(differences) / n
    squares = sum((difference - mean) ** 2 for difference in differences)
    if not squares:  # all units are alike, so there is nothing to be uncertain of
        return 0.0 if mean < epsilon else 1.0
    return t_below((mean - epsilon) / math.sqrt(squares / (n - 1) / n), n - 1)


def benjamini_yekutieli(p_values: Sequence[float], rate: float) -> list[bool]:
    """Which hypotheses are rejected at a false discovery rate, whatever their dependence (2001, theorem 1.3)."""
    count = len(p_values)
    harmonic = sum(1 / rank for rank in range(1, count + 1))
    order = sorted(range(count), key=p_values.__getitem__)
    passing = [rank for rank, place in enumerate(order, 1) if p_values[place] <= rank * rate / (count * harmonic)]
    rejected = set(order[: max(passing, default=0)])
    return [place in rejected for place in range(count)]


def t_below(t: float, freedom: int) -> float:
    """The probability that Student's t is below a value."""
    tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return tail if t < 0 else 1 - tail
