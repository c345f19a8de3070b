"""How many hidden tests somebody can expect: exact for small numbers, and as often as a simulation finds."""

from __future__ import annotations

from random import Random

import pytest

from otherwords.annotate.batches.batch import HiddenTests
from otherwords.annotate.crowd.expected_tests import chance_of_tests, expected_tests


def hidden(count: int, every: int = 5) -> HiddenTests:
    return HiddenTests(pairs=[f"t{number}" for number in range(count)], every=every)


def test_one_pair_and_one_test() -> None:
    """The test comes before the pair or not at all: one task in four is a test."""
    expected = expected_tests(hidden(1, every=4), 1)
    assert expected.mean == pytest.approx(0.25)
    assert (expected.low, expected.high) == (0, 1)
    assert chance_of_tests(hidden(1, every=4), 1, 1) == pytest.approx(0.25)
    assert chance_of_tests(hidden(1, every=4), 1, 0) == 1
    assert chance_of_tests(hidden(1, every=4), 1, 2) == 0


def test_without_pairs_nobody_gets_a_test() -> None:
    assert expected_tests(hidden(9), 0).mean == 0
    assert chance_of_tests(hidden(9), 0, 1) == 0


@pytest.mark.parametrize(("tests", "every", "pairs"), [(99, 5, 40), (12, 5, 40), (99, 2, 15), (300, 10, 400)])
def test_as_a_simulation_finds_it(tests: int, every: int, pairs: int) -> None:
    chance, people = Random(3), 4000
    counts = sorted(_count_tests(chance, tests, every, pairs) for _ in range(people))
    expected = expected_tests(hidden(tests, every), pairs)
    assert sum(counts) / people == pytest.approx(expected.mean, rel=0.02)
    inside = sum(expected.low <= count <= expected.high for count in counts) / people
    assert 0.88 <= inside <= 1
    for fewest in (5, 10, 15):
        share = sum(count >= fewest for count in counts) / people
        assert chance_of_tests(hidden(tests, every), pairs, fewest) == pytest.approx(share, abs=0.04)


def _count_tests(chance: Random, tests: int, every: int, pairs: int) -> int:
    """Tasks until all pairs are judged, each a test by a draw of its own as long as there are tests."""
    count = 0
    while pairs:
        if count < tests and chance.randrange(every) == 0:
            count += 1
        else:
            pairs -= 1
    return count


def test_in_words() -> None:
    assert expected_tests(hidden(99), 60).sentence() == (
        "one task in 5 is a test on average; whoever judges all 60 pairs gets 15.0 tests on average, nine in ten "
        "people 8 to 23"
    )
    assert "nine in ten people 6" in expected_tests(hidden(6), 400).sentence()
    assert "whoever judges the pair gets" in expected_tests(hidden(6), 1).sentence()
