"""Runs: a training is a folder that repeats it, loads from it and refuses what does not belong to it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

import otherwords
from otherwords.cli import cli
from otherwords.errors import DataError, OtherwordsError, UsageError
from otherwords.learn.classifiers.threshold import best_threshold
from otherwords.learn.runs.request import ClassifierRequest, train_classifier
from otherwords.learn.runs.run import open_run
from tests.errors import raises
from tests.learn.labelled import pairs, turku_pairs, write


def request(folder: Path, **options: object) -> ClassifierRequest:
    path = folder / "pairs.jsonl"
    if not path.exists():
        write(path, pairs(80))
    values = {"paths": (str(path),), "model": "overlap", "out": str(folder / "run"), "split": "60/40"}
    return ClassifierRequest(**values | options)  # type: ignore[arg-type]


def test_a_run_can_be_opened_and_gives_the_same_answers(tmp_path: Path) -> None:
    run = train_classifier(request(tmp_path))
    again = open_run(run.folder)
    assert again.record == run.record
    (saved,) = again.predictions()
    texts = [pair for pair in pairs(80) if pair.id in set(saved.ids)]
    classifier = again.classifier()
    order = {pair.id: pair for pair in texts}
    columns = [pa.array([getattr(order[id], side) for id in saved.ids]) for side in ("text1", "text2")]
    heads = again.record.decision.calibrated(classifier.probabilities(*columns))
    assert np.array_equal(heads[0], saved.heads[0])
    assert saved.gold == ["positive" if order[id].label == "1" else "negative" for id in saved.ids]
    assert not (run.folder / "checkpoints").exists()


def test_the_same_training_again_does_nothing_and_another_is_refused(tmp_path: Path) -> None:
    first = train_classifier(request(tmp_path))
    written = (first.folder / "run.json").stat().st_mtime_ns
    train_classifier(request(tmp_path))
    assert (first.folder / "run.json").stat().st_mtime_ns == written
    with pytest.raises(UsageError) as problem:
        train_classifier(request(tmp_path, settings={"measure": "dice"}))
    assert problem.value.code == "another-run"
    other = train_classifier(request(tmp_path, settings={"measure": "dice"}, again=True))
    assert other.record.options == {"measure": "dice"}


@pytest.mark.parametrize(
    ("options", "differs"),
    [
        ({"threshold": "f1"}, "choices on dev"),
        ({"calibrate": False}, "choices on dev"),
        ({"split": "60/20/20"}, "dev pairs, tests"),
        ({"seed": 1, "model": "always"}, "model, options, seed, training pairs"),
    ],
)
def test_the_message_says_in_what_a_run_differs(tmp_path: Path, options: dict[str, object], differs: str) -> None:
    train_classifier(request(tmp_path))
    with raises("another-run", differs):
        train_classifier(request(tmp_path, **options))


def test_another_test_is_another_run(tmp_path: Path) -> None:
    for name, start in (("one", 80), ("two", 100)):
        write(tmp_path / f"{name}.jsonl", pairs(120)[start : start + 20])
    train_classifier(request(tmp_path, tests=(str(tmp_path / "one.jsonl"),)))
    with raises("another-run", r"differs in tests \("):
        train_classifier(request(tmp_path, tests=(str(tmp_path / "two.jsonl"),)))


def test_nothing_is_left_of_a_run_that_is_replaced(tmp_path: Path) -> None:
    for name, start in (("one", 80), ("two", 100)):
        write(tmp_path / f"{name}.jsonl", pairs(120)[start : start + 20])
    tests = tuple(str(tmp_path / f"{name}.jsonl") for name in ("one", "two"))
    run = train_classifier(request(tmp_path, tests=tests))
    (run.folder / "curve.json").write_text('[{"step": 1}]', "utf-8")  # as a network leaves it
    again = train_classifier(request(tmp_path, tests=tests[:1], again=True))
    assert not (run.folder / "test-2.parquet").exists()
    assert again.curve() == []


def test_a_changed_model_is_noticed(tmp_path: Path) -> None:
    run = train_classifier(request(tmp_path))
    (run.folder / "model" / "threshold.json").write_text('{"threshold":0.9,"low":0,"high":1}', "utf-8")
    with pytest.raises(DataError) as problem:
        open_run(run.folder).classifier()
    assert problem.value.code == "model-changed"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"model": "overlapp"}, "unknown-classifier"),
        ({"settings": {"measures": "dice"}}, "unknown-parameter"),
        ({"threshold": "best"}, "bad-threshold"),
        ({"threshold": "1.5"}, "bad-threshold"),
    ],
)
def test_what_is_misspelled_is_an_error_before_anything_is_written(
    tmp_path: Path, options: dict[str, object], code: str
) -> None:
    with pytest.raises(OtherwordsError) as problem:
        train_classifier(request(tmp_path, **options))
    assert (problem.value.code, problem.value.exit_code) == (code, 2)
    assert not (tmp_path / "run").exists()


def test_a_threshold_says_nothing_about_complete_labels(tmp_path: Path) -> None:
    write(tmp_path / "pairs.jsonl", turku_pairs(80))
    with pytest.raises(UsageError) as problem:
        train_classifier(request(tmp_path, task="labels"))
    assert problem.value.code == "binary-only"
    run = train_classifier(request(tmp_path, task="labels", model="majority"))
    assert set(run.predictions()[0].predicted) == {next(iter(run.record.train.labels))}


def test_the_best_threshold_has_the_most_right_answers() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        scores = random.integers(0, 10, 30) / 10
        positive = random.random(30) < scores
        tried = {float(score) for score in scores} | {2.0}
        right = {threshold: int(((scores >= threshold) == positive).sum()) for threshold in tried}
        best = best_threshold(scores, positive)
        assert int(((scores >= best) == positive).sum()) == max(right.values())


def test_train_and_predict_on_the_command_line(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.jsonl", pairs(80))
    run, out = str(tmp_path / "run"), str(tmp_path / "out.jsonl")
    done = CliRunner().invoke(cli, ["train", "classifier", str(path), "--model", "overlap", "--out", run, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["kind"] == "overlap"
    result = otherwords.predict(run, path, out)
    assert (result.pairs, sum(result.labels.values())) == (80, 80)
    rows = [json.loads(line) for line in Path(out).read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == [f"p{number}" for number in range(80)]
    assert all(row["scores"]["model:run"] == row["meta"]["predicted"]["probabilities"]["positive"] for row in rows)
    nowhere = CliRunner().invoke(cli, ["train", "classifier", str(path), "--model", "overlap"])
    assert nowhere.exit_code != 0


def test_something_else_is_not_a_run(tmp_path: Path) -> None:
    with pytest.raises(DataError) as problem:
        open_run(tmp_path)
    assert problem.value.code == "not-a-run"
