"""Findings as files: whole or not at all, safe to open, one folder a corpus."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path

import pytest

from otherwords.analyse import writing_findings
from otherwords.analyse.analyses import Wishes, analysed
from otherwords.analyse.finding import Column, Table
from otherwords.analyse.writing_findings import as_json, csv_of, write_findings
from otherwords.errors import WriteError
from otherwords.records import Pair
from tests.analyse.corpora import corpus

PAIRS = [
    Pair(id="1", text1="The boat left.", text2="The boat is gone.", label="=1+1", source="=cmd()"),
    Pair(id="2", text1="The boat left.", text2="The boat has left.", label="yes", source="news"),
]


def test_files_of_one_corpus(tmp_path: Path) -> None:
    found = analysed([corpus(tmp_path / "c.jsonl", PAIRS)], Wishes(), ["labels"])
    assert write_findings(found, tmp_path / "out") == 8
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "labels.json",
        "labels.labels.csv",
        "labels.labels.png",
        "labels.labels.svg",
        "labels.sources.csv",
        "labels.sources.png",
        "labels.sources.svg",
        "labels.summary.csv",
    ]
    told = json.loads((tmp_path / "out" / "labels.json").read_text(encoding="utf-8"))
    assert (told["corpus"], told["analysis"]) == ("c", "labels")
    assert told["tables"]["labels"][0]["label"] == "=1+1"


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    write_findings(analysed([corpus(tmp_path / "c.jsonl", PAIRS)], Wishes(), ["labels"]), tmp_path / "out")
    with (tmp_path / "out" / "labels.sources.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["source"] for row in rows] == ["'=cmd()", "news"]
    assert csv_of(Table("t", "T", [Column("@a", "a")], [[None], [True], [-1.5]])) == '\'@a\n""\ntrue\n-1.5\n'


def test_each_corpus_of_several_has_its_folder(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    both = [corpus(tmp_path / "c.jsonl", PAIRS), corpus(tmp_path / "x" / "c.jsonl", PAIRS)]
    found = analysed(both, Wishes(), ["lengths", "corpora"])
    write_findings(found, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir() if path.is_dir()} == {"c", "c-2"}
    assert (tmp_path / "out" / "corpora.corpora.csv").is_file()
    told = as_json(found)
    assert [one["corpus"] for one in told["corpora"]] == ["c", "c"]
    assert list(told["compared"]) == ["corpora"]


def test_without_the_extra_there_are_tables_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing_findings, "can_draw", lambda: False)
    write_findings(analysed([corpus(tmp_path / "c.jsonl", PAIRS)], Wishes(), ["lengths"]), tmp_path / "out")
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".json", ".csv"}


def test_nothing_is_left_of_a_folder_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing_findings, "save", fail)
    found = analysed([corpus(tmp_path / "c.jsonl", PAIRS)], Wishes(), ["lengths"])
    with pytest.raises(WriteError, match="No space left"):
        write_findings(found, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["c.jsonl"]


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    found = analysed([corpus(tmp_path / "c.jsonl", PAIRS)], Wishes(), ["lengths"])
    with pytest.raises(WriteError, match="is not an empty folder"):
        write_findings(found, tmp_path)


def test_what_a_reader_has_to_know_stands_in_every_file(tmp_path: Path) -> None:
    one = dataclasses.replace(corpus(tmp_path / "c.jsonl", PAIRS), notes=["some judgements are simulated"])
    write_findings(analysed([one], Wishes(), ["labels"]), tmp_path / "out")
    told = json.loads((tmp_path / "out" / "labels.json").read_text(encoding="utf-8"))
    assert told["notes"] == ["some judgements are simulated"]
    assert "some judgements are simulated" in (tmp_path / "out" / "labels.labels.svg").read_text(encoding="utf-8")
    write_findings(analysed([one, one], Wishes(), ["corpora"]), tmp_path / "both")
    told = json.loads((tmp_path / "both" / "corpora.json").read_text(encoding="utf-8"))
    assert told["notes"] == ["c: some judgements are simulated"] * 2
