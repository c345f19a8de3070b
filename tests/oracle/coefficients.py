"""Coefficients of agreement, from their definitions: answers by unit and annotator in, one number out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

Answers = Mapping[str, Mapping[str, str]]  # by unit, then by annotator
Distance = Callable[[str, str], Fraction]
SEVERAL = 2


def judged_by_several(answers: Answers) -> list[list[str]]:
    """The values of each unit with two answers or more."""
    return [list(values.values()) for values in answers.values() if len(values) >= SEVERAL]


def observed(answers: Answers) -> Fraction:
    """How often two answers to a unit are equal, averaged over units."""
    shares = []
    for values in judged_by_several(answers):
        pairs = list(permutations(values, 2))
        shares.append(Fraction(sum(first == second for first, second in pairs), len(pairs)))
    return sum(shares, Fraction()) / len(shares)


def fleiss(answers: Answers) -> Fraction:
    """Fleiss' kappa for varying numbers of answers (Gwet 2014): chance is over all units, agreement over several."""
    chance: defaultdict[str, Fraction] = defaultdict(Fraction)
    for values in answers.values():
        for value in values.values():
            chance[value] += Fraction(1, len(values) * len(answers))
    expected = sum((share**2 for share in chance.values()), Fraction())
    return (observed(answers) - expected) / (1 - expected)


def cohen(answers: Answers, first: str, second: str) -> Fraction | None:
    """Cohen's kappa of two annotators on the units that both answered; None where all answers are the same."""
    both = [(values[first], values[second]) for values in answers.values() if {first, second} <= values.keys()]
    return kappa(both)


def kappa(both: Sequence[tuple[str, str]]) -> Fraction | None:
    """Cohen's kappa of pairs of answers."""
    if not both:
        return None
    firsts, seconds = Counter(first for first, _ in both), Counter(second for _, second in both)
    agreement = Fraction(sum(first == second for first, second in both), len(both))
    expected = Fraction(sum(firsts[value] * seconds[value] for value in firsts), len(both) ** 2)
    return None if expected == 1 else (agreement - expected) / (1 - expected)


def alpha(answers: Answers, distance: Distance) -> Fraction:
    """Krippendorff's alpha: 1 less the disagreement within units over that of all answers regardless of units."""
    units = judged_by_several(answers)
    everything = [value for values in units for value in values]
    within = sum(
        (Fraction(1, len(values) - 1) * distance(*pair) for values in units for pair in permutations(values, 2)),
        Fraction(),
    )
    counts = Counter(everything)
    across = sum(
        (
            counts[first] * (counts[second] - (first == second)) * distance(first, second)
            for first in counts
            for second in counts
        ),
        Fraction(),
    )
    return 1 - within * (len(everything) - 1) / across


def nominal(first: str, second: str) -> Fraction:
    """Two values are the same or they are not."""
    return Fraction(first != second)


def ordinal(answers: Answers, order: Iterable[str]) -> Distance:
    """How many answers lie between two values, half of those at the ends (Krippendorff 2011)."""
    counts = Counter(value for values in judged_by_several(answers) for value in values)
    ranks = list(order)

    def distance(first: str, second: str) -> Fraction:
        low, high = sorted((ranks.index(first), ranks.index(second)))
        between = sum(counts[value] for value in ranks[low : high + 1])
        return (between - Fraction(counts[first] + counts[second], 2)) ** 2

    return distance
