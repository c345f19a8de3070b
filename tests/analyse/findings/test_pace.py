"""Pace and agreement over time, counted by hand on small ledgers; no finding names anybody."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection

from otherwords.analyse.agreement.finding import agreement
from otherwords.analyse.catalogue import PROJECT_ANALYSES, AnalysisOptions
from otherwords.analyse.finding import Finding
from otherwords.analyse.findings.pace import every_week, pace
from otherwords.analyse.judgement_tables import annotator_aliases
from otherwords.project import Project
from otherwords.records import Judgement, Pair
from tests.analyse.corpora import cells, check, insert_records

NUMBERS = itertools.count(1)
OPTIONS = AnalysisOptions(replicates=20)
WEEK19, WEEK21, WEEK22 = (f"2024-05-{day}T08:00:00.000+00:00" for day in (10, 20, 28))


def judge(connection: Connection, annotator: str | None, pair: str, value: Any, **fields: Any) -> str:
    fields = {"scheme": "turku", **fields}
    judgement = Judgement(id=f"j{next(NUMBERS)}", pair=pair, annotator=annotator, value=value, **fields)
    insert_records(connection, judgement)
    return judgement.id


def anonymous(finding: Finding | None, folder: Path) -> Finding:
    """The finding, after a check that it names nobody."""
    assert finding is not None
    check(finding, folder)
    specs = [figure.spec for figure in finding.figures]
    everything = msgspec.json.encode([finding.as_dict(), specs, finding.about]).decode()
    assert not any(name in everything for name in ("anna", 'bo"', "bo ", "cleo", "dora"))
    return finding


def test_aliases_by_number_of_judgements(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert annotator_aliases(connection) == {}
        judge(connection, "bo", "p1", "4")
        judge(connection, "anna", "p1", "4", supersedes=judge(connection, "anna", "p1", "3"))
        judge(connection, "bo", "p2", "4")
        judge(connection, "cleo", "p1", "4", kind="consensus")
        judge(connection, "dora", "p1", "4", kind="simulated")
        judge(connection, None, "p1", "4")
        assert annotator_aliases(connection) == {"bo": "a01", "anna": "a02"}
        for number in range(100):
            judge(connection, f"worker {number}", "p1", "4", kind="vote")
        assert annotator_aliases(connection)["bo"] == "a001"
        assert sorted(annotator_aliases(connection).values())[-1] == "a102"


def test_judgements_by_person_week_and_label(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        for number, seconds in enumerate([4.0, 6.0, 50.0]):
            judge(connection, "anna", f"p{number}", "4", seconds=seconds, time=WEEK19)
        judge(connection, "anna", "p3", "2", seconds=1.0, time=WEEK21)
        judge(connection, "bo", "p0", "4>", time=WEEK21)
        judge(connection, "bo", "p1", "4>")
        judge(connection, "bo", "p2", None, supersedes=judge(connection, "bo", "p2", "4"))
        judge(connection, "bo", "p2", {"fluency": 3}, scheme=None, time=WEEK21)
        judge(connection, "cleo", "p0", "4", kind="consensus", time=WEEK21)
    finding = anonymous(pace(project, AnalysisOptions()), tmp_path)
    assert [tuple(row.values()) for row in cells(finding, "pace")] == [
        ("a01", 4, 4 / 7, 2, 4, 5.0),
        ("a02", 3, 3 / 7, 1, 0, None),
        ("(all)", 7, 1.0, 2, 4, 5.0),
    ]
    assert [tuple(row.values()) for row in cells(finding, "pace_by_week")] == [
        ("2024-W19", 3, 1, 3, 6.0),
        ("2024-W20", 0, 0, 0, None),
        ("2024-W21", 3, 2, 1, 1.0),
    ]
    assert [tuple(row.values()) for row in cells(finding, "pace_by_label")] == [
        ("4", 3, 3, 6.0),
        ("4>", 2, 0, None),
        ("2", 1, 1, 1.0),
    ]
    assert finding.remarks == [
        "judgements without a time, which are in no week: 1",
        "judgements that answer several questions, which are under no label: 1",
    ]
    assert [figure.title for figure in finding.figures] == ["corpus: 6 judgements in 3 weeks"]


def test_without_times(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        judge(connection, "anna", "p1", "4")
    finding = anonymous(pace(project, AnalysisOptions()), tmp_path)
    assert [table.name for table in finding.tables] == ["pace", "pace_by_label"]
    assert finding.figures == []
    assert finding.remarks == ["judgements without a time, which are in no week: 1", "no judgement was timed"]


def test_many_people_are_drawn_as_others(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        for number in range(8):
            judge(connection, f"worker {number}", "p1", "4", time=WEEK19 if number % 2 else WEEK21)
    [figure] = anonymous(pace(project, AnalysisOptions()), tmp_path).figures
    rows = figure.spec["data"]["values"]
    assert {row["annotator"] for row in rows} == {"a01", "a02", "a03", "a04", "others"}
    assert sum(row["judgements"] for row in rows) == 8


@pytest.mark.parametrize("name", ["pace", "agreement", "extraction", "stages"])
def test_nobody_has_judged_anything(project: Project, name: str) -> None:
    assert PROJECT_ANALYSES.get(name)(project, AnalysisOptions()) is None


@pytest.mark.parametrize(
    ("weeks", "expected"),
    [
        ([], []),
        (["2024-W19"], ["2024-W19"]),
        (["2021-W01", "2020-W52"], ["2020-W52", "2020-W53", "2021-W01"]),
        (["9999-W52", "2024-W19"], ["2024-W19", "9999-W52"]),
    ],
)
def test_every_week(weeks: list[str], expected: list[str]) -> None:
    assert every_week(weeks) == expected


def test_agreement(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        labels = [("4", "4", "4"), ("3", "4", "4"), ("2", "2", None), ("3", "3", "3")]
        for number, (by_anna, by_bo, consensus) in enumerate(labels):
            time = WEEK19 if number < 2 else WEEK21
            judge(connection, "anna", f"p{number}", by_anna, time=time)
            judge(connection, "bo", f"p{number}", by_bo, time=time)
            if consensus:
                judge(connection, "cleo", f"p{number}", consensus, kind="consensus", time=time)
        judge(connection, "anna", "p9", "4", time=WEEK21)
        judge(connection, "anna", "p9", "3", time=WEEK21)
    finding = anonymous(agreement(project, OPTIONS), tmp_path)
    together = {(row["measure"], row["labels"]): row for row in cells(finding, "agreement")}
    assert together["observed", "full"]["value"] == 0.75
    assert (together["observed", "full"]["units"], together["observed", "full"]["annotators"]) == (4, 2)
    assert {"alpha-nominal", "alpha-ordinal", "cohen-mean"} <= {measure for measure, _ in together}
    accuracy = {
        row["annotator"]: row["value"]
        for row in cells(finding, "consensus")
        if (row["measure"], row["labels"]) == ("accuracy", "full")
    }
    assert accuracy == {"a01": 3 / 4, "a02": 1.0}
    assert cells(finding, "agreement")[0]["measure"] == "alpha-ordinal", "the coefficient to quote is the first"
    assert finding.headlines[0].startswith("Krippendorff's ordinal alpha is ")
    assert finding.headlines[0].endswith(
        "over 4 pairs that were judged by both annotators for production (full labels)"
    )
    matrix = {row["label"]: {label: row[label] for label in "432"} for row in cells(finding, "confusion")}
    assert matrix == {"4": {"4": 1, "3": 0, "2": 0}, "3": {"4": 1, "3": 1, "2": 0}, "2": {"4": 0, "3": 0, "2": 1}}
    assert "consensus on 4 pairs: 3 decided by the team, 1 on which all annotators agree" in finding.remarks
    weeks = {(row["week"], row["measure"]): row["value"] for row in cells(finding, "agreement_by_week")}
    assert (weeks["2024-W19", "observed"], weeks["2024-W21", "observed"]) == (0.5, 1.0)
    assert [figure.title for figure in finding.figures] == ["corpus: agreement of all annotators"]
    assert "No line is drawn from week to week: it needs 2 weeks with 20 units each." in finding.remarks
    assert "a01 judged 1 pair more than once; the last judgement counts" in finding.remarks
    assert "bs:20" in finding.signatures["agreement"]


def test_weeks_of_a_few_units_are_left_out_of_the_lines(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        for number in range(45):
            time = WEEK19 if number < 20 else WEEK21 if number < 25 else WEEK22
            for annotator in ("anna", "bo"):
                judge(connection, annotator, f"p{number}", "432"[number % 3], time=time)
    finding = anonymous(agreement(project, AnalysisOptions(replicates=0)), tmp_path)
    [_, lines] = finding.figures
    for panel in lines.spec["vconcat"]:
        assert [row["week"] for row in panel["data"]["values"]] == ["2024-W19", "2024-W22"]
    assert lines.caption.endswith("1 week with fewer than 20 units is left out.")
    assert {row["week"] for row in cells(finding, "agreement_by_week")} == {"2024-W19", "2024-W21", "2024-W22"}


def test_agreement_without_intervals(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        for annotator in ("anna", "bo"):
            for number, label in enumerate(["4", "3"]):
                judge(connection, annotator, f"p{number}", label)
    finding = anonymous(agreement(project, AnalysisOptions(replicates=0)), tmp_path)
    rows = {row["measure"]: row for row in cells(finding, "agreement")}
    assert (rows["alpha-nominal"]["value"], rows["alpha-nominal"]["low"]) == (1.0, None)
    assert [figure.title for figure in finding.figures] == [
        "corpus: agreement of all annotators"
    ]  # no weeks to compare


def test_agreement_needs_two_annotators(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        judge(connection, "anna", "p1", "4")
    finding = anonymous(agreement(project, OPTIONS), tmp_path)
    assert finding.tables == ()
    assert finding.remarks == ["no agreement: only one annotator (a01)"]


def test_annotators_without_common_pairs_are_summed_in_one_remark(project: Project, tmp_path: Path) -> None:
    with project.ledger.writing() as connection:
        judged = {"anna": ["p1", "p2", "p3", "p4"], "bo": ["p1", "p4"], "cleo": ["p2"], "dan": ["p3"]}
        for annotator, pairs in judged.items():
            for pair in pairs:
                judge(connection, annotator, pair, "4" if pair == "p1" else "3")
        for annotator, pair in (("anna", "d1"), ("bo", "d2"), ("cleo", "d3")):
            judge(connection, annotator, pair, "yes", scheme="triage", unit="document_pair")
    finding = anonymous(agreement(project, OPTIONS), tmp_path)
    missing = [remark for remark in finding.remarks if remark.startswith("no agreement")]
    assert sorted(missing) == [
        "no agreement of 3 of 6 pairs of annotators: they judged nothing in common",
        "no agreement: no document pair was judged by two people",
    ]
    assert not any("is not known" in remark for remark in finding.remarks)
    assert any("summed over all pairs of annotators" in remark for remark in finding.remarks)


def test_agreement_on_types_names_nobody(project: Project, tmp_path: Path) -> None:
    order = {"type": "order", "scope1": [[17, 22]], "scope2": [[0, 5]], "projection": "local"}
    with project.ledger.writing() as connection:
        insert_records(
            connection, Pair(id="p1", text1="The kettle boils again.", text2="Again, it is boiling.", lang="en")
        )
        for annotator in ("anna", "bo"):
            judge(connection, annotator, "p1", [order], scheme="vila")
        judge(connection, "cleo", "p1", [order], scheme="vila", kind="consensus")
    finding = anonymous(agreement(project, OPTIONS), tmp_path)
    assert "iapta-do-f1" in {row["measure"] for row in cells(finding, "agreement")}
    with project.ledger.writing() as connection:
        judge(connection, "dora", "p1", [order], scheme="vila")
    of_three = {row["measure"]: row for row in cells(anonymous(agreement(project, OPTIONS), tmp_path), "agreement")}
    assert "iapta-do-f1" not in of_three
    assert (of_three["iapta-do-f1-mean"]["units"], of_three["iapta-do-f1-mean"]["annotators"]) == (3, 3)
