"""Figures about classifiers can be drawn, and show what they are given."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherwords.analyse.figures.charts import DEEP_TO_PALE
from otherwords.analyse.figures.harvest import tiles_figure
from otherwords.analyse.figures.models import learning_figure, matrix_figure, reliability_figure, training_figure
from otherwords.analyse.figures.render import picture, save
from otherwords.analyse.report.page import DARK_COLOURS
from otherwords.learn.data.task import binary_task
from otherwords.learn.predictions import Predictions
from otherwords.learn.runs.evaluate import EvaluatedModel, evaluation_row
from otherwords.learn.runs.run import DataFacts
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.mining.harvest.tiles import TILES, AnnotatedPoint, make_tiles

CURVE = [
    {"step": 10.0, "train_loss": 0.7, "dev_loss": 0.69, "dev_accuracy": 0.5},
    {"step": 20.0, "train_loss": 0.4, "dev_loss": 0.5, "dev_accuracy": 0.8},
]


def evaluated(groups: int, right: float) -> EvaluatedModel:
    positive = np.array([right, right, 1 - right, 1 - right])
    predicted = ["positive" if value >= 0.5 else "negative" for value in positive]
    gold = ["positive", "positive", "negative", "negative"]
    heads = [np.stack([1 - positive, positive], axis=1)]
    predictions = Predictions("test", binary_task(), list("abcd"), gold, predicted, heads, np.arange(4))
    facts = DataFacts("train", 10 * groups, {"positive": 5 * groups, "negative": 5 * groups}, "", {}, groups)
    return EvaluatedModel(f"m{groups}", "features", facts, predictions)


def values(figure: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = figure["layer"][0]["data"]["values"]
    return rows


def test_a_training_has_losses_beside_scores(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    figure = training_figure({"small": CURVE})
    assert figure is not None
    losses, scores = figure["hconcat"]
    assert {row["line"] for row in values(losses)} == {"small: train loss", "small: dev loss"}
    assert [(row["x"], row["y"]) for row in values(scores)] == [(10.0, 0.5), (20.0, 0.8)]
    save(figure, tmp_path / "f.svg")
    assert training_figure({"small": []}) is None


def test_a_learning_curve_by_group() -> None:
    rows = [evaluation_row(evaluated(*model), None, Bootstrap(0)) for model in ((4, 0.9), (2, 0.1))]
    figure = learning_figure(rows, by="groups")
    accuracy = [(row["x"], row["y"]) for row in values(figure) if row["line"].endswith("accuracy")]
    assert accuracy == [(2.0, 0.0), (4.0, 1.0)]
    assert learning_figure(rows[:1]) is None


def test_reliability_names_pairs_and_error() -> None:
    figure = reliability_figure([evaluated(2, 0.9)])
    lines = {row["line"] for row in values(figure)}
    assert "m2, test: n = 4, ECE 0.100" in lines
    assert reliability_figure([]) is None


def test_heat_maps_have_the_tones_that_a_dark_page_replaces() -> None:
    places = [(at, other) for at in range(10) for other in range(10)]
    points = [AnnotatedPoint(similarity=at / 10, confidence=other / 10, positive=at > other) for at, other in places]
    rows = [evaluation_row(evaluated(2, right), None, Bootstrap(0)) for right in (0.9, 0.4)]
    for figure in (tiles_figure(make_tiles(points), TILES, "p_negative", "pool"), matrix_figure(rows)):
        assert figure is not None
        used = set(re.findall(r'(?:fill|stroke)="([^"]+)"', picture(figure)))
        assert {DEEP_TO_PALE[0], DEEP_TO_PALE[-1]} <= used
        assert used - {"none", "transparent"} <= set(DARK_COLOURS)
