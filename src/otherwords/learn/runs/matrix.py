"""Training sets × tests: what a kind of model gains on every test when it is trained on more (Martynov et al. 2022).

In Table 4 of that paper the gains are those of adding RuPAWS to the training data. Here they are differences from the
first run of the same kind, losses as well as gains. (The paper's +19.2 in the F1 of RuBERT on Wiki is 75.4 − 55.5 =
19.9; all its other gains are what their columns say.)
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from otherwords.learn.runs.evaluate import EvaluationRow


class ScoreGain(msgspec.Struct, frozen=True):
    """The scores on a test; gains over the first run of the same kind, None for that run itself."""

    accuracy: float
    f1: float
    accuracy_gain: float | None
    f1_gain: float | None


class MatrixRow(msgspec.Struct, frozen=True):
    """A model, how many pairs it was trained on, and its scores by test."""

    model: str
    kind: str
    train_pairs: int
    cells: dict[str, ScoreGain]


def matrix(rows: Sequence[EvaluationRow]) -> list[MatrixRow]:
    """The matrix of some rows: the models of a kind one under the other, kinds and models in their order."""
    first: dict[tuple[str, str], EvaluationRow] = {}
    found: dict[tuple[str, str], MatrixRow] = {}
    for row in rows:
        base = first.setdefault((row.kind, row.test), row)
        gains = (None, None) if base is row else (row.accuracy - base.accuracy, row.f1 - base.f1)
        line = found.setdefault((row.kind, row.model), MatrixRow(row.model, row.kind, row.train_pairs, {}))
        line.cells[row.test] = ScoreGain(row.accuracy, row.f1, *gains)
    kinds = list(dict.fromkeys(kind for kind, _ in found))
    return [line for kind in kinds for line in found.values() if line.kind == kind]
