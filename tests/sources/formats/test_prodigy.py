"""Prodigy's JSON Lines export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from tests.sources.laws import pairs, read, rejected


@pytest.fixture
def answers(fixtures: Path) -> Path:
    return fixtures / "prodigy" / "answers.jsonl"


def judgements(path: Path) -> list[Judgement]:
    return [record for record in read(path, "prodigy", noun="judgements")[0] if isinstance(record, Judgement)]


def test_a_task_answered_twice_is_one_pair(answers: Path) -> None:
    records, log = read(answers)
    found = [(pair.id, pair.text1, pair.label) for pair in records if isinstance(pair, Pair)]
    assert found == [
        ("-101", "The kettle is boiling.", "4"),
        ("202", "Mind the step.", None),
        ("303", "Mind the gap.", None),
    ]
    assert log.marked == {"another answer to a pair already read": 1}


def test_every_answer_is_a_judgement(answers: Path) -> None:
    records, log = read(answers, noun="judgements")
    found = [record for record in records if isinstance(record, Judgement)]
    assert [(j.id, j.annotator, j.value, j.scheme) for j in found] == [
        ("-101:eva:55", "eva", "4", None),
        ("-101:olu:55", "olu", "1", None),
        ("202:3:77", None, False, "PARAPHRASE"),
        ("303:db-eva:88", "db-eva", None, None),
    ]
    assert found[0].time == "2023-11-14T22:13:20+00:00"
    assert log.marked == {"ignored by the annotator": 1}


def test_the_same_rows_are_written_again(answers: Path, tmp_path: Path) -> None:
    file = tmp_path / "again.jsonl"
    write_records(judgements(answers), file, "prodigy")
    rows = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert rows == [json.loads(line) for line in answers.read_bytes().splitlines()]


def test_our_own_records_become_tasks(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    write_records([Pair(id="a", text1="x", text2="y", label="4>"), Pair(id="b", text1="v", text2="w")], file, "prodigy")
    assert [(pair.id, pair.label) for pair in pairs(file, "prodigy")] == [("a", "4>"), ("b", None)]
    texts = {"text1": "x", "text2": "y"}
    values = ["4", True, False, None, ["1", "2"]]
    write_records(
        [Judgement(id=str(n), pair="a", value=v, annotator="e", meta=texts) for n, v in enumerate(values)],
        file,
        "prodigy",
    )
    assert [(j.pair, j.annotator, j.value) for j in judgements(file)] == [("a", "e", value) for value in values]


def test_bad_rows(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(
        '{"text1": "a", "text2": "b", "answer": "maybe"}\n{"text": "a"}\n'
        '{"text1": "a", "text2": "b", "_timestamp": 1e40}\n{"text1": "a", "text2": null}\n'
    )
    assert rejected(file, "prodigy", tmp_path) == [
        (1, "answer: one of accept, reject, ignore is expected, found 'maybe'"),
        (2, "no fields for the two texts among: text; name them with --columns text1=…,text2=…"),
        (4, "no field text2"),
    ]
    _, log = read(file, "prodigy", noun="judgements", on_error="skip")
    assert log.skipped["_timestamp: a time in seconds is expected, found 1e+40"] == 1
