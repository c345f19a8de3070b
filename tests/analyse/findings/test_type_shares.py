"""Types of change as a finding: in a file that has them, in a project, in neither."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherwords.analyse.types.annotations import load_annotations
from otherwords.analyse.types.table import type_names, types_table
from otherwords.corpus.corpus import open_corpus
from otherwords.project import Project
from otherwords.records import Judgement, Pair
from tests.analyse.corpora import cells, check, corpus, insert_records, run_analysis
from tests.conftest import EXAMPLES

PAIR = Pair(id="p1", text1="The kettle boils again.", text2="Again, it is boiling.", lang="en", label="4")
ORDER: dict[str, Any] = {"type": "order", "scope1": [[17, 22]], "scope2": [[0, 5]], "projection": "local"}
BEYOND: dict[str, Any] = {"type": "order", "scope1": [[17, 99]], "scope2": [[0, 5]], "projection": "local"}


def test_a_file_with_types(tmp_path: Path) -> None:
    file = EXAMPLES / "types.news.xml"
    finding = run_analysis("types", open_corpus(file))
    assert finding is not None
    check(finding, tmp_path)
    table = types_table(*load_annotations(file))
    [summary] = cells(finding, "typed_pairs")
    assert (summary["words"], summary["pairs"], summary["phenomena"]) == (86, 5, 16)
    assert summary["phenomena_per_word"] == table.averages()["phenomena_per_word"]
    rows = {row["type"]: row for row in cells(finding, "types")}
    assert list(rows) == [type_names([])[tag] for tag in table.as_dict()["types"]]
    assert "same polarity" in rows
    assert "lex_same_polarity" not in rows
    assert rows["order"] == {"type": "order", "phenomena": 3, "share": 0.1875, "length": table.length("order")}
    assert "tok:" in finding.signatures["types"]


def test_a_project_with_types(project: Project, tmp_path: Path) -> None:
    judgement = Judgement(id="j1", pair="p1", value=[ORDER, BEYOND], annotator="anna", scheme="vila")
    with project.ledger.writing() as connection:
        insert_records(connection, PAIR, judgement)
    finding = run_analysis("types", open_corpus(project.folder))
    assert finding is not None
    check(finding, tmp_path)
    assert [(row["type"], row["phenomena"]) for row in cells(finding, "types")] == [("order", 1)]
    [remark] = finding.remarks
    assert remark.startswith("phenomena left out because")
    assert remark.endswith(": 1")


def test_a_project_without_types(project: Project) -> None:
    with project.ledger.writing() as connection:
        insert_records(connection, PAIR)
    assert run_analysis("types", open_corpus(project.folder)) is None


def test_pairs_without_types(tmp_path: Path) -> None:
    assert run_analysis("types", corpus(tmp_path / "pairs.jsonl", [PAIR])) is None


def test_annotated_pairs_without_any_phenomenon(project: Project, tmp_path: Path) -> None:
    judgement = Judgement(id="j1", pair="p1", value=[], annotator="anna", scheme="vila")
    with project.ledger.writing() as connection:
        insert_records(connection, PAIR, judgement)
    finding = run_analysis("types", open_corpus(project.folder))
    assert finding is not None
    check(finding, tmp_path)
    assert [table.name for table in finding.tables] == ["typed_pairs"]
    assert finding.figures == []


def test_the_paper(shared_data: Path) -> None:
    """The first 400 pairs of P4P have the numbers of Tables 3 and 4, as in :mod:`tests.papers.test_vila`."""
    finding = run_analysis("types", open_corpus(shared_data / "p4p" / "P4P-first-400.xml"))
    assert finding is not None
    [summary] = cells(finding, "typed_pairs")
    assert (summary["words"], summary["pairs"], summary["phenomena"]) == (39165, 400, 5206)
    rows = {row["type"]: row for row in cells(finding, "types")}
    assert rows["same polarity"]["share"] == pytest.approx(0.4441, abs=0.006)
    assert rows["semantics"]["length"] == pytest.approx(9.10, rel=0.07)


@pytest.mark.parametrize("on_error", ["skip", "quarantine"])
def test_rows_that_are_skipped_do_not_stop_the_types(tmp_path: Path, fixtures: Path, on_error: str) -> None:
    whole = (fixtures / "apty" / "apty.csv").read_text("utf-8")
    (tmp_path / "apty.csv").write_text(whole + whole.splitlines()[1].replace(";0.0;9.0;", ";zero;9.0;") + "\n", "utf-8")
    aside = tmp_path / "aside.jsonl" if on_error == "quarantine" else None
    finding = run_analysis("types", open_corpus(tmp_path / "apty.csv", on_error=on_error, quarantine=aside))
    assert finding is not None
    intact = run_analysis("types", open_corpus(fixtures / "apty" / "apty.csv"))
    assert intact is not None
    assert cells(finding, "types") == cells(intact, "types")
    assert len(finding.remarks) == len(intact.remarks) + 1
