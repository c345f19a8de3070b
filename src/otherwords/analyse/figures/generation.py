"""Figures about generated texts: what more training pairs give (Dou et al. 2022, Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.analyse.figures.charts import FigureLine, named_lines
from otherwords.analyse.finding import Spec
from otherwords.learn.generation.evaluate import GenerationRow


def generation_learning_figure(rows: Sequence[GenerationRow], measure: str) -> Spec | None:
    """A measure by the number of training pairs, a line for each test that has several sizes; None without one."""
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
