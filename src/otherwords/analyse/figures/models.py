"""Figures about models: whether probabilities are right, what more data or another threshold gives, and training.

Each function returns None where there is nothing to draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from otherwords.analyse.figures.charts import DEEP_TO_PALE, FigureLine, named_lines
from otherwords.analyse.finding import Spec
from otherwords.learn.data.task import is_positive
from otherwords.learn.generation.evaluate import GenerationRow
from otherwords.learn.metrics.calibration import reliability_of
from otherwords.learn.metrics.ranking import threshold_curve
from otherwords.learn.runs.evaluate import EvaluatedModel, EvaluationRow, matrix

TRIVIAL = ("always", "majority")
PERFECT = "as it should be"
CELL = 64  # pixels
SCORES = (20, 40, 60, 80)  # where one tone of a matrix ends and the next begins
PERCENT = {"format": ".0%"}
LOSSES = "loss"  # how the names of losses in a training curve end
MEASURED = ("train_", "dev_")  # how the names of what is measured begin


def reliability_figure(tested: Sequence[EvaluatedModel]) -> Spec | None:
    """For each model and test, the share of right answers by the probability that they were given."""
    lines = []
    for model in tested:
        if model.kind not in TRIVIAL and len(model.predictions):
            result = reliability_of(model.predictions)
            name = f"{model.model}, {model.predictions.test}: n = {result.n:,}, ECE {result.error:.3f}"
            points = [(part.probability, part.share) for part in result.bins]
            lines.append(FigureLine(name, points, result.n))
    if not lines:
        return None
    diagonal = FigureLine(PERFECT, [(0.0, 0.0), (1.0, 1.0)], 0)
    return named_lines("Reliability", [diagonal, *lines], "probability", "share that is so", PERCENT)


def threshold_figure(tested: Sequence[EvaluatedModel]) -> Spec | None:
    """The accuracy of every threshold of the probability of a paraphrase, for binary models."""
    lines = []
    for model in tested:
        sides = [is_positive(label) for label in model.predictions.gold]
        if model.kind in TRIVIAL or None in sides or not sides:
            continue
        curve = threshold_curve(model.predictions.positive, np.array(sides, np.bool_))
        points = [(point.threshold, point.accuracy) for point in curve]
        lines.append(FigureLine(f"{model.model}, {model.predictions.test}", points, len(sides)))
    return named_lines("Accuracy by threshold", lines, "threshold", "accuracy", PERCENT) if lines else None


def learning_figure(rows: Sequence[EvaluationRow], by: Literal["pairs", "groups"] = "pairs") -> Spec | None:
    """Accuracy and F1 by the size of the training part, a line for each kind and test that has several sizes."""
    lines = []
    for kind, test in dict.fromkeys((row.kind, row.test) for row in rows if row.kind not in TRIVIAL):
        sizes = {
            row.train_pairs if by == "pairs" else row.train_groups: row
            for row in rows
            if (row.kind, row.test) == (kind, test)
        }
        if len(sizes) < 2:
            continue
        for name, title in (("accuracy", "accuracy"), ("f1", "F1")):
            points = [(float(size), float(getattr(sizes[size], name))) for size in sorted(sizes)]
            lines.append(FigureLine(f"{kind}, {test}: {title}", points, len(points)))
    return named_lines("Learning curve", lines, f"{by} for training", "score", PERCENT) if lines else None


def training_figure(curves: Mapping[str, Sequence[Mapping[str, float]]]) -> Spec | None:
    """The losses of trainings beside their scores on dev, step by step."""
    panels = []
    for title, is_loss in (("loss", True), ("score on dev", False)):
        lines = []
        for model, curve in curves.items():
            names = dict.fromkeys(name for point in curve for name in point)
            for name in names:
                if name.endswith(LOSSES) is not is_loss or not name.startswith(MEASURED):
                    continue
                points = [(point["step"], point[name]) for point in curve if name in point and "step" in point]
                lines.append(FigureLine(f"{model}: {name.replace('_', ' ')}", points, len(points)))
        if drawn := [line for line in lines if line.points]:
            panels.append(named_lines(title.capitalize(), drawn, "step", title))
    return {"hconcat": panels, "spacing": 120} if panels else None


def matrix_figure(rows: Sequence[EvaluationRow]) -> Spec | None:
    """The F1 of every model on every test as a field of tones, with the number in each."""
    lines = matrix(rows)
    tests = list(dict.fromkeys(row.test for row in rows))
    cells = [
        {"model": line.model, "test": test, "f1": 100 * cell.f1} for line in lines for test, cell in line.cells.items()
    ]
    if not cells:
        return None
    scale = {"type": "threshold", "domain": list(SCORES), "range": list(DEEP_TO_PALE[::-1])}
    tone: Spec = {"field": "f1", "type": "quantitative", "title": "F1", "scale": scale}
    dark = {"condition": {"test": f"datum.f1 >= {SCORES[2]}", "value": "white"}, "value": "black"}
    return {
        "title": "F1 by model and test",
        "width": CELL * 2 * len(tests),
        "height": CELL // 2 * len(lines),
        "data": {"values": cells},
        "encoding": {
            "x": {"field": "test", "type": "nominal", "sort": tests, "title": None, "axis": {"labelAngle": 0}},
            "y": {"field": "model", "type": "nominal", "sort": [line.model for line in lines], "title": None},
        },
        "layer": [
            {"mark": {"type": "rect"}, "encoding": {"color": tone}},
            {"mark": {"type": "text"}, "encoding": {"text": {"field": "f1", "format": ".1f"}, "color": dark}},
        ],
    }


def generation_learning_figure(rows: Sequence[GenerationRow], measure: str) -> Spec | None:
    """A measure by the number of training pairs (Dou et al. 2022, Figure 5), a line for each test with several."""
    lines = []
    for test in dict.fromkeys(row.test for row in rows):
        points = sorted(
            (float(row.train_pairs), float(score.value))
            for row in rows
            if row.test == test and row.train_pairs is not None
            if (score := row.scores.get(measure)) is not None and score.value is not None
        )
        if len({size for size, _ in points}) > 1:
            lines.append(FigureLine(test, points, len(points)))
    return named_lines(f"{measure} by training pairs", lines, "pairs for training", measure) if lines else None
