"""Agreement of judgements in a ledger and in files, counted by hand where it is small."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from otherwords.analyse.agreement.agree import agree
from otherwords.analyse.agreement.page import page
from otherwords.analyse.agreement.report import AgreementReport
from otherwords.errors import UsageError
from otherwords.measures.agreement import Coefficient
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from tests.errors import raises

NUMBERS = itertools.count(1)
PURPOSE = "agreement"


def judgement_row(pair: str, annotator: str, value: Any, **others: Any) -> dict[str, Any]:
    row = {"id": f"j{next(NUMBERS)}", "pair": pair, "annotator": annotator, "value": value, "scheme": "turku", **others}
    return {name: field for name, field in row.items() if field is not None or name == "value"}


def insert_rows(connection: Connection, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        connection.execute(insert(schema.judgements).values(**row_of(Judgement(**row))))


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def rows_of(labels: dict[str, str], **others: Any) -> list[dict[str, Any]]:
    """Judgements of the pairs p0, p1, … from a string of labels for each annotator; a star is no judgement."""
    return [
        judgement_row(f"p{place}", name, label, **others)
        for name, all_labels in labels.items()
        for place, label in enumerate(all_labels.split())
        if label != "*"
    ]


def figure_of(report: AgreementReport, measure: str, labels: str = "full", *annotators: str) -> Coefficient:
    figures = [figure for figure in report.figures if (figure.measure, figure.labels) == (measure, labels)]
    return next(figure for figure in figures if not annotators or figure.annotators == annotators)


LABELS = {"anna": "4> 4s 3 x 2 1 4 *", "ben": "4> 4 4 x 2 1 * 3", "cleo": "4< 4 3 2 2 1 4 3"}


def test_a_project_and_its_exported_file_give_the_same_figures(project: Project, tmp_path: Path) -> None:
    rows = rows_of(LABELS)
    rows += [judgement_row("p0", "cleo", "4>", kind="consensus"), judgement_row("p2", "cleo", "3", kind="consensus")]
    rows += [judgement_row("p5", "dora", "4", kind="vote")]
    first = judgement_row("p1", "dora", "2")
    rows += [first, judgement_row("p1", "dora", None, supersedes=first["id"])]
    with project.ledger.writing() as connection:
        insert_rows(connection, rows)
    ledger = agree([project.folder], replicates=50)
    files = agree([write_rows(tmp_path / "judgements.jsonl", rows)], replicates=50)
    assert ledger.figures == files.figures
    assert figure_of(ledger, "observed").annotators == ("anna", "ben", "cleo")
    assert "1 judgement left out: superseded by a later one" in files.remarks
    assert any("of kind vote" in remark for remark in files.remarks)


def test_agreement_with_the_consensus_on_full_labels_and_on_arrows(tmp_path: Path) -> None:
    rows = rows_of({"anna": "4> 4s 3 x 2", "ben": "4> 4 4 x *"})
    rows += rows_of({"cleo": "4> 4 4 x 2"}, kind="consensus")
    report = agree([write_rows(tmp_path / "j.jsonl", rows)], replicates=0)
    pair = ("anna", "consensus")
    assert (figure_of(report, "accuracy", "full", *pair).value, figure_of(report, "accuracy", "full", *pair).n) == (
        3 / 5,
        5,
    )
    assert figure_of(report, "accuracy", "arrows", *pair).value == 4 / 5
    assert figure_of(report, "accuracy", "full", "ben", "consensus").value == 1
    # With five units, 4> 4s 3 x 2 and 4> 4 4 x 2 agree by chance in 3 of 25.
    assert figure_of(report, "cohen-consensus", "full", *pair).value == pytest.approx((3 / 5 - 3 / 25) / (1 - 3 / 25))
    assert figure_of(report, "cohen-mean", "arrows").n == 4
    assert "cleo" not in figure_of(report, "observed").annotators


@pytest.mark.parametrize(
    ("labels", "value", "n"),
    [("full", 1 / 6, 6), ("arrows", 2 / 6, 6), ("base", 3 / 6, 6), ("binary", 3 / 4, 4)],
)
def test_projections(tmp_path: Path, labels: str, value: float, n: int) -> None:
    rows = rows_of({"anna": "4> 4 4> x 2 1", "ben": "4< 4s 4> 1 3 x"})
    rows[0]["value"] = "4>"
    report = agree([write_rows(tmp_path / "j.jsonl", rows)], labels=[labels], replicates=0)
    figure = figure_of(report, "observed", labels)
    assert (figure.value, figure.n) == (pytest.approx(value), n)
    ordinal, linear = figure_of(report, "alpha-ordinal", labels), figure_of(report, "cohen-linear", labels)
    assert (ordinal.value is not None, linear.value is not None) == (labels == "base", labels == "base")
    if labels == "base":
        assert "x has no place in the order" in str(ordinal.note)
        assert "no distances" in str(figure_of(report, "alpha-interval", "base").note)


def test_by_annotator_label_week_and_batch(tmp_path: Path) -> None:
    rows = rows_of(
        {"anna": "4 4 3", "ben": "4 3 3", "cleo": "4 4 3"}, batch="one", time="2024-05-06T08:00:00.000+00:00"
    )
    rows += [
        judgement_row(f"q{place}", name, label, batch="two", time=f"2024-05-{day}T08:00:00.000+00:00")
        for name, labels, day in (("anna", "2 1", "12"), ("ben", "2 2", "13"))
        for place, label in enumerate(labels.split())
    ]
    path = write_rows(tmp_path / "j.jsonl", rows)
    parts = {by: agree([path], by=by, replicates=0) for by in ("annotator", "label", "week", "batch")}
    assert figure_of(parts["annotator"], "cohen-mean:annotator=ben").n == 8
    assert figure_of(parts["label"], "specific:label=3").value == pytest.approx(6 / 8)
    assert figure_of(parts["batch"], "observed:batch=one").value == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert figure_of(parts["batch"], "observed:batch=two").value == 1 / 2
    weeks = {figure.measure: figure.n for figure in parts["week"].figures if figure.measure.startswith("observed:")}
    assert weeks == {"observed:week=2024-W19": 3, "observed:week=2024-W20": 2}, (
        "a pair is in the week of its last judgement"
    )
    assert figure_of(parts["week"], "cohen-mean:week=2024-W20").value is not None
    assert figure_of(agree([path], batch="two", replicates=0), "observed").n == 2


def test_training_checks_and_tests_are_compared_only_on_request(project: Project, tmp_path: Path) -> None:
    rows = rows_of({"anna": "4 3 4", "ben": "4 4 *"}) + rows_of({"anna": "* * * 2", "ben": "* * * 2"}, purpose=PURPOSE)
    for number, purpose in enumerate(("training", "check", "qa", "gold")):
        rows += [
            judgement_row(f"{purpose} {pair}", name, "1") | {"purpose": purpose} for pair in (1, 2) for name in "ab"
        ]
        rows += [judgement_row("p2", "ben", str(1 + number)) | {"purpose": purpose}]
    with project.ledger.writing() as connection:
        insert_rows(connection, rows)
    path = write_rows(tmp_path / "j.jsonl", rows)
    for measured in (project.folder, path):
        report = agree([measured], replicates=0)
        assert (figure_of(report, "observed").n, figure_of(report, "observed").value) == (3, pytest.approx(2 / 3))
        assert figure_of(report, "observed").purposes == ("agreement", "production")
        assert "|purpose:agreement+production|" in figure_of(report, "observed").signature
        assert "5 judgements left out: made for check" in report.remarks
        assert "check" in report.other_purposes
        checks = agree([measured], replicates=0, purpose="check")
        assert (figure_of(checks, "observed").n, figure_of(checks, "observed").purposes) == (2, ("check",))
        assert figure_of(agree([measured], replicates=0, purpose=["check", "qa"]), "observed").n == 4


def test_the_purposes_are_those_of_what_is_compared(tmp_path: Path) -> None:
    """What one person judged for the corpus is in no coefficient, so none says that it is over the corpus."""
    rows = rows_of({"cleo": "1 1 4 2 2"}) + rows_of({"anna": "4 3", "ben": "4 4"}, purpose=PURPOSE)
    report = agree([write_rows(tmp_path / "j.jsonl", rows)], replicates=0)
    assert {figure.purposes for figure in report.figures} == {("agreement",)}
    assert "annotators for agreement (" in report.headlines[0].sentence


def test_whoever_judged_before_is_not_compared_with_a_batch_for_agreement(project: Project, tmp_path: Path) -> None:
    """p0 and p1 were judged by cleo first; p2 is a second opinion on cleo's judgement; p3 was judged twice anyway."""
    rows = rows_of({"cleo": "1 1 4 *", "dora": "* * * 2", "anna": "* * * 2"})
    rows += rows_of({"anna": "4 3 *", "ben": "4 4 4"}, purpose=PURPOSE)
    with project.ledger.writing() as connection:
        insert_rows(connection, rows)
    for measured in (project.folder, write_rows(tmp_path / "j.jsonl", rows)):
        report = agree([measured], replicates=0)
        assert (figure_of(report, "observed").n, figure_of(report, "observed").value) == (4, 3 / 4)
        assert (
            "2 judgements left out: made for production, of what two or more people judged for agreement"
            in report.remarks
        )
        assert figure_of(agree([measured], replicates=0, purpose=PURPOSE), "observed").n == 2
        pooled = agree([measured], replicates=0, purpose=["production", PURPOSE])
        assert figure_of(pooled, "observed").value == pytest.approx((1 / 3 + 0 + 1 + 1) / 4)


def test_a_batch_is_compared_whatever_it_was_made_for(tmp_path: Path) -> None:
    rows = rows_of({"anna": "4 3", "ben": "4 4"}, purpose="training", batch="first")
    rows += rows_of({"anna": "* * 1", "ben": "* * 1"}, purpose="gold", batch="first")
    path = write_rows(tmp_path / "j.jsonl", rows)
    assert figure_of(agree([path], batch="first", replicates=0), "observed").n == 2


def test_the_coefficient_to_quote_comes_first_and_what_is_missing_last(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "j.jsonl", rows_of({"anna": "4> 4s 3 x 2 1", "ben": "4> 4 4 x 2 1"}))
    report = agree([path], replicates=20)
    first = report.figures[0]
    assert (first.measure, first.labels, first.headline, first.n) == ("alpha-ordinal", "base", True, 5)
    [headline] = report.headlines
    assert headline.sentence.startswith(
        f"Krippendorff's ordinal alpha is {first.value:.3f}, 95 % interval {first.low:.3f}"
    )
    assert headline.sentence.endswith("over 5 pairs that were judged by both annotators for production (base labels)")
    computed = [figure.value is not None for figure in report.figures]
    assert computed == sorted(computed, reverse=True)
    assert page(report, "a").index(headline.sentence.partition("'")[0]) < page(report, "a").index("<table>")
    plain = agree([path], labels=["full"], replicates=0).figures[0]
    assert (plain.measure, plain.labels) == ("alpha-nominal", "full")


@pytest.mark.parametrize("number", range(2))
def test_the_consensus_is_the_decision_or_what_all_said(project: Project, tmp_path: Path, number: int) -> None:
    """Two people agree on 17 of 28 pairs; of the other 11, the team decides 3 as anna did and 8 as ben did."""
    rows = rows_of({"anna": "4 " * 28 + "4 4", "ben": "4 " * 17 + "3 " * 11 + "2 *"})
    rows += rows_of({"cleo": "* " * 17 + "4 " * 3 + "3 " * 8}, kind="consensus")
    with project.ledger.writing() as connection:
        insert_rows(connection, rows)
    measured = [project.folder, write_rows(tmp_path / "j.jsonl", rows)][number]
    report = agree([measured], replicates=0)
    accuracies = {
        name: (figure.value, figure.n)
        for name in ("anna", "ben")
        for figure in [figure_of(report, "accuracy", "full", name, "consensus")]
    }
    assert accuracies == {"anna": (20 / 28, 28), "ben": (25 / 28, 28)}
    remark = "consensus on 28 pairs: 11 decided by the team, 17 on which all annotators agree"
    assert f"{remark}; 1 pair on which they disagree and nobody has decided left out" in report.remarks


def test_without_a_decision_nobody_is_measured_against_the_consensus(tmp_path: Path) -> None:
    report = agree([write_rows(tmp_path / "j.jsonl", rows_of({"anna": "4 3", "ben": "4 4"}))], replicates=0)
    assert not [figure for figure in report.figures if figure.measure == "accuracy"]


def test_chance_can_hit_every_label_of_the_scheme(tmp_path: Path) -> None:
    """Two of the five base labels occur: 4 4, 4 4, 3 3, 4 3; so 3/4 agree, and 5/8 of the labels are 4."""
    path = write_rows(tmp_path / "j.jsonl", rows_of({"anna": "4 4 3 4", "ben": "4 4 3 3"}))
    report = agree([path], labels=["base"], replicates=0)
    unlike = 2 * 5 / 8 * 3 / 8
    for measure, k, weights in (("ac1", 5, 5), ("ac2-linear", 4, 4 + 2 * (3 * 2 / 3 + 2 * 1 / 3))):
        agreed = 3 / 4 if measure == "ac1" else 3 / 4 + 1 / 4 * 2 / 3
        chance = weights * unlike / (k * (k - 1))
        figure = figure_of(report, measure, "base")
        assert figure.value == pytest.approx((agreed - chance) / (1 - chance)), measure
        assert f"|categories:{k}|k:scheme|" in figure.signature
    assert "|categories:16|k:scheme|" in figure_of(agree([path], replicates=0), "ac1").signature
    table = tmp_path / "t.csv"
    table.write_text("item,annotator,value\nu1,a,good\nu1,b,bad\nu2,a,good\nu2,b,good\n", encoding="utf-8")
    assert "|categories:2|k:observed|" in figure_of(agree([table], replicates=0), "ac1").signature


def test_anonymous_votes(project: Project, tmp_path: Path) -> None:
    """Votes of 3 : 2, 5 : 0 and 0 : 5; observed agreement is (4/10 + 1 + 1) / 3."""
    path = tmp_path / "train.data"
    lines = [f"1\tTea\ttea\ttea {yes}\t({yes}, {5 - yes})\ttea/O/NN\ttea/O/NN" for yes in (3, 5, 0)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = [
        judgement_row(f"p{number}", "", value, scheme="binary-loose", kind="vote") | {"annotator": None}
        for number, yes in enumerate((3, 5, 0))
        for value in [True] * yes + [False] * (5 - yes)
    ]
    with project.ledger.writing() as connection:
        insert_rows(connection, rows)
    for measured, format in ((path, "pit2015"), (project.folder, None)):
        report = agree([measured], replicates=20, format=format)
        observed = figure_of(report, "observed")
        assert (observed.value, observed.n, observed.annotators) == (pytest.approx(2.4 / 3), 3, ())
        shares = [(8 / 15), (7 / 15)]
        chance = sum(share**2 for share in shares)
        assert figure_of(report, "fleiss").value == pytest.approx((2.4 / 3 - chance) / (1 - chance))
        # Coincidences: 0.75 + … of disagreement is 2·(3·2/4) = 3 of 15; expected 2·8·7/14.
        assert figure_of(report, "alpha-nominal").value == pytest.approx(1 - 14 * 3 / (2 * 8 * 7))
        # Voters say yes or no; the "x" of the scheme is not among their answers, so chance has two labels to hit.
        assert figure_of(report, "ac1").value == pytest.approx((2.4 / 3 - (1 - chance)) / chance)
        assert "|categories:2|k:scheme|" in figure_of(report, "ac1").signature
        missing = {figure.measure: figure.note for figure in report.figures if figure.value is None}
        assert set(missing) >= {"cohen", "scott", "cohen-mean"}
        assert "nobody knows who gave which vote" in str(missing["cohen"])
        assert "judged by two or more unnamed people" in report.headlines[0].sentence
        assert agree([measured], by="label", pictures=True, replicates=0, format=format).confusions == []


def test_comments_and_times_among_the_answers_are_no_labels(tmp_path: Path) -> None:
    rows = []
    for name in ("anna", "ben"):
        for number in range(20):
            values = {"Same": "yes" if number % 2 else "no", "Seconds": f"{number * 7 + len(name)},25"}
            values["Comment"] = f"{name} thinks that {number} is hard" if number < 5 else ""
            rows += [
                judgement_row(f"p{number}", name, value, scheme=f"token-votes:{category}")
                for category, value in values.items()
            ]
    report = agree([write_rows(tmp_path / "j.jsonl", rows)], replicates=0)
    assert {figure.measure.partition(":")[2] for figure in report.figures} == {"scheme=token-votes:Same"}
    listed = "token-votes:Seconds (numbers or times that hardly repeat), token-votes:Comment (free text)"
    assert f"not compared, because they are no labels: {listed}" in report.remarks
    assert "the scheme token-votes:Same is not known; its values are compared as they are" in report.remarks


def test_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    lines = ["item\tannotator\tvalue", "u1\ta\t3,5", "u1\tb\t3,50", "u2\ta\t4", "u2\tb\t4,0", "u3\ta\t1,5", "u3\tb\t2"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    report = agree([path], replicates=0)
    assert figure_of(report, "observed").value == pytest.approx(2 / 3)
    assert figure_of(report, "alpha-interval").value is not None
    assert report.figures[0].measure == "alpha-ordinal"


def test_judgements_are_selected_by_purpose_and_scheme(project: Project) -> None:
    with project.ledger.writing() as connection:
        insert_rows(connection, rows_of({"anna": "4 3", "ben": "4 4"}))
        insert_rows(connection, rows_of({"anna": "4 3", "ben": "4 3"}, purpose=PURPOSE))
        insert_rows(connection, rows_of({"anna": "yes no", "ben": "yes yes"}, scheme="binary-loose"))
    both = agree([project.folder], purpose=("production", PURPOSE), replicates=0)
    assert "more than one kind (binary-loose, turku); each is measured by itself" in both.remarks[0]
    assert figure_of(both, "observed:scheme=binary-loose").value == 1 / 2
    assert "anna judged 2 pairs more than once; the last judgement counts" in both.remarks
    assert figure_of(both, "observed:scheme=turku").value == 1
    assert figure_of(agree([project.folder], purpose=PURPOSE, replicates=0), "observed").value == 1
    assert figure_of(agree([project.folder], scheme="binary-loose", replicates=0), "observed").n == 2
    with pytest.raises(UsageError, match="tukru"):
        agree([project.folder], scheme="tukru")


def test_each_question_is_measured_by_itself(tmp_path: Path) -> None:
    rows = [
        judgement_row(f"p{place}", name, {"fluency": fluency, "similarity": 4, "diversity": 2}, scheme="likert")
        for name, numbers in {"anna": (1, 2, 5), "ben": (1, 3, 5)}.items()
        for place, fluency in enumerate(numbers)
    ]
    report = agree([write_rows(tmp_path / "j.jsonl", rows)], replicates=0)
    assert figure_of(report, "observed:question=fluency").value == pytest.approx(2 / 3)
    assert figure_of(report, "alpha-ordinal:question=fluency").value is not None
    assert "all labels are equal" in str(figure_of(report, "fleiss:question=similarity").note)


def test_multiple_choices_and_values_of_an_unknown_scheme(tmp_path: Path) -> None:
    rows = [
        judgement_row("p1", "anna", ["noise", "copy"], scheme="own"),
        judgement_row("p1", "ben", ["copy"], scheme="own"),
    ]
    rows += [
        judgement_row("p2", "anna", {"a": True, "b": 3}, scheme="own"),
        judgement_row("p2", "ben", {"a": True, "b": 3.0}, scheme="own"),
    ]
    report = agree([write_rows(tmp_path / "j.jsonl", rows)], replicates=0)
    assert "the scheme own is not known; its values are compared as they are" in report.remarks
    assert (figure_of(report, "observed").value, figure_of(report, "observed:question=b").value) == (0, 1)


def test_phenomena_are_measured_by_iapta_and_spans(project: Project, tmp_path: Path) -> None:
    phenomenon = {"type": "order", "scope1": [[0, 3]], "scope2": [[4, 7]]}
    other = {"type": "order", "scope1": [[0, 7]], "scope2": [[4, 7]]}
    rows = [judgement_row("p1", "anna", [phenomenon], scheme=None), judgement_row("p1", "ben", [other], scheme=None)]
    with project.ledger.writing() as connection:
        connection.execute(
            insert(schema.pairs).values(**row_of(Pair(id="p1", text1="The cat", text2="cat The", lang="en")))
        )
        insert_rows(connection, rows)
    ledger = agree([project.folder], replicates=20)
    assert figure_of(ledger, "span-exact-f1", "types").value == 0
    assert figure_of(ledger, "span-partial-f1", "types").value == 1
    assert figure_of(ledger, "span-token-f1", "types").value == pytest.approx(2 * 2 / 5)
    assert figure_of(ledger, "iapta-do-f1", "types").value is not None
    files = agree([write_rows(tmp_path / "j.jsonl", rows)], replicates=20)
    assert figure_of(files, "span-token-f1", "types").value == pytest.approx(2 * 6 / 16), (
        "without texts, by code points"
    )
    assert "texts of the pairs are not available" in str(figure_of(files, "iapta-do-f1", "types").note)
    texts = {"text1": "The cat", "text2": "cat The", "lang": "en"}
    with_texts = [{**row, "meta": texts} for row in rows]
    report = agree([write_rows(tmp_path / "t.jsonl", with_texts)], replicates=20)
    assert figure_of(report, "iapta-do-f1", "types") == figure_of(ledger, "iapta-do-f1", "types")


def test_types_of_a_scheme_that_first_asks_for_a_paraphrase(tmp_path: Path) -> None:
    """If one annotator says that a pair is no paraphrase, the types of the other match nothing."""
    texts = {"text1": "The cat", "text2": "cat The", "lang": "en"}
    order = {"type": "order", "scope1": [[0, 3]], "scope2": [[4, 7]], "projection": "local"}
    rows = [
        judgement_row("p1", "anna", {"paraphrase": "yes", "types": [order]}, scheme="vila"),
        judgement_row("p1", "ben", {"paraphrase": "no"}, scheme="vila"),
        judgement_row("p2", "anna", [order], scheme="vila"),
        judgement_row("p2", "ben", [order], scheme="vila"),
    ]
    with_texts = [{**row, "meta": texts} for row in rows]
    report = agree([write_rows(tmp_path / "j.jsonl", with_texts)], replicates=0)
    assert figure_of(report, "iapta-agr-ph", "types").value == 0.5
    assert report.remarks == []


@pytest.mark.parametrize(
    ("labels", "remark"),
    [
        ({"anna": "4 7s", "ben": "4 4"}, "left out: label: '7s' is not one of 4 3 2 1 x"),
        ({"anna": "4 3s", "ben": "4 4"}, "left out: label: flag 's' goes with 4, not with 3"),
    ],
)
def test_labels_outside_the_scheme_are_left_out(tmp_path: Path, labels: dict[str, str], remark: str) -> None:
    report = agree([write_rows(tmp_path / "j.jsonl", rows_of(labels))], replicates=0)
    assert remark in report.remarks
    assert figure_of(report, "observed").n == 1


def test_a_projection_that_the_labels_do_not_have_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,annotator,value\nu,a,good\nu,b,bad\n", encoding="utf-8")
    report = agree([path], labels=["base"], replicates=0)
    assert not report.computed
    assert report.remarks == ["labels of no known scheme have no projection base, only full"]
    assert figure_of(agree([path], replicates=0), "observed").value == 0


def test_nothing_to_compare(project: Project) -> None:
    report = agree([project.folder])
    assert (report.figures, report.remarks, report.computed) == ([], ["there are no judgements to compare"], False)
    with raises("project-among-paths"):
        agree([project.folder, project.folder])


def test_the_page_is_self_contained_and_escapes_names(tmp_path: Path) -> None:
    rows = rows_of({"<b>": "4 3 2 1", "ben": "4 3 3 1"}, time="2024-05-06T08:00:00.000+00:00")
    for row in rows[:2]:
        row["time"] = "2024-05-16T08:00:00.000+00:00"
    report = agree([write_rows(tmp_path / "j.jsonl", rows)], labels=["base"], replicates=20, pictures=True)
    html = page(report, "a & b")
    assert "<b>" not in html.replace("<b style", "")
    assert "&lt;b&gt;" in html
    assert "<title>Agreement: a &amp; b</title>" in html
    assert html.count('class="same"') == 4
    assert "<script" not in html
    assert "http" not in html


def test_the_page_has_no_lines_over_weeks_of_a_few_units(tmp_path: Path) -> None:
    labels = " ".join(["4", "3", "2"] * 20)
    rows = rows_of({"anna": labels, "ben": labels}, time="2024-05-06T08:00:00.000+00:00")
    for row in rows:
        number = int(row["pair"].removeprefix("p"))
        if number < 30:
            row["time"] = "2024-05-16T08:00:00.000+00:00"
        if number < 5:
            row["time"] = "2024-05-23T08:00:00.000+00:00"
    html = page(agree([write_rows(tmp_path / "j.jsonl", rows)], replicates=20, pictures=True), "weeks")
    assert html.count("<polyline") == 2
    assert html.count("<circle") == 4, "two measures in two weeks"
    assert ("2024-W19" in html, "2024-W20" in html, "2024-W21" in html) == (True, True, False)
    assert "1 week with fewer than 20 units is left out." in html
    few = [row for row in rows if int(row["pair"].removeprefix("p")) > 20]
    html = page(agree([write_rows(tmp_path / "few.jsonl", few)], replicates=20, pictures=True), "weeks")
    assert "<polyline" not in html
    assert "No line is drawn from week to week: it needs 2 weeks with 20 units each." in html


@pytest.mark.parametrize("scheme", [None, "turku"])
def test_only_skips(scheme: str | None, tmp_path: Path) -> None:
    """All labels are equal, and the label is outside every scale."""
    rows = [judgement_row(pair, name, "x", scheme=scheme) for pair in ("p1", "p2") for name in ("anna", "ben")]
    report = agree([write_rows(tmp_path / "j.jsonl", rows)], replicates=20)
    assert figure_of(report, "observed").value == 1
    assert "one label throughout" in str(figure_of(report, "cohen").note)
    assert all(figure.note for figure in report.figures if figure.value is None)
