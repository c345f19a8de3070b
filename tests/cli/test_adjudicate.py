"""Disagreements, keep rules and rounds of quality control from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from otherwords.annotate.batches.batch import BatchRules, KeepRule, load_batch
from otherwords.cli import cli
from otherwords.errors import OtherwordsError
from otherwords.project import open_project
from tests.annotate.disputed import judged
from tests.errors import raises
from tests.web.people import seat


@pytest.fixture
def corpus(folder: Path) -> Path:
    with open_project(folder) as project:
        seat(project)
    return folder


def run(*arguments: object) -> Result:
    done = CliRunner().invoke(cli, list(map(str, arguments)))
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done


def judge(folder: Path, name: str, who: str, values: dict[str, Any], **others: Any) -> None:
    with open_project(folder) as project, project.ledger.writing() as connection:
        judged(connection, name, who, values, **others)


def test_disagreements(corpus: Path) -> None:
    judge(corpus, "double", "anna", {"p0": "4>", "p1": "1"})
    judge(corpus, "double", "ben", {"p0": "4", "p1": "4"}, note="I am sure")
    lines = run("adjudicate", corpus, "double").stdout.splitlines()
    assert [line.strip() for line in lines[:3]] == [
        "double: 2 pairs, 2 with all judgements",
        "agreed 0, disagreeing 2; decided 0",
        "waiting 2; agreed but unsure 0",
    ]
    assert [line.split() for line in lines[3:]] == [
        ["severity", "pair", "answers", "decided"],
        ["1.00", "p1", "anna:", "1", "ben:", "4", "–"],
        ["0.04", "p0", "anna:", "4>", "ben:", "4", "–"],
    ]
    report = json.loads(run("adjudicate", corpus, "double", "--json").stdout)
    assert (report["pairs"], report["disagreeing"], report["kept"]) == (2, 2, None)
    first = report["cases"][0]
    assert (first["pair"], first["severity"], first["complete"], first["decision"]) == ("p1", 1, True, None)
    assert [(opinion["annotator"], opinion["value"], opinion["note"]) for opinion in first["opinions"]] == [
        ("anna", "1", None),
        ("ben", "4", "I am sure"),
    ]
    assert json.loads(run("adjudicate", corpus, "double", "--show", "decided", "--json").stdout)["cases"] == []
    with raises("no-such-batch", match="triple"):
        run("adjudicate", corpus, "triple")


def test_a_keep_rule(corpus: Path) -> None:
    options = ("--keep", "well_formed=yes", "--agree-on", "paraphrase", "--scheme", "rupaws", "--times", 2)
    run("batch", "new", corpus, "strict", "--where", "lang=en", *options)
    with open_project(corpus) as project, project.ledger.reading() as connection:
        rule = KeepRule(all_say={"well_formed": ["yes"]}, agree_on=["paraphrase"])
        assert load_batch(connection, "strict").rules == BatchRules(keep=rule)
    for who, paraphrase in (("anna", "yes"), ("ben", "no")):
        yes = {"well_formed": "yes", "paraphrase": "yes"}
        judge(corpus, "strict", who, {"p0": yes, "p1": yes | {"paraphrase": paraphrase}})
    judge(corpus, "strict", "anna", {"p5": {"well_formed": "no", "paraphrase": "no"}})
    kept = json.loads(run("adjudicate", corpus, "strict", "--json").stdout)["kept"]
    reasons = {"they do not agree on paraphrase": 1, "somebody does not say yes to well_formed": 1}
    assert kept == {"kept": 1, "dropped": 2, "open": 2, "reasons": reasons}
    assert "kept 1, dropped 2, open 2" in run("adjudicate", corpus, "strict").stdout
    assert json.loads(run("batch", "show", corpus, "strict", "--json").stdout)["outcome"]["kept"] == kept
    assert "they do not agree on paraphrase: 1" in run("batch", "show", corpus, "strict").stdout


def test_the_second_annotator(corpus: Path) -> None:
    options = ("--scheme", "suzuki", "--times", 2, "--second-sees", "Positive, Negative")
    run("batch", "new", corpus, "halved", "--where", "lang=en", *options)
    judge(
        corpus, "halved", "anna", {"p0": "Positive", "p1": "Other", "p5": "Unnatural", "p6": "Negative", "p7": "Other"}
    )
    judge(corpus, "halved", "ben", {"p0": "Positive", "p6": "Positive"})
    shown = run("batch", "show", corpus, "halved").stdout
    assert "halved: 5 pairs × 2" in shown
    assert "7 of 7 judgements are in" in shown
    assert "the second annotator sees Positive, Negative only" in shown
    assert "agreed 1, disagreeing 1, decided 0" in shown


def test_a_round_of_quality_control(corpus: Path) -> None:
    judge(corpus, "first", "anna", {"p4": "4s", "p1": "4", "p0": "4>s"})
    assert run("batch", "qa", corpus, "style", "--flag", "s").stderr == "style: 2 pairs, to be judged once\n"
    assert run("batch", "qa", corpus, "fours", "--label", 4, "--for", "ben").stderr.startswith("fours: 3 pairs")
    judge(corpus, "style", "ben", {"p4": "4", "p0": "4>s"})
    shown = run("batch", "show", corpus, "style").stdout
    assert "inspected 2 of 2, changed 1" in shown
    assert "4s → 4: 1" in shown
    counts = json.loads(run("batch", "show", corpus, "style", "--json").stdout)["outcome"]["qa"]
    assert counts == {"pairs": 2, "inspected": 2, "changed": 1, "changes": {"4s → 4": 1}}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("qa", "it"), "label-or-flag"),
        (("qa", "it", "--label", "5"), "no-such-label"),
        (("qa", "it", "--label", "1"), "empty-batch"),
        (("qa", "it", "--flag", "q"), "no-such-flag"),
        (("qa", "it", "--label", "yes", "--scheme", "rupaws"), "scheme-without-labels"),
        (("qa", "it", "--label", "4", "--scheme", "turkku"), "no-such-scheme"),
        (("new", "it", "--keep", "yes", "--times", "2"), "bad-keep-option"),
        (("new", "it", "--keep", "grammar=yes", "--times", "2"), "no-such-question"),
        (("new", "it", "--agree-on", "label"), "too-few-judgements"),
        (("new", "it", "--second-sees", "4"), "not-two-judgements"),
        (("new", "it", "--second-sees", "5", "--times", "2"), "no-such-answer"),
    ],
)
def test_impossible_batches_are_refused(corpus: Path, arguments: tuple[str, ...], code: str) -> None:
    verb, *others = arguments
    with raises(code):
        run("batch", verb, corpus, *others)
    assert len(json.loads(run("batch", "list", corpus, "--json").stdout)) == 2
