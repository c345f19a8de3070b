"""The gate: whether somebody does well enough to go on (Dou et al. 2022, §2.4).

It weighs the last answers of somebody: which tests were right, and for pairs that others judged too, their answer
beside the majority of the others. No database is used here, so that the simulation of a whole crowd goes through the
very same gate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from otherwords.annotate.batches.batch import BatchRules, Gate, HiddenTests
from otherwords.annotate.crowd.expected_tests import chance_of_tests, expected_tests

FEWEST_REACHED = 0.9  # share of those who judge everything that has to get enough tests
SharedAnswer = tuple[Hashable, Hashable]  # of somebody, and of the majority of the others


@dataclass(frozen=True, slots=True)
class GateFigures:
    """How well somebody does; a figure is None as long as there are too few answers, or if it is not defined."""

    tests: int
    accuracy: float | None
    shared: int
    kappa: float | None


def gate_figures(gate: Gate, right: Sequence[bool], shared: Sequence[SharedAnswer]) -> GateFigures:
    """Figures over the last answers, the latest last: whether each test was right, and shared answers."""
    tests, both = right[-gate.window :], shared[-gate.window :]
    accuracy = sum(tests) / len(tests) if len(tests) >= max(1, gate.fewest_tests) else None
    agreement = cohens_kappa(both) if len(both) >= max(1, gate.fewest_shared) else None
    return GateFigures(len(tests), accuracy, len(both), agreement)


def shortfalls(gate: Gate, measured: GateFigures) -> list[str]:
    """Why somebody may not go on; empty if they may."""
    reasons = []
    if measured.accuracy is not None and measured.accuracy <= gate.accuracy:
        right = f"{100 * measured.accuracy:.0f} % of the last {measured.tests} tests right"
        reasons.append(f"{right}, not more than {100 * gate.accuracy:.0f} %")
    if measured.kappa is not None and measured.kappa <= gate.kappa:
        majority = f"with the majority of the others on the last {measured.shared} pairs"
        reasons.append(f"kappa {measured.kappa:.2f} {majority}, not more than {gate.kappa:.2f}")
    return reasons


def may_fall_short(gate: Gate, right: Sequence[bool], shared: Sequence[SharedAnswer]) -> bool:
    """Whether somebody falls short by their answers since any moment."""
    recent = [gate_figures(gate, right[-count:], ()) for count in range(gate.fewest_tests, len(right) + 1)]
    recent += [gate_figures(gate, (), shared[-count:]) for count in range(gate.fewest_shared, len(shared) + 1)]
    return any(shortfalls(gate, measured) for measured in recent)


def gate_gaps(rules: BatchRules, pairs: int, asked: int) -> list[str]:
    """What the gate of a batch of so many pairs finds never or seldom, for want of answers."""
    gate, gaps = rules.gate, []
    if gate is None:
        return []
    can_grow = bool(rules.deployment)
    if rules.tests is not None and (gap := _tests_gap(rules.tests, gate, None if can_grow else pairs)):
        gaps.append(gap)
    if asked > 1 and pairs < gate.fewest_shared and not can_grow:
        has = "the batch has 1" if pairs == 1 else f"the batch has {pairs}"
        gaps.append(
            "the gate can never pause anybody for differing from the others: it waits for "
            f"{gate.fewest_shared} pairs that others judged too, and {has}; use a gate with a smaller fewest_shared"
        )
    return gaps


def _tests_gap(tests: HiddenTests, gate: Gate, pairs: int | None) -> str | None:
    """Why the gate finds missed tests never or seldom; ``pairs`` is None for a batch that grows."""
    hint = "use more test pairs or more pairs, or a gate with a smaller fewest_tests"
    most = len(tests.pairs) if pairs != 0 else 0
    if most < gate.fewest_tests:
        gets = f"nobody gets more than {most} here" if most else "nobody gets any here"
        reason = f"it waits for {gate.fewest_tests} of them, and {gets}"
        return f"the gate can never pause anybody for missed tests: {reason}; {hint}"
    if pairs is None or (chance := chance_of_tests(tests, pairs, gate.fewest_tests)) >= FEWEST_REACHED:
        return None
    per_cent = f"{100 * chance:.0f}" if chance >= 0.01 else "fewer than 1"
    gets = f"whoever judges all {pairs:,} pairs gets {expected_tests(tests, pairs).mean:.1f} on average"
    reason = f"it waits for {gate.fewest_tests} of them, {gets}, and {per_cent} in 100 people get so many"
    return f"the gate gets too few tests of some people: {reason}; {hint}"


def majority(answers: Iterable[Hashable]) -> Hashable | None:
    """The most frequent answer; None if there is a tie or no answer."""
    first = Counter(answers).most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None
    return first[0][0]


def cohens_kappa(pairs: Iterable[tuple[Hashable, Hashable]] | Counter[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa of two columns, or of how often each row occurs; None if chance explains everything."""
    counts = Counter(pairs)
    total = counts.total()
    left: Counter[Hashable] = Counter()
    right: Counter[Hashable] = Counter()
    for (first, second), count in counts.items():
        left[first] += count
        right[second] += count
    by_chance = sum(left[label] * right[label] for label in left) / total**2
    if by_chance == 1:
        return None
    agreed = sum(count for (first, second), count in counts.items() if first == second)
    return (agreed / total - by_chance) / (1 - by_chance)
