"""The models in the folder of a project: what each is, whether its tests are those of today, and where it is wrong.

Only what a run predicted when it was trained is looked at, and no more than a page can wait for: larger ones are for
``otherwords evaluate`` and ``otherwords errors``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from otherwords.analyse.errors.finding import ModelErrors, find_errors
from otherwords.analyse.figures.models import reliability_figure, training_figure
from otherwords.analyse.finding import Finding, Spec
from otherwords.analyse.ladder import ladder_finding, project_runs
from otherwords.errors import DataError
from otherwords.learn.data.examples import read_examples
from otherwords.learn.encoders.run import is_encoder_run, open_encoder_run
from otherwords.learn.generation.training.run import is_generator_run, open_generator_run
from otherwords.learn.predicting import predicted_test
from otherwords.learn.runs.evaluate import EvaluatedModel
from otherwords.learn.runs.run import Run, is_run, open_run
from otherwords.project.project import MODELS

MOST_PREDICTIONS, MOST_ERRORS = 200_000, 10_000  # pairs for which a page computes intervals, and facets
STALE = "the labels of its test have changed since; train it again"
OTHER_TEST = "its tests are not of this project"
PROBABILITIES, TRAINING = "How far its probabilities can be trusted", "Its training"  # figures of one model
ModelKind = Literal["classifier", "encoder", "generator"]


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """A trained model: what it was trained on, and on what it was tested."""

    name: str  # of its folder
    kind: ModelKind
    model: str
    train: int
    dev: int
    tests: tuple[str, ...]
    seconds: float
    simulated: bool
    signature: str


def models_in(folder: Path) -> list[ModelSummary]:
    """All whole models of a project; classifiers from the lowest rung, then the others."""
    found = [_classifier(run) for run in project_runs(folder)]
    for path in sorted((folder / MODELS).glob("*")):
        if is_run(path):
            continue
        if is_encoder_run(path):
            encoder = open_encoder_run(path).record
            tests = tuple(test.name for test in encoder.tests)
            numbers = (sum(encoder.train.values()), encoder.dev.pairs, tests, encoder.seconds, encoder.simulated)
            found.append(ModelSummary(path.name, "encoder", encoder.base, *numbers, encoder.signature))
        elif is_generator_run(path):
            writer = open_generator_run(path).record
            sizes = (writer.train.pairs, writer.dev.pairs, (), writer.seconds, writer.simulated)
            found.append(ModelSummary(path.name, "generator", writer.options.base, *sizes, writer.signature))
    return found


def _classifier(run: Run) -> ModelSummary:
    record = run.record
    tests = tuple(test.name for test in record.tests)
    sizes = (record.train.pairs, record.dev.pairs, tests, record.seconds, record.simulated)
    return ModelSummary(run.folder.name, "classifier", record.kind, *sizes, record.signature)


def ladder_of(folder: Path) -> Finding | None:
    """The ladder of a project's classifiers; None if none was tested."""
    runs = project_runs(folder)
    total = sum(test.pairs for run in runs for test in run.record.tests)
    if total > MOST_PREDICTIONS:
        message = f"the tests have {total:,} predictions; compare the models with otherwords evaluate classifier RUN…"
        raise DataError(message, code="too-many-predictions")
    return ladder_finding(runs)


def run_of(folder: Path, name: str) -> Run | None:
    """The classifier of that name in a project; None if there is none."""
    known = {path.name: path for path in (folder / MODELS).glob("*") if is_run(path)}
    return open_run(known[name]) if name in known else None


def run_figures(run: Run) -> dict[str, Spec]:
    """What can be drawn of a run, by the title of each figure."""
    record = run.record
    tested = [EvaluatedModel(record.name, record.kind, record.train, predictions) for predictions in run.predictions()]
    drawn = {
        PROBABILITIES: reliability_figure(tested),
        TRAINING: training_figure({record.name: run.curve()}),
    }
    return {title: spec for title, spec in drawn.items() if spec is not None}


def run_errors(folder: Path, run: Run, *, simulated: bool = False) -> ModelErrors:
    """The mistakes of a run on its own test, if that is part of the project and its labels are the same as then."""
    total = sum(test.pairs for test in run.record.tests)
    if total > MOST_ERRORS:
        message = f"its tests have {total:,} pairs; look at the mistakes with otherwords errors RUN PROJECT"
        raise DataError(message, code="too-many-predictions")
    examples = read_examples(folder, run.record.task.name, simulated=simulated)
    own = predicted_test(run, examples)
    if own is None:
        ids = {pair.id for pair in examples.pairs}
        known = any(id in ids for predictions in run.predictions() for id in predictions.ids)
        raise DataError(STALE if known else OTHER_TEST, code="run-stale" if known else "test-elsewhere")
    record = run.record
    return find_errors(*own, record.name, record.signature, record.lang)
