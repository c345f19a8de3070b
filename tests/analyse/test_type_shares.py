"""Types of change as a finding: of a file that has them, of a project, of neither."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from otherwords.analyse.types import type_names, types_table
from otherwords.analyse.types_reading import annotations_of
from otherwords.corpus.corpora import corpus_of
from otherwords.project import Project
from otherwords.project.rows import TABLES, row_of
from otherwords.records import Judgement, Pair
from tests.analyse.corpora import cells, check, corpus, found
from tests.conftest import EXAMPLES

PAIR = Pair(id="p1", text1="The kettle boils again.", text2="Again, it is boiling.", lang="en", label="4")
ORDER: dict[str, Any] = {"type": "order", "scope1": [[17, 22]], "scope2": [[0, 5]], "projection": "local"}
BEYOND: dict[str, Any] = {"type": "order", "scope1": [[17, 99]], "scope2": [[0, 5]], "projection": "local"}


def test_a_file_with_types(tmp_path: Path) -> None:
    file = EXAMPLES / "types.news.xml"
    finding = found("types", corpus_of(file))
    assert finding is not None
    check(finding, tmp_path)
    table = types_table(*annotations_of(file))
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
        for record in (PAIR, judgement):
            connection.execute(insert(TABLES[type(record)]).values(**row_of(record)))
    finding = found("types", corpus_of(project.folder))
    assert finding is not None
    check(finding, tmp_path)
    assert [(row["type"], row["phenomena"]) for row in cells(finding, "types")] == [("order", 1)]
    assert len(finding.remarks) == 1
    assert finding.remarks[0].startswith("1 phenomena left out because")


def test_a_project_without_types(project: Project) -> None:
    with project.ledger.writing() as connection:
        connection.execute(insert(TABLES[Pair]).values(**row_of(PAIR)))
    assert found("types", corpus_of(project.folder)) is None


def test_pairs_without_types(tmp_path: Path) -> None:
    assert found("types", corpus(tmp_path / "pairs.jsonl", [PAIR])) is None


def test_annotated_pairs_without_any_phenomenon(project: Project, tmp_path: Path) -> None:
    judgement = Judgement(id="j1", pair="p1", value=[], annotator="anna", scheme="vila")
    with project.ledger.writing() as connection:
        for record in (PAIR, judgement):
            connection.execute(insert(TABLES[type(record)]).values(**row_of(record)))
    finding = found("types", corpus_of(project.folder))
    assert finding is not None
    check(finding, tmp_path)
    assert [table.name for table in finding.tables] == ["typed_pairs"]
    assert finding.figures == []


def test_the_paper(shared_data: Path) -> None:
    """The first 400 pairs of P4P have the numbers that Table 3 and 4 have, as :mod:`tests.papers.test_vila` tells."""
    finding = found("types", corpus_of(shared_data / "p4p" / "P4P-first-400.xml"))
    assert finding is not None
    [summary] = cells(finding, "typed_pairs")
    assert (summary["words"], summary["pairs"], summary["phenomena"]) == (39165, 400, 5206)
    rows = {row["type"]: row for row in cells(finding, "types")}
    assert rows["same polarity"]["share"] == pytest.approx(0.4441, abs=0.006)
    assert rows["semantics"]["length"] == pytest.approx(9.10, rel=0.07)
