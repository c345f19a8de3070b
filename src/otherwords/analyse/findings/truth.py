"""Answers against the truth: precision, recall and F-score of each class (Suzuki et al. 2017, §5.2).

Every answer counts. The interval of the F-score is a bootstrap over units, since the answers to one unit belong
together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherwords.analyse.averages import ratio
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Cell, Column, Table
from otherwords.engine import cores
from otherwords.measures.agreement.resampling import LEVEL, Bootstrap, Weights, divide, estimates
from otherwords.measures.agreement.scale import Floats
from otherwords.measures.options import signature

NAME = "truth"
AnsweredUnit = tuple[str, Sequence[str]]  # the truth about a unit, and the answers to it
COLUMNS = (
    *(Column("class", "class"), Column("units", "units", "count"), Column("answers", "answers", "count")),
    *(Column("precision", "precision", "number", 3), Column("recall", "recall", "number", 3)),
    *(Column("f1", "F1", "number", 3), Column("low", "from", "number", 3), Column("high", "to", "number", 3)),
)


def truth_table(units: Sequence[AnsweredUnit], options: AnalysisOptions) -> Table:
    """A row for each class that is the truth about a unit."""
    bootstrap = Bootstrap(options.replicates, options.seed, cores())
    return Table(NAME, "Answers against the truth, every answer", COLUMNS, truth_rows(units, bootstrap))


def truth_signature(options: AnalysisOptions) -> str:
    """Everything that the table depends on."""
    interval = {"ci": f"percentile{LEVEL}", "bs": options.replicates, "seed": options.seed}
    return signature("truth-f1", {"unit": "every-answer", **interval})


def truth_rows(units: Sequence[AnsweredUnit], bootstrap: Bootstrap) -> list[list[Cell]]:
    """For each class its units, the answers to these, precision, recall, F-score and the interval of that."""
    classes = sorted({truth for truth, _ in units})
    right, answered, true = (np.zeros((len(classes), len(units))) for _ in range(3))
    for unit, (truth, given) in enumerate(units):
        for place, name in enumerate(classes):
            answered[place, unit] = sum(answer == name for answer in given)
        place = classes.index(truth)
        right[place, unit], true[place, unit] = answered[place, unit], len(given)

    def f1(weights: Weights) -> Floats:
        return divide(2 * (right @ weights), (answered + true) @ weights)

    rows: list[list[Cell]] = []
    scores = estimates(f1, np.ones(len(units), np.int64), bootstrap)
    for place, (name, score) in enumerate(zip(classes, scores, strict=True)):
        hits, named, asked = (int(counts[place].sum()) for counts in (right, answered, true))
        of_class = sum(truth == name for truth, _ in units)
        rows.append([name, of_class, asked, ratio(hits, named), ratio(hits, asked), score.value, score.low, score.high])
    return rows
