"""Disagreements, rules and rounds from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from otherwords.annotate.batches import Keep, Rules, batch
from otherwords.cli import cli
from otherwords.errors import NotFound, OtherwordsError, Refused, UsageError
from otherwords.project import opened
from tests.annotate.disputed import judged
from tests.web.people import seat


@pytest.fixture
def corpus(folder: Path) -> Path:
    with opened(folder) as project:
        seat(project)
    return folder


def run(*arguments: object) -> Result:
    done = CliRunner().invoke(cli, list(map(str, arguments)))
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done


def say(folder: Path, name: str, who: str, values: dict[str, Any], **others: Any) -> None:
    with opened(folder) as project, project.ledger.writing() as connection:
        judged(connection, name, who, values, **others)


def test_what_people_disagree_about(corpus: Path) -> None:
    say(corpus, "double", "anna", {"p0": "4>", "p1": "1"})
    say(corpus, "double", "ben", {"p0": "4", "p1": "4"}, note="so it is")
    lines = run("adjudicate", corpus, "double").stdout.splitlines()
    assert [line.strip() for line in lines[:3]] == [
        "double: 2 pairs, of 2 all judgements are in",
        "agreed 0, disagreeing 2; decided 0",
        "waiting 2; agreed but unsure 0",
    ]
    assert [line.split() for line in lines[3:]] == [
        ["severity", "pair", "said", "decided"],
        ["1.00", "p1", "anna:", "1", "ben:", "4", "–"],
        ["0.04", "p0", "anna:", "4>", "ben:", "4", "–"],
    ]
    told = json.loads(run("adjudicate", corpus, "double", "--json").stdout)
    assert (told["pairs"], told["disagreeing"], told["kept"]) == (2, 2, None)
    first = told["cases"][0]
    assert (first["pair"], first["severity"], first["complete"], first["decision"]) == ("p1", 1, True, None)
    assert [(one["annotator"], one["value"], one["note"]) for one in first["opinions"]] == [
        ("anna", "1", None),
        ("ben", "4", "so it is"),
    ]
    assert json.loads(run("adjudicate", corpus, "double", "--show", "decided", "--json").stdout)["cases"] == []
    with pytest.raises(NotFound, match="no batch 'triple'"):
        run("adjudicate", corpus, "triple")


def test_a_rule_about_what_is_kept(corpus: Path) -> None:
    wishes = ("--keep", "well_formed=yes", "--agree-on", "paraphrase", "--scheme", "rupaws", "--times", 2)
    run("batch", "new", corpus, "strict", "--where", "lang=en", *wishes)
    with opened(corpus) as project, project.ledger.reading() as connection:
        rule = Keep(all_say={"well_formed": ["yes"]}, agree_on=["paraphrase"])
        assert batch(connection, "strict").rules == Rules(keep=rule)
    for who, paraphrase in (("anna", "yes"), ("ben", "no")):
        yes = {"well_formed": "yes", "paraphrase": "yes"}
        say(corpus, "strict", who, {"p0": yes, "p1": yes | {"paraphrase": paraphrase}})
    say(corpus, "strict", "anna", {"p5": {"well_formed": "no", "paraphrase": "no"}})
    told = json.loads(run("adjudicate", corpus, "strict", "--json").stdout)["kept"]
    reasons = {"they do not agree on paraphrase": 1, "somebody does not say yes to well_formed": 1}
    assert told == {"kept": 1, "dropped": 2, "open": 2, "reasons": reasons}
    assert "kept 1, dropped 2, open 2" in run("adjudicate", corpus, "strict").stdout
    assert json.loads(run("batch", "show", corpus, "strict", "--json").stdout)["outcome"]["kept"] == told
    assert "they do not agree on paraphrase: 1" in run("batch", "show", corpus, "strict").stdout


def test_the_second_annotator(corpus: Path) -> None:
    wishes = ("--scheme", "suzuki", "--times", 2, "--second-sees", "Positive, Negative")
    run("batch", "new", corpus, "halved", "--where", "lang=en", *wishes)
    say(corpus, "halved", "anna", {"p0": "Positive", "p1": "Other", "p5": "Unnatural", "p6": "Negative", "p7": "Other"})
    say(corpus, "halved", "ben", {"p0": "Positive", "p6": "Positive"})
    shown = run("batch", "show", corpus, "halved").stdout
    assert "halved: 5 pairs × 2" in shown
    assert "7 of 7 judgements are in" in shown
    assert "the second annotator sees Positive, Negative only" in shown
    assert "agreed 4, disagreeing 1, decided 0" in shown


def test_a_round_of_quality_control(corpus: Path) -> None:
    say(corpus, "first", "anna", {"p4": "4s", "p1": "4", "p0": "4>s"})
    assert run("batch", "qa", corpus, "style", "--flag", "s").stderr == "style: 2 pairs, to be judged once\n"
    assert run("batch", "qa", corpus, "fours", "--label", 4, "--for", "ben").stderr.startswith("fours: 3 pairs")
    say(corpus, "style", "ben", {"p4": "4", "p0": "4>s"})
    shown = run("batch", "show", corpus, "style").stdout
    assert "inspected 2 of 2, changed 1" in shown
    assert "4s → 4: 1" in shown
    told = json.loads(run("batch", "show", corpus, "style", "--json").stdout)["outcome"]["qa"]
    assert told == {"pairs": 2, "inspected": 2, "changed": 1, "changes": {"4s → 4": 1}}


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        (("qa", "it"), Refused, "by a label or by a flag"),
        (("qa", "it", "--label", "5"), Refused, "'5' is no label"),
        (("qa", "it", "--label", "1"), Refused, "would be empty"),
        (("qa", "it", "--flag", "q"), Refused, "no flag"),
        (("qa", "it", "--label", "yes", "--scheme", "rupaws"), Refused, "goes by labels"),
        (("qa", "it", "--label", "4", "--scheme", "turkku"), UsageError, "no scheme"),
        (("new", "it", "--keep", "yes", "--times", "2"), UsageError, "expected QUESTION=ANSWER"),
        (("new", "it", "--keep", "grammar=yes", "--times", "2"), Refused, "no question 'grammar'"),
        (("new", "it", "--agree-on", "label"), Refused, "at least 2"),
        (("new", "it", "--second-sees", "4"), Refused, "2 judgements"),
        (("new", "it", "--second-sees", "5", "--times", "2"), Refused, "'5' is no answer"),
    ],
)
def test_what_cannot_be_done(corpus: Path, arguments: tuple[str, ...], error: type[Exception], reason: str) -> None:
    verb, *others = arguments
    with pytest.raises(error, match=reason):
        run("batch", verb, corpus, *others)
    assert len(json.loads(run("batch", "list", corpus, "--json").stdout)) == 2
