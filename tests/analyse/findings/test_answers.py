"""Scales, counts, choices and the truth about machines, each computed by hand on a small ledger."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.findings.answers import AnswerContext, answers, release_answers
from otherwords.analyse.findings.truth import truth_rows
from otherwords.analyse.judgement_tables import JudgementFilter
from otherwords.measures.agreement.resampling import Bootstrap
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
    flawless = next(row for row in cells(finding, "choices") if row["value"] == "5 flawless")
    assert (flawless["count"], flawless["n"], flawless["share"]) == (1, 3, pytest.approx(1 / 3))
    machine = cells(finding, "truth")[0]
    assert (machine["class"], machine["precision"], machine["recall"], machine["f1"]) == ("machine", 0.5, 0.5, 0.5)
    assert (machine["units"], machine["answers"]) == (2, 2)
    assert 0 <= machine["low"] <= 0.5 <= machine["high"] <= 1
    assert finding.signatures["truth"].startswith("truth-f1|unit:every-answer|ci:percentile95|bs:1000|seed:0|")


def test_the_last_answer_of_a_person_counts(project: Project) -> None:
    with project.ledger.writing() as connection:
        insert_records(connection, Pair(id="p1", text1="a b", text2="c d"))
        given = [("anna", 1, "first"), ("anna", 5, "second"), ("bo", 4, "first")]
        for number, (annotator, fluency, batch) in enumerate(given):
            value = {"fluency": fluency, "similarity": 3, "diversity": 3}
            own = {"annotator": annotator, "scheme": "likert", "batch": batch}
            insert_records(connection, Judgement(id=f"j{number}", pair="p1", value=value, **own))
    finding = answers(project, AnalysisOptions())
    assert finding is not None
    fluency = cells(finding, "scales")[0]
    assert (fluency["units"], fluency["answers"], fluency["mean"]) == (1, 2, 4.5)


def test_a_release_has_the_answers_of_its_judgements(tmp_path: Path) -> None:
    judgements = [
        Judgement(id="j1", pair="p1", annotator="a", scheme="good-poor", value={"added": 3}),
        Judgement(id="j2", pair="p2", annotator="a", value={"added": 1, "word": 2}),
        Judgement(id="j3", pair="p1", annotator="a", scheme="machine-or-not", value="machine"),
        Judgement(id="j4", pair="p2", annotator="a", scheme="good-poor", value={"added": 9}, purpose="check"),
    ]
    path = tmp_path / "judgements.jsonl"
    path.write_bytes(msgspec.json.Encoder().encode_lines(judgements))
    options, everything = AnalysisOptions(), JudgementFilter(main_scheme="good-poor")
    finding = release_answers(path, AnswerContext("c", truth={"p1": "machine"}), options, everything)
    assert finding is not None
    check(finding, tmp_path)
    added, word = cells(finding, "counts")[:2]
    assert (added["units"], added["sum"], added["mean"]) == (2, 4, 2.0)
    assert added["sd"] == pytest.approx(2**0.5)
    assert (added["low"], added["high"]) == (pytest.approx(2 - 1.96, abs=1e-3), pytest.approx(2 + 1.96, abs=1e-3))
    assert (word["sum"], word["mean"]) == (2, 1.0)
    assert [row["f1"] for row in cells(finding, "truth")] == [1.0]
    assert release_answers(tmp_path / "none.jsonl", AnswerContext("c"), options, everything) is None


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
    assert [(first[name]["count"], first[name]["n"]) for name in ("good-poor", "suzuki-changes")] == [(1, 1), (1, 1)]
    counts = cells(finding, "counts")
    assert {row["scheme"] for row in counts} == {"good-poor"}
    assert (counts[0]["sum"], counts[0]["mean"], counts[0]["sd"]) == (3, 3.0, None)


def _first_values(project: Project) -> list[tuple[str, object]]:
    from otherwords.annotate.schemes import load_scheme

    good, changes = (load_scheme(name, project.folder).questions[0] for name in ("good-poor", "suzuki-changes"))
    return [("good-poor", {good.values[0].value: 3}), ("suzuki-changes", [changes.values[0].value])]


def test_nothing_to_tabulate(project: Project) -> None:
    assert answers(project, AnalysisOptions()) is None


def test_a_class_that_nobody_names_has_no_precision() -> None:
    units = [("machine", ["people"]), ("people", ["people"])]
    assert truth_rows(units, Bootstrap(replicates=0)) == [
        ["machine", 1, 1, None, 0.0, 0.0, None, None],
        ["people", 1, 1, 0.5, 1.0, 2 / 3, None, None],
    ]


def test_every_answer_is_compared_with_the_truth() -> None:
    units = [("machine", ["machine", "machine", "people"]), ("people", ["machine", "people"])]
    machine, people = truth_rows(units, Bootstrap(replicates=200, seed=1))
    assert machine[:6] == ["machine", 1, 3, 2 / 3, 2 / 3, pytest.approx(2 / 3)]
    assert people[:6] == ["people", 1, 2, 0.5, 0.5, 0.5]
    assert truth_rows(units, Bootstrap(replicates=200, seed=1)) == [machine, people]
