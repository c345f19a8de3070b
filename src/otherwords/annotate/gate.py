"""The gate: whether somebody does well enough to go on (Dou et al. 2022, §2.4).

In go the last answers of somebody: which tests were right, and of the pairs that others judged too what they said
beside the majority of the others. Out come two figures and what is wrong with them. No database is asked here, so
that the simulation of a whole crowd goes through the very same gate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from otherwords.annotate.batches import Gate, Rules
from otherwords.errors import Refused

MOST_WINDOW = 500


@dataclass(frozen=True, slots=True)
class Figures:
    """How somebody does; a figure is None as long as too few answers are there, or where it has no value."""

    tests: int
    accuracy: float | None
    shared: int
    kappa: float | None


def check_gate(rules: Rules, asked: int) -> None:
    """Refuse a gate that nobody could pass or nobody could fail."""
    gate = rules.gate
    if gate is None:
        return
    if not 0 <= gate.accuracy < 1 or not -1 <= gate.kappa < 1:
        raise Refused("a gate asks for an accuracy from 0 up to, and not with, 1, and for a kappa from -1 to below 1")
    if not 1 <= gate.fewest_tests <= gate.window or not 1 <= gate.fewest_shared <= gate.window <= MOST_WINDOW:
        raise Refused(f"a gate looks at up to {MOST_WINDOW} answers, and at no fewer than it needs")
    if rules.tests is None and asked < 2:
        raise Refused("a gate needs hidden tests, or at least 2 judgements of each pair, to have something to weigh")


def figures(gate: Gate, right: Sequence[bool], shared: Sequence[tuple[Hashable, Hashable]]) -> Figures:
    """Over the last answers, the latest last: of tests whether each was right, of others mine and the majority's."""
    tests, both = right[-gate.window :], shared[-gate.window :]
    accuracy = sum(tests) / len(tests) if len(tests) >= max(1, gate.fewest_tests) else None
    agreed = kappa(both) if len(both) >= max(1, gate.fewest_shared) else None
    return Figures(len(tests), accuracy, len(both), agreed)


def shortfalls(gate: Gate, found: Figures) -> list[str]:
    """Why somebody may not go on; nothing, where they may."""
    told = []
    if found.accuracy is not None and found.accuracy <= gate.accuracy:
        right = f"{100 * found.accuracy:.0f} % of the last {found.tests} tests right"
        told.append(f"{right}, not more than {100 * gate.accuracy:.0f} %")
    if found.kappa is not None and found.kappa <= gate.kappa:
        majority = f"with the majority of the others on the last {found.shared} pairs"
        told.append(f"kappa {found.kappa:.2f} {majority}, not more than {gate.kappa:.2f}")
    return told


def may_fall_short(gate: Gate, right: Sequence[bool], shared: Sequence[tuple[Hashable, Hashable]]) -> bool:
    """Whether somebody falls short by their answers from some moment on, whichever that is."""
    lately = [figures(gate, right[-count:], ()) for count in range(gate.fewest_tests, len(right) + 1)]
    lately += [figures(gate, (), shared[-count:]) for count in range(gate.fewest_shared, len(shared) + 1)]
    return any(shortfalls(gate, one) for one in lately)


def majority(answers: Iterable[Hashable]) -> Hashable | None:
    """What most say; None of a tie, and where nobody says anything."""
    first = Counter(answers).most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None
    return first[0][0]


def kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa of two columns; None where both say one thing throughout, and chance explains everything."""
    both = len(pairs)
    ones, twos = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    by_chance = sum(ones[label] * twos[label] for label in ones) / both**2
    if by_chance == 1:
        return None
    return (sum(one == two for one, two in pairs) / both - by_chance) / (1 - by_chance)
