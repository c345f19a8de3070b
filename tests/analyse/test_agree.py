"""Agreement of judgements in a ledger and in files, counted by hand where it is small."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from otherwords.analyse.agree import Report
from otherwords.analyse.agree_files import measured
from otherwords.analyse.agree_page import page
from otherwords.errors import UsageError
from otherwords.measures.agreement.figure import Figure
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair

NUMBERS = itertools.count(1)
PURPOSE = "agreement"


def said(pair: str, annotator: str, value: Any, **others: Any) -> dict[str, Any]:
    row = {"id": f"j{next(NUMBERS)}", "pair": pair, "annotator": annotator, "value": value, "scheme": "turku", **others}
    return {name: told for name, told in row.items() if told is not None or name == "value"}


def put(connection: Connection, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        connection.execute(insert(schema.judgements).values(**row_of(Judgement(**row))))


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def judged(labels: dict[str, str], **others: Any) -> list[dict[str, Any]]:
    return [
        said(f"p{place}", name, label, **others)
        for name, all_labels in labels.items()
        for place, label in enumerate(all_labels.split())
        if label != "*"
    ]


def told(report: Report, measure: str, labels: str = "full", *people: str) -> Figure:
    found = [one for one in report.figures if (one.measure, one.labels) == (measure, labels)]
    return next(one for one in found if not people or one.annotators == people)


LABELS = {"anna": "4> 4s 3 x 2 1 4 *", "ben": "4> 4 4 x 2 1 * 3", "cleo": "4< 4 3 2 2 1 4 3"}


def test_a_project_and_its_files_say_the_same(project: Project, tmp_path: Path) -> None:
    rows = judged(LABELS)
    rows += [said("p0", "cleo", "4>", kind="consensus"), said("p2", "cleo", "3", kind="consensus")]
    rows += [said("p5", "dora", "4", kind="vote")]
    first = said("p1", "dora", "2")
    rows += [first, said("p1", "dora", None, supersedes=first["id"])]
    with project.ledger.writing() as connection:
        put(connection, rows)
    ledger = measured([project.folder], replicates=50)
    files = measured([write(tmp_path / "judgements.jsonl", rows)], replicates=50)
    assert ledger.figures == files.figures
    assert told(ledger, "observed").annotators == ("anna", "ben", "cleo")
    assert "1 judgements left out: superseded by a later one" in files.remarks
    assert any("of kind vote" in remark for remark in files.remarks)


def test_agreement_with_the_team_on_full_labels_and_on_arrows(tmp_path: Path) -> None:
    rows = judged({"anna": "4> 4s 3 x 2", "ben": "4> 4 4 x *"})
    rows += judged({"cleo": "4> 4 4 x 2"}, kind="consensus")
    report = measured([write(tmp_path / "j.jsonl", rows)], replicates=0)
    pair = ("anna", "consensus")
    assert (told(report, "accuracy", "full", *pair).value, told(report, "accuracy", "full", *pair).n) == (3 / 5, 5)
    assert told(report, "accuracy", "arrows", *pair).value == 4 / 5
    assert told(report, "accuracy", "full", "ben", "consensus").value == 1
    # Of five: 4> 4s 3 x 2 and 4> 4 4 x 2 meet by chance in 3 of 25.
    assert told(report, "cohen-consensus", "full", *pair).value == pytest.approx((3 / 5 - 3 / 25) / (1 - 3 / 25))
    assert told(report, "cohen-mean", "arrows").n == 4
    assert "cleo" not in told(report, "observed").annotators


@pytest.mark.parametrize(
    ("labels", "value", "n"),
    [("full", 1 / 6, 6), ("arrows", 2 / 6, 6), ("base", 3 / 6, 6), ("binary", 3 / 4, 4)],
)
def test_projections(tmp_path: Path, labels: str, value: float, n: int) -> None:
    rows = judged({"anna": "4> 4 4> x 2 1", "ben": "4< 4s 4> 1 3 x"})
    rows[0]["value"] = "4>"
    report = measured([write(tmp_path / "j.jsonl", rows)], labels=[labels], replicates=0)
    figure = told(report, "observed", labels)
    assert (figure.value, figure.n) == (pytest.approx(value), n)
    ordinal, linear = told(report, "alpha-ordinal", labels), told(report, "cohen-linear", labels)
    assert (ordinal.value is not None, linear.value is not None) == (labels == "base", labels == "base")
    if labels == "base":
        assert "x has no place in the order" in str(ordinal.note)
        assert "no distances" in str(told(report, "alpha-interval", "base").note)


def test_by_annotator_label_week_and_batch(tmp_path: Path) -> None:
    rows = judged({"anna": "4 4 3", "ben": "4 3 3", "cleo": "4 4 3"}, batch="one", time="2024-05-06T08:00:00.000+00:00")
    rows += [
        said(f"q{place}", name, label, batch="two", time=f"2024-05-{day}T08:00:00.000+00:00")
        for name, labels, day in (("anna", "2 1", "12"), ("ben", "2 2", "13"))
        for place, label in enumerate(labels.split())
    ]
    path = write(tmp_path / "j.jsonl", rows)
    parts = {by: measured([path], by=by, replicates=0) for by in ("annotator", "label", "week", "batch")}
    assert told(parts["annotator"], "cohen-mean:annotator=ben").n == 8
    assert told(parts["label"], "specific:label=3").value == pytest.approx(6 / 8)
    assert told(parts["batch"], "observed:batch=one").value == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert told(parts["batch"], "observed:batch=two").value == 1 / 2
    weeks = {one.measure: one.n for one in parts["week"].figures if one.measure.startswith("observed:")}
    assert weeks == {"observed:week=2024-W19": 3, "observed:week=2024-W20": 2}, (
        "a pair is in the week of its last judgement"
    )
    assert told(parts["week"], "cohen-mean:week=2024-W20").value is not None
    assert told(measured([path], batch="two", replicates=0), "observed").n == 2


def test_purposes_and_schemes_are_chosen(project: Project) -> None:
    with project.ledger.writing() as connection:
        put(connection, judged({"anna": "4 3", "ben": "4 4"}))
        put(connection, judged({"anna": "4 3", "ben": "4 3"}, purpose=PURPOSE))
        put(connection, judged({"anna": "yes no", "ben": "yes yes"}, scheme="binary-loose"))
    both = measured([project.folder], replicates=0)
    assert "more than one kind (binary-loose, turku); each is measured by itself" in both.remarks[0]
    assert told(both, "observed:scheme=binary-loose").value == 1 / 2
    assert "anna judged 2 pairs more than once; the last judgement counts" in both.remarks
    assert told(both, "observed:scheme=turku").value == 1
    assert told(measured([project.folder], purpose=PURPOSE, replicates=0), "observed").value == 1
    assert told(measured([project.folder], scheme="binary-loose", replicates=0), "observed").n == 2
    with pytest.raises(UsageError, match="no scheme 'tukru'"):
        measured([project.folder], scheme="tukru")


def test_questions_are_compared_one_by_one(tmp_path: Path) -> None:
    rows = [
        said(f"p{place}", name, {"fluency": fluency, "similarity": 4, "diversity": 2}, scheme="likert")
        for name, numbers in {"anna": (1, 2, 5), "ben": (1, 3, 5)}.items()
        for place, fluency in enumerate(numbers)
    ]
    report = measured([write(tmp_path / "j.jsonl", rows)], replicates=0)
    assert told(report, "observed:question=fluency").value == pytest.approx(2 / 3)
    assert told(report, "alpha-ordinal:question=fluency").value is not None
    assert "all labels are equal" in str(told(report, "fleiss:question=similarity").note)


def test_several_choices_and_values_of_no_known_scheme(tmp_path: Path) -> None:
    rows = [said("p1", "anna", ["noise", "copy"], scheme="own"), said("p1", "ben", ["copy"], scheme="own")]
    rows += [
        said("p2", "anna", {"a": True, "b": 3}, scheme="own"),
        said("p2", "ben", {"a": True, "b": 3.0}, scheme="own"),
    ]
    report = measured([write(tmp_path / "j.jsonl", rows)], replicates=0)
    assert "the scheme own is not known; its values are compared as they are" in report.remarks
    assert (told(report, "observed").value, told(report, "observed:question=b").value) == (0, 1)


def test_phenomena_go_to_iapta_and_spans(project: Project, tmp_path: Path) -> None:
    phenomenon = {"type": "order", "scope1": [[0, 3]], "scope2": [[4, 7]]}
    other = {"type": "order", "scope1": [[0, 7]], "scope2": [[4, 7]]}
    rows = [said("p1", "anna", [phenomenon], scheme=None), said("p1", "ben", [other], scheme=None)]
    with project.ledger.writing() as connection:
        connection.execute(
            insert(schema.pairs).values(**row_of(Pair(id="p1", text1="The cat", text2="cat The", lang="en")))
        )
        put(connection, rows)
    ledger = measured([project.folder], replicates=20)
    assert told(ledger, "span-exact-f1", "types").value == 0
    assert told(ledger, "span-partial-f1", "types").value == 1
    assert told(ledger, "span-token-f1", "types").value == pytest.approx(2 * 2 / 5)
    assert told(ledger, "iapta-do-f1", "types").value is not None
    files = measured([write(tmp_path / "j.jsonl", rows)], replicates=20)
    assert told(files, "span-token-f1", "types").value == pytest.approx(2 * 6 / 16), "without texts, by code points"
    assert "texts of the pairs are not at hand" in str(told(files, "iapta-do-f1", "types").note)
    carried = {"text1": "The cat", "text2": "cat The", "lang": "en"}
    with_texts = [{**row, "meta": carried} for row in rows]
    found = measured([write(tmp_path / "t.jsonl", with_texts)], replicates=20)
    assert told(found, "iapta-do-f1", "types") == told(ledger, "iapta-do-f1", "types")


def test_types_of_a_scheme_that_asks_whether_at_all(tmp_path: Path) -> None:
    """Of two who annotated a pair one may say that it is no paraphrase: then the other's types meet nothing."""
    carried = {"text1": "The cat", "text2": "cat The", "lang": "en"}
    order = {"type": "order", "scope1": [[0, 3]], "scope2": [[4, 7]], "projection": "local"}
    rows = [
        said("p1", "anna", {"paraphrase": "yes", "types": [order]}, scheme="vila"),
        said("p1", "ben", {"paraphrase": "no"}, scheme="vila"),
        said("p2", "anna", [order], scheme="vila"),
        said("p2", "ben", [order], scheme="vila"),
    ]
    told_with = [{**row, "meta": carried} for row in rows]
    report = measured([write(tmp_path / "j.jsonl", told_with)], replicates=0)
    assert told(report, "iapta-agr-ph", "types").value == 0.5
    assert report.remarks == []


@pytest.mark.parametrize(
    ("labels", "remark"),
    [
        ({"anna": "4 7s", "ben": "4 4"}, "left out: label: '7s' is not one of 4 3 2 1 x"),
        ({"anna": "4 3s", "ben": "4 4"}, "left out: label: flag 's' goes with 4, not with 3"),
    ],
)
def test_labels_outside_the_scheme_are_left_out(tmp_path: Path, labels: dict[str, str], remark: str) -> None:
    report = measured([write(tmp_path / "j.jsonl", judged(labels))], replicates=0)
    assert remark in report.remarks
    assert told(report, "observed").n == 1


def test_a_projection_that_labels_do_not_have_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,annotator,value\nu,a,good\nu,b,bad\n", encoding="utf-8")
    report = measured([path], labels=["base"], replicates=0)
    assert not report.computed
    assert report.remarks == ["labels of no known scheme have no projection base, only full"]
    assert told(measured([path], replicates=0), "observed").value == 0


def test_nothing_to_compare(project: Project) -> None:
    report = measured([project.folder])
    assert (report.figures, report.remarks, report.computed) == ([], ["there are no judgements to compare"], False)
    with pytest.raises(UsageError, match="one project at a time"):
        measured([project.folder, project.folder])


def test_the_page_is_whole_and_escapes_names(tmp_path: Path) -> None:
    rows = judged({"<b>": "4 3 2 1", "ben": "4 3 3 1"}, time="2024-05-06T08:00:00.000+00:00")
    for row in rows[:2]:
        row["time"] = "2024-05-16T08:00:00.000+00:00"
    report = measured([write(tmp_path / "j.jsonl", rows)], labels=["base"], replicates=20, pictures=True)
    drawn = page(report, "a & b")
    assert "<b>" not in drawn.replace("<b style", "")
    assert "&lt;b&gt;" in drawn
    assert "<title>Agreement: a &amp; b</title>" in drawn
    assert drawn.count('class="same"') == 4
    assert drawn.count("<polyline") == 2
    assert "2024-W19" in drawn
    assert "<script" not in drawn
    assert "http" not in drawn


@pytest.mark.parametrize("scheme", [None, "turku"])
def test_nothing_but_skips(scheme: str | None, tmp_path: Path) -> None:
    """All labels equal, and that one off every scale."""
    rows = [said(pair, who, "x", scheme=scheme) for pair in ("p1", "p2") for who in ("anna", "ben")]
    report = measured([write(tmp_path / "j.jsonl", rows)], replicates=20)
    assert told(report, "observed").value == 1
    assert "one label throughout" in str(told(report, "cohen").note)
    assert all(one.note for one in report.figures if one.value is None)
