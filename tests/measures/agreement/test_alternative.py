"""The alternative annotator test: an example worked out by hand, and a naive implementation of the paper's formulas."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from otherwords.measures.agreement.alternative import alternative_test, benjamini_yekutieli, t_below
from tests.errors import raises

PEOPLE = ("anna", "ben", "cem")
Labels = dict[str, dict[str, str]]


def example(times: int) -> tuple[dict[str, str], Labels]:
    """Of ten units: on one Anna is alone, on one the model is, on the others all agree."""
    model: dict[str, str] = {}
    people: Labels = {name: {} for name in PEOPLE}
    for number in range(10 * times):
        unit = f"p{number}"
        model[unit] = "no" if number % 10 == 1 else "yes"
        for name in PEOPLE:
            people[name][unit] = "no" if number % 10 == 0 and name == "anna" else "yes"
    return model, people


def test_an_example_by_hand() -> None:
    # Anna: 48 ties, 6 units that the model wins, 6 that she wins: the mean difference is 0, its sum of squares 12, so
    # t = -0.2 / √(12 / 59 / 60) = -3.4351. Ben and Cem: 54 ties, 6 units that they win: the mean is 0.1, the sum of
    # squares 6 - 60 · 0.01 = 5.4, t = -0.1 / √(5.4 / 59 / 60) = -2.5604. The thresholds are 0.05 · k / (3 · 11/6).
    test = alternative_test("m", *example(6))
    assert (test.units, test.winning_rate, test.passes) == (60, 1.0, True)
    assert test.advantage == pytest.approx(0.9)
    anna, ben, cem = test.annotators
    assert (anna.annotator, anna.n, anna.model, anna.person) == ("anna", 60, pytest.approx(0.9), pytest.approx(0.9))
    assert (ben.model, ben.person) == (cem.model, cem.person) == (pytest.approx(0.9), 1.0)
    assert anna.p == pytest.approx(0.000545, abs=2e-6)
    assert ben.p == cem.p == pytest.approx(0.006523, abs=2e-5)


def test_half_the_units_are_too_few_to_tell() -> None:
    test = alternative_test("m", *example(3))  # t = -2.408 and -1.795, and 0.0113 is above 0.00909
    assert [row.p for row in test.annotators] == [pytest.approx(p, abs=2e-4) for p in (0.0113, 0.0415, 0.0415)]
    assert (test.winning_rate, test.passes) == (0.0, False)


def test_epsilon_is_what_the_model_may_lack() -> None:
    assert alternative_test("m", *example(6), epsilon=0.1).winning_rate == 0.0  # Ben's difference is 0.1 itself
    with raises("bad-epsilon"):
        alternative_test("m", *example(6), epsilon=1.0)


def test_too_few_annotators_or_units_are_refused() -> None:
    model, people = example(6)
    with raises("too-few-annotators", match="there are 2"):
        alternative_test("m", model, {name: people[name] for name in PEOPLE[:2]})
    with raises("too-few-units", match="anna 20, ben 20, cem 20"):
        alternative_test("m", *example(2))
    people["dora"] = dict(list(people["ben"].items())[:5])
    test = alternative_test("m", model, people)
    assert test.left_out == {"dora": 5}
    assert [row.annotator for row in test.annotators] == list(PEOPLE)


def test_a_model_like_everybody_passes_and_one_that_knows_nothing_fails() -> None:
    model, people = example(6)
    assert alternative_test("m", dict.fromkeys(model, "yes"), people).advantage == 1.0
    test = alternative_test("m", dict.fromkeys(model, "no"), people)
    assert test.winning_rate == 0.0
    assert test.advantage < 0.2


def naive(model: dict[str, str], people: Labels, epsilon: float) -> tuple[float, float]:
    """The winning rate and the advantage, as the paper has them, with SciPy's test and statsmodels' idea of BY."""
    stats = pytest.importorskip("scipy.stats")
    p_values, advantages = [], []
    for name, own in people.items():
        ahead, behind = [], []
        for unit, label in own.items():
            others = [labels[unit] for other, labels in people.items() if other != name and unit in labels]
            if not others or unit not in model:
                continue
            score, score_model = mean(o == label for o in others), mean(o == model[unit] for o in others)
            ahead.append(float(score_model >= score))
            behind.append(float(score >= score_model))
        differences = [b - a for a, b in zip(ahead, behind, strict=True)]
        p_values.append(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
        advantages.append(mean(ahead))
    adjusted = stats.false_discovery_control(p_values, method="by")
    return sum(adjusted <= 0.05) / len(p_values), mean(advantages)


@pytest.mark.parametrize("seed", range(12))
def test_the_same_as_the_naive_procedure(seed: int) -> None:
    chance = random.Random(seed)
    truth = {f"p{number}": chance.choice("1234") for number in range(chance.randint(60, 140))}

    def noisy(right: float, share: float) -> dict[str, str]:
        answered = {unit: label for unit, label in truth.items() if chance.random() < share}
        return {unit: label if chance.random() < right else chance.choice("1234") for unit, label in answered.items()}

    people = {f"a{number}": noisy(0.75, 0.8) for number in range(chance.randint(3, 7))}
    model = noisy(chance.uniform(0.4, 0.9), 0.95)
    test = alternative_test("m", model, people, 0.15)
    assert not test.left_out
    assert (test.winning_rate, test.advantage) == pytest.approx(naive(model, people, 0.15))


def test_benjamini_and_yekutieli_reject_up_to_the_last_that_passes() -> None:
    assert benjamini_yekutieli([0.02, 0.5, 0.017], 0.05) == [False, False, False]
    assert benjamini_yekutieli([0.018, 0.5, 0.015], 0.05) == [True, False, True]  # 0.015 alone would not pass
    assert benjamini_yekutieli([], 0.05) == []


def test_student_has_the_tails_of_the_tables() -> None:
    assert t_below(0.0, 7) == 0.5
    assert t_below(-1.699, 29) == pytest.approx(0.05, abs=1e-4)
    assert t_below(2.462, 29) == pytest.approx(0.99, abs=1e-4)
    assert t_below(-12.706, 1) == pytest.approx(0.025, abs=1e-5)
