"""Scales, counts, choices and the truth about machines, each computed by hand on a small ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.findings.answers import answers, truth_rows, wilson
from otherwords.project import Project
from otherwords.records import Gold, Judgement, Pair
from tests.analyse.corpora import cells, check, insert_records


def test_answers_are_tabulated(project: Project, tmp_path: Path) -> None:
    truth = {"p1": "machine", "p2": "machine", "p3": "people"}
    judged: list[tuple[str, str, str, object]] = [
        ("likert", "p1", "anna", {"fluency": 5, "similarity": 4, "diversity": 2}),
        ("likert", "p1", "bo", {"fluency": 4, "similarity": 4, "diversity": 2}),
        ("likert", "p2", "anna", {"fluency": 2, "similarity": 5, "diversity": 3}),
        ("machine-or-not", "p1", "anna", "machine"),
        ("machine-or-not", "p2", "anna", "people"),
        ("machine-or-not", "p3", "anna", "machine"),
    ]
    with project.ledger.writing() as connection:
        for name, label in truth.items():
            gold = Gold(label=label, explanation="")
            insert_records(connection, Pair(id=name, text1=f"{name} a", text2=f"{name} b", lang="en", gold=gold))
        for number, (scheme, pair, annotator, value) in enumerate(judged):
            insert_records(
                connection, Judgement(id=f"j{number}", pair=pair, annotator=annotator, value=value, scheme=scheme)
            )
    finding = answers(project, AnalysisOptions())
    assert finding is not None
    check(finding, tmp_path)
    assert [figure.name for figure in finding.figures] == ["answers"]
    fluency = cells(finding, "scales")[0]
    assert (fluency["question"], fluency["units"], fluency["answers"]) == ("fluency", 2, 3)
    assert fluency["mean"] == pytest.approx((4.5 + 2) / 2)
    flawless = next(row for row in cells(finding, "choices") if row["value"] == "flawless")
    assert (flawless["count"], flawless["share"]) == (1, pytest.approx(1 / 3))
    machine = cells(finding, "truth")[0]
    assert (machine["class"], machine["precision"], machine["recall"], machine["f1"]) == ("machine", 0.5, 0.5, 0.5)


def test_counts_and_several_choices(project: Project) -> None:
    with project.ledger.writing() as connection:
        insert_records(connection, Pair(id="p1", text1="a b", text2="c d"))
        for number, (scheme, value) in enumerate(_first_values(project)):
            insert_records(
                connection, Judgement(id=f"k{number}", pair="p1", annotator="anna", value=value, scheme=scheme)
            )
    finding = answers(project, AnalysisOptions())
    assert finding is not None
    first = {row["scheme"]: row for row in reversed(cells(finding, "choices"))}
    assert (first["good-poor"]["count"], first["good-poor"]["sum"]) == (1, 3)
    assert (first["suzuki-changes"]["count"], first["suzuki-changes"]["sum"]) == (1, None)


def _first_values(project: Project) -> list[tuple[str, object]]:
    from otherwords.annotate.schemes import load_scheme

    good, changes = (load_scheme(name, project.folder).questions[0] for name in ("good-poor", "suzuki-changes"))
    return [("good-poor", {good.values[0].value: 3}), ("suzuki-changes", [changes.values[0].value])]


def test_nothing_to_tabulate(project: Project) -> None:
    assert answers(project, AnalysisOptions()) is None


def test_an_interval_of_a_share() -> None:
    share, low, high = wilson(8, 10)  # Wilson 1927
    assert (share, round(low, 4), round(high, 4)) == (0.8, 0.4902, 0.9433)
    assert wilson(0, 5)[1] == 0.0


def test_a_class_that_nobody_names_has_no_precision() -> None:
    assert truth_rows([("machine", "people"), ("people", "people")]) == [
        ["machine", 1, None, 0.0, 0.0],
        ["people", 1, 0.5, 1.0, 2 / 3],
    ]
