"""Findings as files: complete or not at all, safe to open, one folder per corpus."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path

import pytest

from otherwords.analyse.catalogue import AnalysisOptions, run_analyses
from otherwords.analyse.finding import Column, Table
from otherwords.analyse.report import export
from otherwords.analyse.report.export import as_json, table_csv, write_findings
from otherwords.errors import WriteError
from otherwords.records import Pair
from tests.analyse.corpora import corpus

PAIRS = [
    Pair(id="1", text1="The boat left.", text2="The boat is gone.", label="=1+1", source="=cmd()"),
    Pair(id="2", text1="The boat left.", text2="The boat has left.", label="yes", source="news"),
]


def test_files_of_one_corpus(tmp_path: Path) -> None:
    results = run_analyses([corpus(tmp_path / "c.jsonl", PAIRS)], AnalysisOptions(), ["labels"])
    assert write_findings(results, tmp_path / "out") == 8
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
    document = json.loads((tmp_path / "out" / "labels.json").read_text(encoding="utf-8"))
    assert (document["corpus"], document["analysis"]) == ("c", "labels")
    assert document["tables"]["labels"][0]["label"] == "=1+1"


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    write_findings(run_analyses([corpus(tmp_path / "c.jsonl", PAIRS)], AnalysisOptions(), ["labels"]), tmp_path / "out")
    with (tmp_path / "out" / "labels.sources.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["source"] for row in rows] == ["'=cmd()", "news"]
    assert table_csv(Table("t", "T", [Column("@a", "a")], [[None], [True], [-1.5]])) == '\'@a\n""\ntrue\n-1.5\n'


def test_several_corpora_have_a_folder_each(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    both = [corpus(tmp_path / "c.jsonl", PAIRS), corpus(tmp_path / "x" / "c.jsonl", PAIRS)]
    results = run_analyses(both, AnalysisOptions(), ["lengths", "corpora"])
    write_findings(results, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir() if path.is_dir()} == {"c", "c-2"}
    assert (tmp_path / "out" / "corpora.corpora.csv").is_file()
    document = as_json(results)
    assert [entry["corpus"] for entry in document["corpora"]] == ["c", "c"]
    assert list(document["compared"]) == ["corpora"]


def test_without_the_extra_there_are_no_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "can_draw", lambda: False)
    write_findings(
        run_analyses([corpus(tmp_path / "c.jsonl", PAIRS)], AnalysisOptions(), ["lengths"]), tmp_path / "out"
    )
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".json", ".csv"}


def test_a_failure_leaves_no_folder_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export, "save", fail)
    results = run_analyses([corpus(tmp_path / "c.jsonl", PAIRS)], AnalysisOptions(), ["labels"])
    with pytest.raises(WriteError, match="No space left"):
        write_findings(results, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["c.jsonl"]


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    results = run_analyses([corpus(tmp_path / "c.jsonl", PAIRS)], AnalysisOptions(), ["lengths"])
    with pytest.raises(WriteError, match="is not an empty folder"):
        write_findings(results, tmp_path)


def test_notes_are_in_every_file(tmp_path: Path) -> None:
    noted = dataclasses.replace(corpus(tmp_path / "c.jsonl", PAIRS), notes=["some judgements are simulated"])
    write_findings(run_analyses([noted], AnalysisOptions(), ["labels"]), tmp_path / "out")
    document = json.loads((tmp_path / "out" / "labels.json").read_text(encoding="utf-8"))
    assert document["notes"] == ["some judgements are simulated"]
    assert "some judgements are simulated" in (tmp_path / "out" / "labels.labels.svg").read_text(encoding="utf-8")
    write_findings(run_analyses([noted, noted], AnalysisOptions(), ["corpora"]), tmp_path / "both")
    document = json.loads((tmp_path / "both" / "corpora.json").read_text(encoding="utf-8"))
    assert document["notes"] == ["c: some judgements are simulated"] * 2
