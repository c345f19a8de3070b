"""Doubted labels: what was changed on purpose is found, tests stay as they are, and every change can be undone."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

import otherwords
from otherwords.cli import cli
from otherwords.errors import DataError, UsageError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import binary_task
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.noise.denoise import GRID, changed_pairs, clean, trainable, undo_changes
from otherwords.learn.noise.teacher import out_of_fold
from otherwords.records import Pair
from tests.errors import raises
from tests.learn.labelled import examples, pairs, write

LABELS = binary_task().labels


def noisy(count: int, wrong: set[int]) -> list[Pair]:
    """Pairs of which some have the other label."""
    return [
        msgspec.structs.replace(pair, label="0" if pair.label == "1" else "1") if number in wrong else pair
        for number, pair in enumerate(pairs(count))
    ]


def test_the_teacher_doubts_labels_that_were_changed() -> None:
    wrong = {4, 11, 30, 53}
    chosen = noisy(80, wrong)
    train = LabelledPairs("train", chosen, ["positive" if pair.label == "1" else "negative" for pair in chosen])
    joint = out_of_fold(binary_task(), train, "overlap", {}, TrainingContext())
    assert joint.shape == (80, 2)
    cleaned = clean(train, joint, LABELS, "filter", 0.45)
    assert {change.id for change in cleaned.changes} == {f"p{number}" for number in wrong}
    assert len(cleaned.examples) == 76
    flipped = clean(train, joint, LABELS, "flip", 0.45)
    right = examples(80)
    assert list(flipped.examples.labels) == list(right.labels)
    confident = clean(train, joint, LABELS, "confident", 0.0)
    assert {change.id for change in confident.changes} <= {f"p{number}" for number in wrong}


def test_nobody_is_flipped_to_the_label_it_has() -> None:
    train = examples(4)
    joint = np.array([[0.45, 0.55], [0.9, 0.1], [0.8, 0.2], [0.7, 0.3]])  # p0 and p2 are positive
    cleaned = clean(train, joint, LABELS, "flip", 0.56)
    assert [(change.id, change.new_label) for change in cleaned.changes] == [("p2", "negative")]


def test_a_rule_that_leaves_one_label_is_refused() -> None:
    joint = np.tile([0.9, 0.1], (6, 1))
    with pytest.raises(DataError) as problem:
        trainable(clean(examples(6), joint, LABELS, "filter", 0.35))
    assert problem.value.code == "one-label-only"


def test_every_change_can_be_undone() -> None:
    chosen = noisy(40, {3, 8})
    train = LabelledPairs("train", chosen, ["positive" if pair.label == "1" else "negative" for pair in chosen])
    joint = out_of_fold(binary_task(), train, "overlap", {}, TrainingContext())
    changed = [pair for pair, _ in changed_pairs(train, clean(train, joint, LABELS, "flip", 0.45))]
    assert [pair.label for pair in changed] == [pair.label for pair in pairs(40)]
    assert list(undo_changes(changed)) == chosen


def test_cleaning_a_file_on_the_command_line(tmp_path: Path) -> None:
    path = write(tmp_path / "noisy.jsonl", noisy(80, {4, 11, 30}))
    out, rejected = tmp_path / "out.jsonl", tmp_path / "rejected.jsonl"
    arguments = ["denoise", str(path), "--model", "overlap", "--lambda", "0.45", "--out", str(out), "--json"]
    done = CliRunner().invoke(cli, [*arguments, "--rejected", str(rejected)])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    kept, dropped = out.read_text("utf-8").splitlines(), rejected.read_text("utf-8").splitlines()
    assert len(kept) + len(dropped) == found["pairs"]
    assert {json.loads(line)["id"] for line in dropped} == {change["id"] for change in found["changes"]}
    assert {change["id"] for change in found["changes"]} <= {"p4", "p11", "p30"}
    assert all(json.loads(line)["meta"]["denoise"]["probability"] <= 0.45 for line in dropped)


def test_the_table_has_every_rule_and_marks_the_best_on_dev(tmp_path: Path) -> None:
    path = write(tmp_path / "noisy.jsonl", noisy(120, set(range(0, 120, 9))))
    result = otherwords.denoise(path, model="overlap", grid=True)
    by_rule = {
        rule: [row for row in result.rows if row.rule == rule] for rule in ("none", "filter", "flip", "confident")
    }
    assert [len(rows) for rows in by_rule.values()] == [1, len(GRID), len(GRID), 1]
    for rows in by_rule.values():
        (best,) = [row for row in rows if row.chosen]
        assert best.f1 == max(row.f1 for row in rows)
    assert result.least in GRID


def test_lambda_is_a_probability(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.jsonl", pairs(20))
    with pytest.raises(UsageError) as problem:
        otherwords.denoise(path, model="overlap", least=1.5)
    assert problem.value.code == "bad-lambda"
    with pytest.raises(UsageError) as problem:
        otherwords.denoise(path, model="overlap", batch="again")
    assert problem.value.code == "conflicting-options"


def test_a_teacher_that_has_learnt_the_labels_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.jsonl", pairs(80))
    otherwords.train.classifier(path, model="overlap", out=tmp_path / "run")
    with raises("teacher-knows-pairs", "trained on other pairs"):
        otherwords.denoise(path, teacher=tmp_path / "run", out=tmp_path / "cleaned.jsonl")
