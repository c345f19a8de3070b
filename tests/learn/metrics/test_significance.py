"""The paired permutation test: exact where it can be, McNemar's for single pairs, more careful with units."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from otherwords.learn.metrics.significance import compare_predictions
from otherwords.measures.agreement.resampling import Bootstrap


def answers(right: list[bool]) -> list[str]:
    return ["yes" if hit else "no" for hit in right]


def mcnemar(better: int, worse: int) -> float:
    """The exact test: how the pairs that only one model got right would fall by a fair coin."""
    discordant = better + worse
    tail = sum(comb(discordant, count) for count in range(max(better, worse), discordant + 1))
    return min(1.0, 2 * tail / 2**discordant)


@pytest.mark.parametrize(("better", "worse"), [(7, 1), (5, 5), (9, 2), (1, 0)])
def test_few_pairs_give_mcnemars_exact_test(better: int, worse: int) -> None:
    own = answers([True] * better + [False] * worse + [True] * 30)
    other = answers([False] * better + [True] * worse + [True] * 30)
    found = compare_predictions(["yes"] * len(own), own, other)
    assert found.p_accuracy == pytest.approx(mcnemar(better, worse))
    assert found.accuracy == pytest.approx((better - worse) / len(own))
    assert found.signature.endswith("|exact")


def test_many_pairs_are_exchanged_at_random_near_the_exact_p() -> None:
    own = answers([True] * 30 + [False] * 16 + [True] * 100)
    other = answers([False] * 30 + [True] * 16 + [True] * 100)
    gold = ["yes"] * len(own)
    found = compare_predictions(gold, own, other, bootstrap=Bootstrap(5000, 1))
    assert found.p_accuracy == pytest.approx(mcnemar(30, 16), abs=0.012)
    assert found == compare_predictions(gold, own, other, bootstrap=Bootstrap(5000, 1))
    assert "test:paired-permutation|by:unit|units:146|differ:46|resamples:5000|seed:1" in found.signature


def test_equal_models_do_not_differ() -> None:
    found = compare_predictions(["yes", "no"], ["yes", "yes"], ["yes", "yes"])
    assert (found.accuracy, found.f1, found.p_accuracy, found.p_f1) == (0, 0, 1, 1)


def test_pairs_of_one_unit_are_exchanged_together() -> None:
    own, other = answers([True] * 20), answers([False] * 20)
    alone = compare_predictions(["yes"] * 20, own, other)
    together = compare_predictions(["yes"] * 20, own, other, units=np.repeat(np.arange(2), 10))
    assert alone.p_accuracy < 0.01
    assert together.p_accuracy == 0.5  # two units: both exchanged or none, of four


def test_f1_of_the_positive_label_has_its_own_p() -> None:
    gold = ["yes"] * 4 + ["no"] * 8
    cautious, bold = ["no"] * 12, ["yes"] * 8 + ["no"] * 4
    found = compare_predictions(gold, bold, cautious, positive="yes")
    assert found.accuracy == 0
    assert found.f1 == pytest.approx(2 / 3)
    assert found.p_accuracy == 1
    assert found.p_f1 == 0.125  # only if one model has all four that are right: 2 of 16
