"""Scores from counts: scikit-learn's to 1e-12, intervals over units, and the arithmetic of the papers' tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.learn.metrics.counts import LabelTally, count_labels
from otherwords.learn.metrics.ranking import area_under_curve, area_with_interval, threshold_curve
from otherwords.learn.metrics.scores import score_labels
from otherwords.measures.agreement.resampling import Bootstrap

LABELS = ["2", "3", "4<", "4"]
NONE = Bootstrap(replicates=0)
answers = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=40)


@given(answers)
@settings(max_examples=60, deadline=None)
def test_scores_are_those_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    gold, predicted = [list(side) for side in zip(*pairs, strict=True)]
    scores = score_labels(gold, predicted, bootstrap=NONE)
    assert scores.accuracy == pytest.approx(accuracy_score(gold, predicted), abs=1e-12)
    for average, mine in (
        ("weighted", (scores.precision, scores.recall, scores.f1)),
        ("macro", (None, None, scores.macro_f1)),
    ):
        expected = precision_recall_fscore_support(gold, predicted, average=average, zero_division=0)
        for own, theirs in zip(mine, expected[:3], strict=True):
            assert own is None or own == pytest.approx(theirs, abs=1e-12)
    each = precision_recall_fscore_support(gold, predicted, labels=LABELS, average=None, zero_division=0)
    for label, *expected_scores, support in zip(LABELS, *each, strict=True):
        if label in scores.labels:
            own = scores.labels[label]
            assert [own.precision, own.recall, own.f1] == pytest.approx(expected_scores, abs=1e-12)
            assert own.n == support
    assert scores.recall == pytest.approx(scores.accuracy, abs=1e-12)


@given(answers, st.sampled_from(LABELS))
@settings(max_examples=30, deadline=None)
def test_scores_of_the_positive_label_are_those_of_scikit_learn(pairs: list[tuple[str, str]], positive: str) -> None:
    from sklearn.metrics import precision_recall_fscore_support

    gold, predicted = [list(side) for side in zip(*pairs, strict=True)]
    scores = score_labels(gold, predicted, positive=positive, bootstrap=NONE)
    expected = precision_recall_fscore_support(gold, predicted, labels=[positive], average=None, zero_division=0)
    own = [scores.precision, scores.recall, scores.f1]
    assert own == pytest.approx([float(value[0]) for value in expected[:3]], abs=1e-12)


def test_empty_classes_score_zero() -> None:
    counts = count_labels(["a", "a"], ["a", "a"], ["a", "b"])
    assert [counts.precision()[1], counts.recall()[1], counts.f1()[1]] == [0, 0, 0]
    assert counts.macro(counts.f1()) == 1  # b does not occur
    assert score_labels(["no"], ["no"], positive="yes", bootstrap=NONE).f1 == 0


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=40))
@settings(max_examples=60, deadline=None)
def test_the_area_under_the_curve_is_scikit_learns(rows: list[tuple[int, bool]]) -> None:
    from sklearn.metrics import roc_auc_score

    values, positive = np.array([value for value, _ in rows]) / 7, np.array([yes for _, yes in rows])
    area = area_under_curve(values, positive)
    if positive.all() or not positive.any():
        assert area is None
    else:
        assert area == pytest.approx(roc_auc_score(positive, values), abs=1e-12)


def test_intervals_are_seeded_and_wider_where_pairs_share_sentences() -> None:
    random = np.random.default_rng(0)
    right = np.repeat(random.random(40) < 0.7, 10)  # ten pairs of a sentence are all right or all wrong
    gold = ["yes"] * 400
    predicted = ["yes" if hit else "no" for hit in right]
    units = np.repeat(np.arange(40), 10)
    by_unit = score_labels(gold, predicted, units=units, bootstrap=Bootstrap(500, 3))
    again = score_labels(gold, predicted, units=units, bootstrap=Bootstrap(500, 3))
    by_pair = score_labels(gold, predicted, bootstrap=Bootstrap(500, 3))
    assert by_unit == again
    assert by_unit.low is not None
    assert by_unit.high is not None
    assert by_pair.low is not None
    assert by_pair.high is not None
    assert by_unit.low < by_pair.low < by_unit.accuracy < by_pair.high < by_unit.high
    assert by_unit.high - by_unit.low > 2 * (by_pair.high - by_pair.low)
    assert "by:unit|units:40|replicates:500|seed:3" in by_unit.signature


def test_an_interval_of_the_area_is_over_units() -> None:
    values, positive = np.tile([0.1, 0.4, 0.6, 0.9], 20), np.tile([False, True, False, True], 20)
    estimate = area_with_interval(values, positive, np.repeat(np.arange(20), 4), Bootstrap(100))
    assert (estimate.value, estimate.low, estimate.high) == (0.75, 0.75, 0.75)  # all units are alike
    alone = area_with_interval(values, positive, None, Bootstrap(100))
    assert alone.low is not None
    assert alone.low < 0.75


def test_the_accuracy_of_a_pure_threshold() -> None:
    """Suzuki et al. (2017), Figure 4."""
    points = threshold_curve(np.array([0.0, 0.35, 0.5, 0.9]), np.array([False, True, False, True]))
    assert [point.threshold for point in points] == pytest.approx([number / 10 for number in range(11)])
    assert [point.accuracy for point in points] == [0.5, 0.75, 0.75, 0.75, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 0.5]
    assert points[1].f1 == pytest.approx(0.8)


def test_always_paraphrase_on_the_qqp_part_of_rupaws() -> None:
    """Martynov et al. (2022), Table 4: the accuracy and F1 of RuBERT(PP) are those of the share of paraphrases."""
    gold = ["positive"] * 460 + ["negative"] * 540
    scores = score_labels(gold, ["positive"] * 1000, positive="positive", bootstrap=NONE)
    assert (round(100 * scores.accuracy, 1), round(100 * scores.f1, 1)) == (46.0, 63.0)
    assert (round(100 * scores.precision, 1), scores.recall) == (46.0, 1.0)


KANERVA_TABLE_4 = {  # precision, recall, F and support on the Turku test, of the labels with arrows
    "2": (46.8, 22.4, 30.3, 161),
    "3": (60.3, 50.9, 55.3, 2434),
    "4<": (55.8, 57.9, 56.8, 2003),
    "4>": (57.0, 61.9, 59.4, 2287),
    "4": (70.5, 74.3, 72.4, 3586),
}
KANERVA_TABLE_5 = {
    "2": (40.2, 32.9, 36.2, 161),
    "3": (59.3, 52.6, 55.8, 2434),
    "4<": (56.0, 58.1, 57.0, 2003),
    "4>": (58.3, 59.8, 59.1, 2287),
    "4": (70.5, 73.9, 72.2, 3586),
}


@pytest.mark.parametrize(("table", "complete"), [(KANERVA_TABLE_4, 58.1), (KANERVA_TABLE_5, 58.3)])
def test_the_arithmetic_of_the_turku_tables(table: dict[str, tuple[float, float, float, int]], complete: float) -> None:
    """Hits and predictions that follow from a printed row give that row; predictions add up to the pairs."""
    support = np.array([row[3] for row in table.values()], np.float64)
    hits = np.round([row[1] / 100 * row[3] for row in table.values()])
    predicted = np.round(hits / np.array([row[0] / 100 for row in table.values()]))
    counts = LabelTally(hits, predicted, support)
    printed = np.array(list(table.values()))
    for column, scores in enumerate((counts.precision(), counts.recall(), counts.f1())):
        assert np.abs(100 * scores - printed[:, column]).max() < 0.1
    assert abs(predicted.sum() - support.sum()) < 0.002 * support.sum()
    assert 100 * counts.accuracy() > complete  # a label without i and s is right more often than a complete one
