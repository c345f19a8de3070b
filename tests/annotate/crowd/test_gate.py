"""Who is exactly at the line of a gate is not above it, and a gate that finds nothing for want of answers says so."""

from __future__ import annotations

import re

import pytest

from otherwords.annotate.batches.batch import BatchRules, Gate, HiddenTests
from otherwords.annotate.crowd.deployment import TABLE
from otherwords.annotate.crowd.gate import GateFigures, gate_gaps, shortfalls

GATE = Gate(accuracy=0.75, kappa=0.5)


@pytest.mark.parametrize(
    ("accuracy", "kappa", "reasons"),
    [
        (0.76, 0.51, []),
        (0.75, 0.51, ["75 % of the last 20 tests right, not more than 75 %"]),
        (0.76, 0.5, ["kappa 0.50 with the majority of the others on the last 30 pairs, not more than 0.50"]),
        (None, 0.51, []),
        (0.76, None, []),
    ],
)
def test_the_line(accuracy: float | None, kappa: float | None, reasons: list[str]) -> None:
    assert shortfalls(GATE, GateFigures(20, accuracy, 30, kappa)) == reasons


def hidden(count: int) -> HiddenTests:
    return HiddenTests(pairs=[f"t{number}" for number in range(count)], every=5)


@pytest.mark.parametrize(
    ("rules", "pairs", "asked", "facts"),
    [
        (BatchRules(tests=hidden(6), gate=Gate()), 400, 6, [r"missed tests.* waits for 15 .* more than 6 here"]),
        (BatchRules(tests=hidden(15), gate=Gate()), 400, 6, []),
        (BatchRules(tests=hidden(6), gate=Gate(fewest_tests=6)), 400, 6, []),
        # One task in five is a test on average: with 40 pairs that is ten tests, and few people get 15.
        (BatchRules(tests=hidden(99), gate=Gate()), 40, 1, [r"waits for 15 .* 10\.0 on average, and 11 in 100 people"]),
        (BatchRules(tests=hidden(99), gate=Gate()), 60, 1, [r"15\.0 on average, and 52 in 100 people"]),
        (BatchRules(tests=hidden(99), gate=Gate()), 100, 1, []),
        (BatchRules(tests=hidden(99), gate=Gate()), 0, 1, [r"can never .* nobody gets any here"]),
        (
            BatchRules(tests=hidden(99), gate=Gate()),
            20,
            2,
            [r"5\.0 on average, and fewer than 1 in 100 people", r"differing.* 30 pairs .* has 20"],
        ),
        (BatchRules(gate=Gate()), 29, 2, [r"differing.* 30 pairs .* has 29"]),
        (BatchRules(gate=Gate()), 30, 2, []),
        (BatchRules(tests=hidden(99), gate=Gate(), deployment=TABLE), 20, 6, []),  # which grows
        (BatchRules(tests=hidden(6)), 400, 6, []),  # without a gate there is nothing to say
    ],
)
def test_what_a_gate_finds_never_or_seldom(rules: BatchRules, pairs: int, asked: int, facts: list[str]) -> None:
    gaps = gate_gaps(rules, pairs, asked)
    assert len(gaps) == len(facts)
    for gap, fact in zip(gaps, facts, strict=True):
        assert re.search(fact, gap), gap
