"""doccano's JSON Lines export."""

from __future__ import annotations

import json
from pathlib import Path

from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from tests.sources.laws import pairs, read, recognised, rejected


def judgements(path: Path) -> list[Judgement]:
    return [record for record in read(path, "doccano", noun="judgements")[0] if isinstance(record, Judgement)]


def test_pairs(fixtures: Path) -> None:
    records, log = read(fixtures / "doccano" / "anna.jsonl")
    found = [record for record in records if isinstance(record, Pair)]
    assert [(pair.id, pair.text1, pair.label) for pair in found] == [
        ("1", "窓を閉めて。", "4s"),
        ("2", "雨だ。", None),
        ("3", "猫がいる。", None),
    ]
    assert found[2].meta["labels"] == ["1", "2"]
    assert log.marked == {"several labels; no label": 1}


def test_the_file_is_named_after_the_annotator(fixtures: Path) -> None:
    records = judgements(fixtures / "doccano" / "anna.jsonl")
    assert [(j.id, j.pair, j.annotator, j.value) for j in records] == [
        ("1:anna", "1", "anna", "4s"),
        ("3:anna", "3", "anna", ["1", "2"]),
    ]


def test_annotations_by_user_and_texts_under_meta(fixtures: Path) -> None:
    file = fixtures / "doccano" / "users.jsonl"
    assert [(j.id, j.annotator, j.value) for j in judgements(file)] == [("8:1", "1", "4"), ("8:2", "2", "3")]
    assert pairs(file)[0].text2 == "Tack så mycket."


def test_a_file_of_everybody_names_nobody(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    row = {"id": 1, "text": "a b", "text1": "a", "text2": "b", "label": ["4"]}
    file.write_text(json.dumps(row) + "\n" + json.dumps({**row, "id": 2, "username": "eva"}))
    assert [(j.id, j.annotator) for j in judgements(file)] == [("1:all", None), ("2:eva", "eva")]


def test_our_own_records_become_rows(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    write_records([Pair(id="12", text1="x", text2="y", label="2", group="g")], file, "doccano")
    assert json.loads(file.read_bytes()) == {
        "text": "x\ny",
        "id": 12,
        "text1": "x",
        "text2": "y",
        "group": "g",
        "label": ["2"],
    }
    assert recognised(file) == "doccano"
    write_records(
        [Judgement(id="1", pair="12", value="2", annotator="eva", meta={"text1": "x", "text2": "y"})], file, "doccano"
    )
    assert [(j.pair, j.value, j.annotator) for j in judgements(file)] == [("12", "2", "eva")]


def test_bad_rows(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"id": 1, "text": "a", "label": []}\n{"id"\n[]\n{"text1": 1, "text2": "b"}\n')
    assert [line for line, _ in rejected(file, "doccano", tmp_path)] == [1, 2, 3, 4]
