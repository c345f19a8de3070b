"""Predictions beside their pairs: of a test that a run has predicted, or of any other corpus, predicted now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from otherwords.learn.data.examples import read_examples
from otherwords.learn.predictions import Predictions, predict
from otherwords.learn.runs.evaluate import EvaluationLeaks, check_leaks
from otherwords.learn.runs.run import Run
from otherwords.models.edges import Device
from otherwords.records import Pair


def predicted_pairs(
    run: Run,
    path: str | Path,
    *,
    leaks: EvaluationLeaks = "refuse",
    device: Device = "auto",
    simulated: bool = False,
    **reading: Any,
) -> tuple[Predictions, Sequence[Pair]]:
    """What a run says about pairs of a corpus: those of its own test if that is part of the corpus, else all."""
    examples = read_examples(path, run.record.task.name, simulated=simulated, **reading)
    places = {pair.id: number for number, pair in enumerate(examples.pairs)}
    for predictions, facts in zip(run.predictions(), run.record.tests, strict=True):
        rows = [places[id] for id in predictions.ids if id in places]
        own = examples.take(rows, predictions.test)
        if len(rows) == len(predictions) and own.digest == facts.digest:
            return predictions, own.pairs
    check_leaks(run, run.record.name, examples, path, leaks, [])
    return predict(run.classifier(device), examples, run.record.decision), examples.pairs
