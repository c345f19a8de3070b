"""Comparisons of several corpora."""

from __future__ import annotations

import json
from pathlib import Path

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Column, Table
from otherwords.analyse.report.compare import compare, side_by_side
from otherwords.project import Project
from tests.analyse.corpora import corpus
from tests.analyse.report.written import QUICK, bytes_of
from tests.analyse.reported import JAPANESE, check_page, judged, pairs
from tests.errors import raises

LABELS = (Column("label", "label"), Column("pairs", "pairs", "count"), Column("share", "share", "share"))


def test_rows_are_matched_by_their_leading_cells() -> None:
    first = Table("labels", "Labels", LABELS, [("4", 3, 0.75), ("2", 1, 0.25)])
    second = Table("labels", "Labels", LABELS, [("x", 5, 0.5), ("4", 5, 0.5)])
    table = side_by_side({"one": first, "two": second})
    assert table is not None
    assert table.title == "Labels: share"
    assert [column.kind for column in table.columns] == ["text", "share", "share"]
    assert table.rows == [("4", 0.75, 0.5), ("2", 0.25, None), ("x", None, 0.5)]


def test_ranges_are_leading_cells_too() -> None:
    columns = (Column("from", "from", "number"), Column("to", "to", "number"), Column("pairs", "pairs", "count"))
    table = side_by_side({"one": Table("r", "R", columns, [(0.0, 0.1, 4)]), "two": Table("r", "R", columns, [])})
    assert table is not None
    assert table.rows == [(0.0, 0.1, 4, None)]


def test_tables_of_one_row_are_transposed() -> None:
    columns = (Column("pairs", "pairs", "count"), Column("positive", "positives", "share"))
    table = side_by_side({"one": Table("s", "S", columns, [(1200, 0.5)]), "two": Table("s", "S", columns, [(3, None)])})
    assert table is not None
    assert table.rows == [("pairs", "1,200", "3"), ("positives", "50.0 %", "–")]


def test_tables_without_numbers_cannot_be_compared() -> None:
    assert side_by_side({"one": Table("t", "T", (Column("a", "a"),), [("b",)])}) is None


def test_a_page_of_a_project_and_two_files(project: Project, tmp_path: Path) -> None:
    judged(project)
    corpus(tmp_path / "a.one.jsonl", pairs(times=2))
    corpus(tmp_path / "a.two.jsonl", pairs(JAPANESE, "ja", times=4))
    paths = [project.folder, tmp_path / "a.one.jsonl", tmp_path / "a.two.jsonl"]
    for name in ("page", "again"):
        written = compare(paths, tmp_path / name, QUICK)
    found = check_page(tmp_path / "page")
    assert bytes_of(tmp_path / "page") == bytes_of(tmp_path / "again")
    assert {"corpora", "distributions", "labels", "lengths", "similarity", "provenance"} <= set(written.findings)
    assert {section["id"] for section in found.all("section")} == {*written.findings, "methods"}
    shares = json.loads((tmp_path / "page" / "tables" / "labels-labels.json").read_text())
    assert set(shares[0]) >= {"label", "corpus", "a.one", "a.two"}
    assert "Lexical similarity" in "".join(found.text)


def test_equal_names_are_numbered(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        corpus(tmp_path / folder / "dev.jsonl", pairs())
    compare([tmp_path / "x" / "dev.jsonl", tmp_path / "y" / "dev.jsonl"], tmp_path / "page", QUICK)
    text = "".join(check_page(tmp_path / "page").text)
    assert "dev · dev (2)" in text


def test_one_corpus_is_no_comparison(tmp_path: Path) -> None:
    with raises("too-few-corpora"):
        compare([tmp_path], tmp_path / "page", AnalysisOptions())
    assert not (tmp_path / "page").exists()
