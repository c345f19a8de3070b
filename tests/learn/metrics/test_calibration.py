"""Temperatures and thresholds are chosen on dev, and reliability is measured."""

from __future__ import annotations

import numpy as np
import pytest

from otherwords.errors import UsageError
from otherwords.learn.data.task import binary_task, label_task
from otherwords.learn.metrics.calibration import (
    choose_on_dev,
    fit_temperature,
    fit_temperatures,
    fit_threshold,
    negative_log_likelihood,
    reliability,
)
from otherwords.learn.predictions import DecisionRule, with_temperature


def test_a_model_that_is_too_sure_gets_its_temperature() -> None:
    random = np.random.default_rng(0)
    honest = random.uniform(0.05, 0.95, 4000)
    targets = (random.random(4000) < honest).astype(np.int64)
    head = np.stack([1 - honest, honest], axis=1)
    too_sure = with_temperature(head, 1 / 3)
    fitted = fit_temperature(too_sure, targets)
    assert fitted == pytest.approx(3, rel=0.08)
    assert fitted == fit_temperature(too_sure, targets)
    at_best = negative_log_likelihood(too_sure, targets, fitted)
    assert at_best < negative_log_likelihood(too_sure, targets)
    for near in (fitted * 0.98, fitted * 1.02):
        assert at_best <= negative_log_likelihood(too_sure, targets, near)
    before = reliability(too_sure[:, 1], targets == 1)
    after = reliability(with_temperature(too_sure, fitted)[:, 1], targets == 1)
    assert after.error < before.error / 3


def test_heads_are_fitted_on_the_pairs_that_ask_them() -> None:
    task = label_task(["2", "4", "4s"])
    labels = ["2"] * 6 + ["4"] * 3 + ["4s"] * 3
    sure = np.array([[0.99, 0.01]] * 6 + [[0.01, 0.99]] * 6)
    style = np.array([[0.01, 0.99]] * 6 + [[0.9, 0.1]] * 2 + [[0.1, 0.9]] + [[0.1, 0.9]] * 3)  # wrong where not asked
    flat = np.array([[1 / 3] * 3] * 12)
    half = np.array([[0.5, 0.5]] * 12)
    first, arrow, s, i = fit_temperatures(task, [sure, flat, style, half], labels)
    assert (arrow, i) == (1.0, 1.0)
    assert first == pytest.approx(0.05, rel=0.01)  # always right: as sure as is allowed
    assert 1 < s < 2  # one of six is wrong, with 0.9


def test_the_threshold_is_the_best_on_dev() -> None:
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.8])
    positive = np.array([False, False, True, True, True])
    assert fit_threshold(values, positive) == pytest.approx(0.25)
    noisy = np.array([True, False, False, False, True])
    assert fit_threshold(values, noisy) == 0.5  # several are equally good: the closest to 0.5
    assert fit_threshold(np.array([0.1, 0.2, 0.3, 0.9]), np.array([False, True, False, True]), "f1") < 0.2
    assert fit_threshold(np.full(4, 0.9), np.array([False] * 4)) == 0.5  # always stays always


def test_reliability_counts_every_pair_once() -> None:
    result = reliability(np.array([0.0, 0.05, 0.55, 1.0]), np.array([False, True, True, True]))
    assert [(part.low, part.n, part.share) for part in result.bins] == [(0.0, 2, 0.5), (0.5, 1, 1.0), (0.9, 1, 1.0)]
    assert result.n == 4
    assert result.error == pytest.approx((2 * (0.5 - 0.025) + 0.45 + 0) / 4)


def test_a_threshold_outside_of_probabilities_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        choose_on_dev(1.5)
    assert caught.value.code == "bad-threshold"


def test_calibrating_does_not_change_the_best_class() -> None:
    heads = [np.array([[0.6, 0.4], [0.2, 0.8]])]
    task = binary_task()
    assert task.decode(DecisionRule((7.0,)).calibrated(heads)) == task.decode(heads)
