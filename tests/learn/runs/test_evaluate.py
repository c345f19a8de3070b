"""Rows of runs: trivial rows first, each compared with the one above, and tests that leak are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from otherwords.errors import DataError, UsageError
from otherwords.learn.data.examples import LabelledPairs, nested_subsets
from otherwords.learn.data.parts import LabelledParts
from otherwords.learn.data.task import LabelTask, binary_task, label_task
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.metrics.calibration import choose_on_dev
from otherwords.learn.predictions import Predictions
from otherwords.learn.runs.evaluate import (
    EvaluatedModel,
    EvaluationOptions,
    EvaluationRow,
    evaluate_runs,
    evaluation_row,
    matrix,
)
from otherwords.learn.runs.run import DataFacts, Run
from otherwords.learn.runs.train import TrainRequest, train_run
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.records import Pair

NONE = Bootstrap(replicates=0)
NAMES = ("Anna", "Ben", "Clara", "David", "Elsa", "Frank", "Greta", "Hugo", "Ida", "Jonas", "Karla", "Leo")


def examples(part: str, start: int, task: str = "binary") -> LabelledPairs:
    """Six pairs: paraphrases share most of their words, the others few."""
    pairs, labels = [], []
    for number in range(start, start + 6):
        name, yes = NAMES[number % len(NAMES)], number % 2 == 0
        other = f"{name}{part} walked to the old mill early" if yes else f"Nobody {part} {number} knew why it rained"
        pairs.append(Pair(id=f"{part}{number}", text1=f"{name}{part} walked to the old mill", text2=other, group=part))
        labels.append({"binary": ("negative", "positive"), "labels": ("2", "4s")}[task][yes])
    return LabelledPairs(part, pairs, labels)


def trained(folder: Path, kind: str, task: str = "binary") -> Run:
    made: LabelTask = binary_task() if task == "binary" else label_task(["2", "3", "4", "4s"])
    part = {name: examples(name, start, task) for name, start in (("train", 0), ("dev", 2), ("test", 1))}
    parts = LabelledParts(made, part["train"], part["dev"], [part["test"]], notes=["a note"])
    return train_run(TrainRequest(kind, folder / kind, {}, TrainingContext(), choose_on_dev()), parts)


def rows_by_name(rows: list[EvaluationRow]) -> dict[str, EvaluationRow]:
    return {row.model: row for row in rows}


def test_a_run_on_its_own_test_comes_after_rows_without_a_model(tmp_path: Path) -> None:
    run = trained(tmp_path, "overlap")
    assert run.record.decision.temperatures
    assert run.record.train.groups == 1
    evaluation = evaluate_runs([run])
    assert [(row.model, row.test, row.against) for row in evaluation.rows] == [
        ("always", "test", None),
        ("majority", "test", "always"),
        ("overlap", "test", "majority"),
    ]
    overlap = rows_by_name(evaluation.rows)["overlap"]
    assert (overlap.accuracy, overlap.f1, overlap.auc, overlap.part) == (1.0, 1.0, 1.0, "mixed")
    assert (overlap.negatives_called, overlap.positives_called) == (0.0, 1.0)
    always = rows_by_name(evaluation.rows)["always"]
    assert (always.accuracy, always.negatives_called, always.auc) == (0.5, 1.0, 0.5)
    assert "overlap: a note" in evaluation.notes
    keys = {"model", "test", "n", "accuracy", "precision", "recall", "f1", "low", "high", "labels"}
    for row in json.loads(json.dumps(evaluation.as_list())):
        assert keys <= row.keys()
        assert {*row["labels"]} == {"positive", "negative"}
        assert all((keys - {"model", "test", "labels"}) <= label.keys() for label in row["labels"].values())


def test_a_trivial_run_is_not_listed_twice(tmp_path: Path) -> None:
    evaluation = evaluate_runs([trained(tmp_path, "always")], options=EvaluationOptions(bootstrap=NONE))
    assert [row.model for row in evaluation.rows] == ["majority", "always"]
    assert rows_by_name(evaluation.rows)["always"].positives_called == 1.0


def write(path: Path, part: LabelledPairs) -> Path:
    lines = [
        json.dumps({"id": pair.id, "text1": pair.text1, "text2": pair.text2, "label": label})
        for pair, label in zip(part.pairs, part.labels, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_files_are_predicted_now_and_leaks_are_refused(tmp_path: Path) -> None:
    run = trained(tmp_path, "overlap")
    clean = write(tmp_path / "clean.jsonl", examples("elsewhere", 5))
    [*_, row] = evaluate_runs([run], [clean]).rows
    assert (row.test, row.n, row.accuracy, row.leaks) == ("clean", 6, 1.0, 0)
    leaking = write(tmp_path / "leaking.jsonl", examples("train", 3))
    with pytest.raises(DataError, match="3 of 6 pairs of leaking share a sentence") as caught:
        evaluate_runs([run], [leaking])
    assert caught.value.code == "test-shares-sentences"
    kept = evaluate_runs([run], [leaking], EvaluationOptions(leaks="keep", bootstrap=NONE))
    assert kept.rows[-1].leaks == 3
    assert any("the scores are too good" in note for note in kept.notes)


def test_runs_that_read_a_test_in_another_order_are_compared_pair_by_pair(tmp_path: Path) -> None:
    first = trained(tmp_path / "a", "overlap")
    part = {name: examples(name, start) for name, start in (("train", 0), ("dev", 2), ("test", 1))}
    turned = part["test"].take(range(5, -1, -1))
    parts = LabelledParts(binary_task(), part["train"], part["dev"], [turned])
    request = TrainRequest("overlap", tmp_path / "b" / "turned", {}, TrainingContext(), choose_on_dev())
    rows = evaluate_runs([first, train_run(request, parts)]).rows
    assert [row.model for row in rows] == ["always", "majority", "overlap", "turned"]
    difference = rows_by_name(rows)["turned"].difference
    assert difference is not None
    assert "differ:0" in difference.signature


def test_a_test_of_negatives_alone_shows_what_share_is_called_a_paraphrase(tmp_path: Path) -> None:
    run, whole = trained(tmp_path, "overlap"), examples("elsewhere", 0)
    negatives = write(tmp_path / "negatives.jsonl", whole.take([1, 3, 5]))
    [always, _, overlap] = evaluate_runs([run], [negatives], EvaluationOptions(bootstrap=NONE)).rows
    assert (overlap.part, overlap.negatives_called, overlap.positives_called, overlap.auc) == (
        "negatives",
        0,
        None,
        None,
    )
    assert always.negatives_called == 1.0


def test_complete_labels_have_the_table_of_the_turku_paper(tmp_path: Path) -> None:
    [always, _] = evaluate_runs(
        [trained(tmp_path, "majority", "labels")], options=EvaluationOptions(bootstrap=NONE)
    ).rows
    assert always.turku is not None
    assert always.turku.flags["s"].recall == 1.0
    assert always.turku.labels["4"].n == 3


def test_labels_of_another_scheme_and_folders_without_a_run_are_refused(tmp_path: Path) -> None:
    run = trained(tmp_path, "majority", "labels")
    other = write(tmp_path / "other.jsonl", examples("elsewhere", 0))
    with pytest.raises(DataError) as caught:
        evaluate_runs([run], [other])
    assert caught.value.code == "labels-of-another-scheme"
    with pytest.raises(UsageError) as usage:
        evaluate_runs([])
    assert usage.value.code == "no-run"


def evaluated(model: str, kind: str, test: str, right: int, pairs: int) -> EvaluatedModel:
    task = binary_task()
    yes = np.arange(10) < right
    heads = [np.stack([1.0 - yes, yes.astype(np.float64)], axis=1)]
    labels = ["positive" if answer else "negative" for answer in yes]
    predictions = Predictions(test, task, list("abcdefghij"), ["positive"] * 10, labels, heads, np.arange(10))
    return EvaluatedModel(model, kind, DataFacts("train", pairs, {"positive": pairs}, ""), predictions)


def test_gains_are_over_the_first_run_of_a_kind() -> None:
    models = [
        evaluated("bow-small", "bow", "wiki", 5, 10),
        evaluated("bow-small", "bow", "qqp", 6, 10),
        evaluated("bert-small", "bert", "wiki", 4, 10),
        evaluated("bow-large", "bow", "wiki", 8, 20),
        evaluated("bow-large", "bow", "qqp", 5, 20),
    ]
    lines = matrix([evaluation_row(model, None, NONE) for model in models])
    assert [line.model for line in lines] == ["bow-small", "bow-large", "bert-small"]
    assert lines[0].cells["wiki"].accuracy_gain is None
    assert lines[1].cells["wiki"].accuracy_gain == pytest.approx(0.3)
    assert lines[1].cells["qqp"].accuracy_gain == pytest.approx(-0.1)
    assert list(lines[2].cells) == ["wiki"]


def test_pairs_that_share_a_sentence_are_one_unit() -> None:
    sentences = [("A b.", "c d"), ("c D", "e f"), ("g h", "i j"), ("k l", "m n")]
    pairs = [Pair(id=f"{number}", text1=one, text2=two) for number, (one, two) in enumerate(sentences)]
    pairs[3] = Pair(id="3", text1="k l", text2="m n", rewrite_of="2")
    units = LabelledPairs("test", pairs, ["positive"] * 4).units
    assert units[0] == units[1]
    assert units[2] == units[3]
    assert units[0] != units[2]


def test_subsets_for_learning_curves_are_nested_and_keep_groups_whole() -> None:
    pairs = [
        Pair(id=f"{number}", text1=f"a {number}", text2=f"b {number}", group=f"{number % 5}") for number in range(20)
    ]
    parts = nested_subsets(LabelledPairs("train", pairs, ["positive"] * 20), (20, 60, 100), by="group", seed=1)
    assert [len(part) for part in parts] == [4, 12, 20]
    ids = [{pair.id for pair in part.pairs} for part in parts]
    assert ids[0] < ids[1] < ids[2]
    assert len({pair.group for pair in parts[1].pairs}) == 3
    with pytest.raises(DataError) as caught:
        nested_subsets(LabelledPairs("train", [Pair(id="1", text1="a", text2="b")], ["positive"]), by="group")
    assert caught.value.code == "no-groups"
