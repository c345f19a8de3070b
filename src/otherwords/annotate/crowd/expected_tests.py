"""How many hidden tests somebody can expect, when each task is a test by a draw of its own.

Tasks come until all ordinary pairs are judged, so the number of tests among them has a negative binomial distribution,
cut at the number of test pairs, since nobody gets a test twice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from otherwords.annotate.batches.batch import HiddenTests

MIDDLE = 0.9  # the share of people whose number of tests is in the range


@dataclass(frozen=True, slots=True)
class ExpectedTests:
    """How many tests somebody gets who judges all of so many pairs: on average, and nine in ten people."""

    pairs: int
    every: int  # one task in so many is a test on average
    mean: float
    low: int
    high: int

    def sentence(self) -> str:
        """The same in words."""
        pairs = "the pair" if self.pairs == 1 else f"all {self.pairs:,} pairs"
        spread = f"{self.low:,}" if self.low == self.high else f"{self.low:,} to {self.high:,}"
        return (
            f"one task in {self.every} is a test on average; whoever judges {pairs} gets {self.mean:.1f} tests on "
            f"average, nine in ten people {spread}"
        )


def expected_tests(tests: HiddenTests, pairs: int) -> ExpectedTests:
    """The tests of somebody who judges all of so many pairs."""
    at_least = _reached(tests, pairs)
    low, high = (sum(share > below for share in at_least) for below in (1 - (1 - MIDDLE) / 2, (1 - MIDDLE) / 2))
    return ExpectedTests(pairs, tests.every, sum(at_least), low, high)


def chance_of_tests(tests: HiddenTests, pairs: int, fewest: int) -> float:
    """The chance that somebody who judges all of so many pairs gets at least ``fewest`` tests."""
    at_least = _reached(tests, pairs)
    if fewest <= 0:
        return 1.0
    return at_least[fewest - 1] if fewest <= len(at_least) else 0.0


def _reached(tests: HiddenTests, pairs: int) -> Sequence[float]:
    """The chances of at least one test, of at least two, and so on."""
    if not pairs:
        return [0.0] * len(tests.pairs)
    is_test = 1 / tests.every
    exactly = (
        math.exp(
            math.lgamma(pairs + count)
            - math.lgamma(count + 1)
            - math.lgamma(pairs)
            + count * math.log(is_test)
            + pairs * math.log1p(-is_test)
        )
        for count in range(len(tests.pairs))
    )
    return [max(0.0, 1 - fewer) for fewer in accumulate(exactly)]
