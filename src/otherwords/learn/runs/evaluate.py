"""Evaluating runs: rows of scores, one for each model and test, with intervals and a comparison with the row above.

Every test begins with the rows that need no model: all pairs called paraphrases, and all given the most frequent label
of the training part. A test of positives and negatives alone can mislead, so a row says too what share of the negatives
and of the positives is called a paraphrase, and whether the test has only one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import pyarrow as pa

from otherwords.digests import digest_hex
from otherwords.errors import DataError, UsageError
from otherwords.learn.classifiers.trivial import ConstantClassifier
from otherwords.learn.data.examples import LabelledPairs, read_examples
from otherwords.learn.data.task import POSITIVE, LabelTask, is_positive
from otherwords.learn.ladder import trivial_rungs
from otherwords.learn.metrics.calibration import reliability_of
from otherwords.learn.metrics.ranking import area_with_interval
from otherwords.learn.metrics.scores import Interval, LabelScores, score_labels
from otherwords.learn.metrics.significance import Comparison, compare_predictions
from otherwords.learn.metrics.turku_table import TurkuTable, has_turku_labels, turku_table
from otherwords.learn.predictions import Predictions, forget_cut, predict
from otherwords.learn.runs.run import DataFacts, Run
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.models.edges import Device
from otherwords.project.simulated import SIMULATED_REMARK

EvaluationLeaks = Literal["refuse", "keep"]
PartKind = Literal["mixed", "negatives", "positives"]
SHOWN = 3  # leaks in a message
FEWEST_UNITS = 20  # below, an interval says little


class EvaluationRow(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of a model on a test. ``low`` and ``high`` are the interval of the accuracy."""

    model: str
    test: str
    n: int
    accuracy: float
    precision: float
    recall: float
    f1: float
    low: float | None
    high: float | None
    labels: dict[str, LabelScores]
    macro_f1: float
    auc: float | None  # None where there are not both positives and negatives
    intervals: dict[str, Interval]
    part: PartKind | None  # None if labels do not say what is a paraphrase
    negatives_called: float | None  # the share of negatives that are called paraphrases
    positives_called: float | None
    calibration_error: float | None
    kind: str
    train_pairs: int
    train_groups: int
    leaks: int  # pairs of the test that share a sentence with training
    against: str | None  # the model of the row above
    difference: Comparison | None  # from it; None without resamples
    turku: TurkuTable | None
    signature: str


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """How runs are evaluated."""

    leaks: EvaluationLeaks = "refuse"
    device: Device = "auto"
    simulated: bool = False
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    reading: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EvaluatedModel:
    """What a model predicted for a test; ``facts`` are those of the training part."""

    model: str
    kind: str
    facts: DataFacts
    predictions: Predictions
    leaks: int = 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The rows, what they were computed from, and what a reader has to know."""

    rows: list[EvaluationRow]
    tested: list[EvaluatedModel]
    notes: list[str]

    def as_list(self) -> list[dict[str, Any]]:
        """The rows for JSON."""
        rows: list[dict[str, Any]] = msgspec.to_builtins(self.rows)
        return rows


def evaluate_runs(
    runs: Sequence[Run], files: Sequence[str | Path] = (), options: EvaluationOptions | None = None
) -> Evaluation:
    """Evaluate runs on files or, without files, on what they predicted for their own tests."""
    chosen = options or EvaluationOptions()
    if not runs:
        raise UsageError("name the folder of a trained model", code="no-run")
    names = _names([run.folder for run in runs])
    notes = [f"{name}: {note}" for run, name in zip(runs, names, strict=True) for note in _notes(run)]
    tests: dict[str, list[EvaluatedModel]] = {}  # by digests of their examples and ids
    reader = _Reader(chosen, notes)
    for run, name in zip(runs, names, strict=True):
        for digest, tested in _on_files(run, name, files, reader) if files else _on_own_tests(run, name):
            same = tests.setdefault(digest_hex(digest, *sorted(tested.predictions.ids)), [])
            same.append(_in_order_of(same[0], tested) if same else tested)
    if not tests:
        message = "the runs have no tests of their own; name files to evaluate them on"
        raise UsageError(message, code="no-test")
    rows: list[EvaluationRow] = []
    every: list[EvaluatedModel] = []
    for models in _with_different_names(list(tests.values())):
        above: EvaluatedModel | None = None
        for tested in [*_trivial(models), *models]:
            rows.append(evaluation_row(tested, above, chosen.bootstrap))
            every.append(tested)
            above = tested
        units = len(np.unique(models[0].predictions.units))
        if units < FEWEST_UNITS and chosen.bootstrap.replicates:
            notes.append(
                f"{models[0].predictions.test}: its pairs share so many sentences that there are only {units} "
                "independent units; intervals say little"
            )
    return Evaluation(rows, every, list(dict.fromkeys(notes)))


def evaluation_row(tested: EvaluatedModel, above: EvaluatedModel | None, bootstrap: Bootstrap) -> EvaluationRow:
    """The scores of a model on a test, and how they differ from those of the model above."""
    predictions = tested.predictions
    gold, predicted, units = predictions.gold, predictions.predicted, predictions.units
    positive = POSITIVE if predictions.task.name == "binary" else None
    listed = _listed(predictions)
    scores = score_labels(gold, predicted, positive=positive, labels=listed, units=units, bootstrap=bootstrap)
    sides = [is_positive(label) for label in gold]
    area, intervals = None, dict(scores.intervals)
    if None not in sides:
        estimate = area_with_interval(predictions.positive, np.array(sides, np.bool_), units, bootstrap)
        area, intervals["auc"] = estimate.value, _interval(estimate.low, estimate.high)
    difference = None
    if above is not None and bootstrap.replicates:
        other = above.predictions.predicted
        difference = compare_predictions(gold, predicted, other, positive=positive, units=units, bootstrap=bootstrap)
    turku = None
    if predictions.task.name != "binary" and has_turku_labels({*gold, *predicted}):
        turku = turku_table(gold, predicted, units=units, bootstrap=bootstrap)
    return EvaluationRow(
        model=tested.model,
        test=predictions.test,
        n=scores.n,
        accuracy=scores.accuracy,
        precision=scores.precision,
        recall=scores.recall,
        f1=scores.f1,
        low=scores.low,
        high=scores.high,
        labels=scores.labels,
        macro_f1=scores.macro_f1,
        auc=area,
        intervals=intervals,
        part=_part(sides),
        negatives_called=_called(predictions, sides, False),
        positives_called=_called(predictions, sides, True),
        calibration_error=reliability_of(predictions).error if len(predictions) else None,
        kind=tested.kind,
        train_pairs=tested.facts.pairs,
        train_groups=tested.facts.groups,
        leaks=tested.leaks,
        against=above.model if above else None,
        difference=difference,
        turku=turku,
        signature=scores.signature,
    )


@dataclass(slots=True)
class _Reader:
    """Reads each file once for each task, and says what was left out of it."""

    options: EvaluationOptions
    notes: list[str]
    read: dict[tuple[str, str], LabelledPairs] = field(default_factory=dict)

    def examples(self, file: str | Path, task: LabelTask) -> LabelledPairs:
        key = (str(file), task.name)
        if key not in self.read:
            simulated = self.options.simulated
            examples = read_examples(file, task.name, simulated=simulated, **self.options.reading)
            for reason, count in examples.left_out.items():
                self.notes.append(f"{examples.name}: {count:,} × left out: {reason}")
            self.read[key] = examples
        examples = self.read[key]
        if not {*examples.labels} & {*task.labels}:
            found, known = ", ".join(list(examples.counts())[:5]), ", ".join(task.labels[:5])
            message = f"its labels ({found} …) are none of those that the model predicts ({known} …)"
            raise DataError(message, file, code="labels-of-another-scheme")
        return examples


def _on_own_tests(run: Run, name: str) -> Iterator[tuple[str, EvaluatedModel]]:
    for facts, predictions in zip(run.record.tests, run.predictions(), strict=True):
        leaks = run.record.leaks.get(facts.name, 0)
        yield facts.digest, EvaluatedModel(name, run.record.kind, run.record.train, predictions, leaks)


def _on_files(
    run: Run, name: str, files: Sequence[str | Path], reader: _Reader
) -> Iterator[tuple[str, EvaluatedModel]]:
    """Predict files with a run, unless they share sentences with its training part."""
    tests = [reader.examples(file, run.record.task) for file in files]
    leaks = [
        check_leaks(run, name, test, file, reader.options.leaks, reader.notes)
        for test, file in zip(tests, files, strict=True)
    ]
    classifier = run.classifier(reader.options.device, note=lambda message: reader.notes.append(f"{name}: {message}"))
    for test, count in zip(tests, leaks, strict=True):
        predictions = predict(classifier, test, run.record.decision)
        if cut := forget_cut(classifier):
            reader.notes.append(f"{name} on {test.name}: {cut}")
        yield test.digest, EvaluatedModel(name, run.record.kind, run.record.train, predictions, count)


def check_leaks(
    run: Run, name: str, test: LabelledPairs, file: str | Path, leaks: EvaluationLeaks, notes: list[str]
) -> int:
    """How many pairs of a test share a sentence with training; refused if there are any, unless asked for."""
    shared = run.shares_sentence(test)
    count = int(shared.sum())
    if not count:
        return 0
    found = f"{count:,} of {len(test):,} pairs of {test.name} share a sentence with the training part of {name}"
    if leaks == "refuse":
        such = ", ".join(test.pairs[row].id for row in np.flatnonzero(shared)[:SHOWN])
        message = f"{found} (such as {such}), so the scores would be too good; --leaks keep marks them"
        raise DataError(message, file, code="test-shares-sentences")
    notes.append(f"{found}: the scores are too good")
    return count


def _in_order_of(first: EvaluatedModel, tested: EvaluatedModel) -> EvaluatedModel:
    """A model with its predictions in the order of another's: runs may read the same test in different orders."""
    ids = first.predictions.ids
    if tested.predictions.ids == ids:
        return tested
    rows = np.empty(len(ids), np.int64)
    rows[np.argsort(ids, kind="stable")] = np.argsort(tested.predictions.ids, kind="stable")
    return replace(tested, predictions=tested.predictions.take(rows))


def _trivial(models: Sequence[EvaluatedModel]) -> Iterator[EvaluatedModel]:
    """What the same test gives without a model, by the training parts of the models."""
    wanted = trivial_rungs([tested.kind for tested in models])
    for kind, choose in (("always", _most_frequent_positive), ("majority", _most_frequent)):
        labels: dict[str, EvaluatedModel] = {}
        for tested in models if kind in wanted else ():
            label = choose(tested.facts)
            if label is not None:
                labels.setdefault(label, tested)
        for label, tested in labels.items():
            name = kind if len(labels) == 1 else f"{kind} ({label})"
            yield EvaluatedModel(name, kind, tested.facts, _constant(tested.predictions, label))


def _most_frequent(facts: DataFacts) -> str | None:
    return max(facts.labels, key=lambda label: facts.labels[label], default=None)


def _most_frequent_positive(facts: DataFacts) -> str | None:
    positive = [label for label in facts.labels if is_positive(label)]
    return max(positive, key=lambda label: facts.labels[label], default=None)


def _constant(predictions: Predictions, label: str) -> Predictions:
    ids = pa.array(predictions.ids, pa.string())
    heads = ConstantClassifier(predictions.task, label).probabilities(ids, ids)
    return replace(predictions, predicted=[label] * len(predictions), heads=heads)


def _names(folders: Sequence[Path]) -> list[str]:
    """The names of the folders or, where these are equal, their paths."""
    names = [folder.resolve().name for folder in folders]
    return [name if names.count(name) == 1 else str(folder) for name, folder in zip(names, folders, strict=True)]


def _with_different_names(tests: list[list[EvaluatedModel]]) -> Iterator[list[EvaluatedModel]]:
    """The models of each test; tests of one name are distinguished by what is predicted, and else by numbers."""
    predicted = [models[0].predictions for models in tests]
    binary = {part.test for part in predicted if part.task.name == "binary"}
    names = [
        f"{part.test}, complete labels" if part.test in binary and part.task.name != "binary" else part.test
        for part in predicted
    ]
    for number, (name, models) in enumerate(zip(names, tests, strict=True)):
        different = name if names.count(name) == 1 else f"{name} ({names[:number].count(name) + 1})"
        yield [_renamed(tested, different) for tested in models]


def _renamed(tested: EvaluatedModel, test: str) -> EvaluatedModel:
    return replace(tested, predictions=replace(tested.predictions, test=test))


def _notes(run: Run) -> list[str]:
    record = run.record
    return [*record.notes, *([SIMULATED_REMARK] if record.simulated else [])]


def _listed(predictions: Predictions) -> list[str]:
    """Labels in the order of the task; of a task with many possible ones, those that occur."""
    occur = {*predictions.gold, *predictions.predicted}
    binary = predictions.task.name == "binary"
    return [label for label in predictions.task.labels if binary or label in occur]


def _part(sides: Sequence[bool | None]) -> PartKind | None:
    if not sides or None in sides:
        return None
    return "mixed" if True in sides and False in sides else "positives" if True in sides else "negatives"


def _called(predictions: Predictions, sides: Sequence[bool | None], side: bool) -> float | None:
    answers = [is_positive(label) for label, found in zip(predictions.predicted, sides, strict=True) if found is side]
    return answers.count(True) / len(answers) if answers else None


def _interval(low: float | None, high: float | None) -> Interval:
    return None if low is None or high is None else (low, high)


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
