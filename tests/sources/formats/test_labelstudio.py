"""Label Studio's JSON export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from tests.sources.laws import pairs, read, rejected


@pytest.fixture
def export(fixtures: Path) -> Path:
    return fixtures / "labelstudio" / "export.json"


def judgements(path: Path, **options: Any) -> list[Judgement]:
    return [
        record for record in read(path, "labelstudio", noun="judgements", **options)[0] if isinstance(record, Judgement)
    ]


def test_a_pair_is_labelled_where_annotations_agree(export: Path) -> None:
    results = pairs(export)
    assert [(pair.id, pair.text1, pair.label) for pair in results] == [
        ("1", "El tren llegó tarde.", "4"),
        ("2", "Cierra la puerta.", None),
        ("p-3", "Hace frío.", None),
    ]
    assert results[0].meta["topic"] == "viajes"
    assert results[0].meta["task"]["project"] == 3


def test_a_judgement_an_annotation(export: Path) -> None:
    records, log = read(export, noun="judgements")
    found = [record for record in records if isinstance(record, Judgement)]
    assert [(j.id, j.pair, j.annotator, j.value, j.purpose) for j in found] == [
        ("1:11", "1", "5", "4", "production"),
        ("1:12", "1", "6", "4", "production"),
        ("2:13", "2", "5", "1", "production"),
        ("2:14", "2", "6", "2", "gold"),
        ("2:15", "2", "7", None, "production"),
    ]
    assert (found[0].seconds, found[0].time) == (4.25, "2024-03-01T09:00:00Z")
    assert log.marked == {"cancelled by the annotator": 1}


def test_the_same_tasks_are_written_again(export: Path, tmp_path: Path) -> None:
    original = json.loads(export.read_bytes())
    file = tmp_path / "again.json"
    write_records(judgements(export), file, "labelstudio")
    assert json.loads(file.read_bytes()) == original[:2]


def test_our_own_records_become_tasks(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    write_records(
        [Pair(id="a", text1="x", text2="y", label="4>"), Pair(id="b", text1="v", text2="w")], file, "labelstudio"
    )
    assert [(pair.id, pair.label) for pair in pairs(file, "labelstudio")] == [("a", "4>"), ("b", None)]
    texts = {"text1": "x", "text2": "y"}
    answers = [
        Judgement(id="1", pair="a", value="4", annotator="eva", seconds=2.0, meta=texts),
        Judgement(id="2", pair="a", value=None, annotator="olu", meta=texts),
    ]
    write_records(answers, file, "labelstudio")
    assert [(j.pair, j.value, j.annotator, j.seconds) for j in judgements(file)] == [
        ("a", "4", "eva", 2.0),
        ("a", None, "olu", None),
    ]


@pytest.mark.parametrize(
    ("result", "value"),
    [
        ([{"from_name": "q", "value": {"choices": ["a", "b"]}}], ["a", "b"]),
        ([{"from_name": "q", "value": {"rating": 4}}], 4),
        (
            [{"from_name": "q", "value": {"rating": 4}}, {"from_name": "r", "value": {"text": ["x"]}}],
            {"q": 4, "r": "x"},
        ),
        (
            [{"from_name": "q", "value": {"start": 0, "end": 2, "labels": ["N"]}}],
            {"start": 0, "end": 2, "labels": ["N"]},
        ),
        ([], None),
    ],
)
def test_kinds_of_answers(result: list[Any], value: Any, tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    task = {"id": 1, "data": {"a": "x", "b": "y"}, "annotations": [{"id": 2, "result": result}]}
    file.write_text(json.dumps([task]))
    assert judgements(file)[0].value == value


def test_columns_are_named(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    file.write_text(json.dumps([{"id": 1, "data": {"left": "x", "right": "y"}, "annotations": []}]))
    assert [reason for _, reason in rejected(file, "labelstudio", tmp_path)] == [
        "no fields for the two texts among: left, right; name them with --columns text1=…,text2=…"
    ]
    [pair] = pairs(file, "labelstudio", columns={"text1": "left", "text2": "right"})
    assert (pair.text1, pair.text2) == ("x", "y")


@pytest.mark.parametrize(
    "task", ["7", '{"id": 1}', '{"data": {"a": "x", "b": "y"}, "annotations": [3]}', '{"data": {"a": 1, "b": "y"}}']
)
def test_what_is_no_task_is_rejected(task: str, tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    file.write_text(f"[\n{task}]")
    assert [line for line, _ in rejected(file, "labelstudio", tmp_path)] == [2]
