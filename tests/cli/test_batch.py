"""Batches from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Connection, insert

from otherwords.annotate.batches import Rules, batch
from otherwords.annotate.taking import take
from otherwords.cli import cli
from otherwords.errors import Conflict, NotFound, OtherwordsError, Refused, UsageError
from otherwords.project import opened, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair
from tests.cli.conftest import Run
from tests.web.people import seat


@pytest.fixture
def corpus(folder: Path) -> Path:
    """The project with people, eight pairs and two batches."""
    with opened(folder) as project:
        seat(project)
    return folder


def run(*arguments: object) -> Result:
    done = CliRunner().invoke(cli, ["batch", *map(str, arguments)])
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    return done


def items(folder: Path, name: str, who: str) -> list[str]:
    with opened(folder) as project, project.ledger.writing() as connection:
        return [one.item for one in take(connection, name, who, 50)]


def test_a_batch_of_all_pairs(corpus: Path) -> None:
    done = run("new", corpus, "all")
    assert (done.stdout, done.stderr) == ("", "all: 8 pairs, to be judged once\n")
    assert items(corpus, "all", "anna") == [f"p{number}" for number in range(8)]


def test_a_filter_a_sample_and_every_rule(corpus: Path) -> None:
    wishes = ["--where", "lang=en", "--where", "query=the", "--sample", 2, "--seed", 5, "--shuffled", "--times", 2]
    rules = ["--for", "Anna, ben", "--assign", "--no-context", "--not-own", "--final"]
    others = ["--purpose", "agreement", "--scheme", "binary-strict"]
    done = run("new", corpus, "strict", *wishes, *rules, *others)
    assert done.stderr == "strict: 2 pairs, to be judged 2 times each\n"
    with opened(corpus) as project, project.ledger.reading() as connection:
        made = batch(connection, "strict")
    assert (made.scheme, made.purpose, made.asked, made.author) == ("binary-strict", "agreement", 2, None)
    assert made.rules == Rules(people=["anna", "ben"], assigned=True, context=False, own=False, undo=False)
    taken = items(corpus, "strict", "anna")
    assert len(taken) == 2
    assert set(taken) <= {"p0", "p1", "p5", "p6", "p7"}
    run("new", corpus, "rest", "--where", "lang=en", "--not-in", "strict")
    assert not set(items(corpus, "rest", "anna")) & set(taken)


def test_the_same_seed_gives_the_same_batch(corpus: Path) -> None:
    for name, seed in (("a", 4), ("b", 4), ("c", 5)):
        run("new", corpus, name, "--sample", 4, "--seed", seed, "--shuffled")
    assert items(corpus, "a", "anna") == items(corpus, "b", "anna")
    assert items(corpus, "a", "anna") != items(corpus, "c", "anna")


def test_list_and_show(corpus: Path) -> None:
    items(corpus, "double", "anna")
    listed = json.loads(run("list", corpus, "--json").stdout)
    assert [(one["id"], one["items"], one["slots"], one["state"]) for one in listed] == [
        ("first", 8, 8, "open"),
        ("double", 2, 4, "open"),
    ]
    lines = run("list", corpus).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["batch", "first", "double"]
    told = json.loads(run("show", corpus, "double", "--json").stdout)
    assert (told["held"], told["author"], told["rules"]["people"]) == (2, "carl", ["anna", "ben"])
    shown = run("show", corpus, "double").stdout
    assert "double: 2 pairs × 2, scheme turku, for agreement" in shown
    assert "for anna, ben" in shown
    assert "the documents are hidden" in shown
    assert "anna: 0" in shown


def test_a_project_without_batches_says_what_to_do(folder: Path) -> None:
    assert "no batch yet: otherwords batch new" in run("list", folder).stderr
    assert json.loads(run("list", folder, "--json").stdout) == []


def test_close_and_open(corpus: Path) -> None:
    assert run("close", corpus, "first").stderr == "first is closed\n"
    assert items(corpus, "first", "anna") == []
    assert run("open", corpus, "first").stderr == "first is open\n"
    assert len(items(corpus, "first", "anna")) == 8


def rewritten(connection: Connection, number: int) -> None:
    about = {"import_id": None, "step": None, "step_key": None, "state": None}
    texts = {"text1": "It was late again.", "text2": "Again it was late."}
    meta = {"annotator": "wim"}
    pair = Pair(id=f"r{number}", **texts, rewrite_of=f"p{number}", method="rewrite", meta=meta)
    connection.execute(insert(schema.pairs), [row_of(pair, **about)])
    said = [
        Judgement(id=f"{name}-j", pair=name, value=value, annotator="wim", scheme="turku")
        for name, value in ((pair.id, "4"), (f"p{number}", "3"))
    ]
    connection.execute(insert(schema.judgements), [row_of(one) for one in said])


def test_the_blind_check_is_one_command(corpus: Path) -> None:
    with opened(corpus) as project, project.ledger.writing() as connection:
        for number in (0, 1):
            rewritten(connection, number)
    done = run("check-rewrites", corpus, "blind", "--size", 4, "--for", "anna,ben", "--seed", 3)
    assert done.stderr == "blind: 4 pairs, to be judged 2 times each\n"
    taken = items(corpus, "blind", "anna")
    assert {"r0", "r1"} < set(taken)
    assert not {"p0", "p1"} & set(taken)
    told = json.loads(run("check-result", corpus, "blind", "--json").stdout)
    assert (told["label"], told["rewrites"]["pairs"], told["rewrites"]["share"]) == ("4", 2, None)
    assert [line.split()[:2] for line in run("check-result", corpus, "blind").stdout.splitlines()[1:]] == [
        ["rewrites", "2"],
        ["others", "2"],
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        (("new", "it", "--where", "sauce=news"), Refused, "no filter 'sauce'; did you mean source"),
        (("new", "it", "--where", "source"), UsageError, "expected KEY=VALUE"),
        (("new", "it", "--where", "lang=en", "--where", "lang=fi"), UsageError, "lang is given twice"),
        (("new", "it", "--where", "label=3s"), Refused, "3s"),
        (("new", "it", "--where", "lang=xx"), Refused, "would be empty"),
        (("new", "it", "--for", "anna,bert"), Refused, "nobody here is called 'bert'"),
        (("new", "it", "--assign"), Refused, "needs the names"),
        (("new", "it", "--times", "3", "--for", "anna,ben"), Refused, "as many people"),
        (("new", "first"), Conflict, "'first' already"),
        (("new", "new"), Refused, "word of the site's own"),
        (("new", "it", "--scheme", "turkku"), UsageError, "no scheme"),
        (("new", "it", "--not-in", "second"), NotFound, "no batch 'second'"),
        (("show", "second"), NotFound, "no batch 'second'"),
        (("close", "second"), NotFound, "no batch 'second'"),
        (("check-rewrites", "it"), Refused, "only 0 rewrites are fit for a check, and 100 are needed"),
        (("check-rewrites", "it", "--size", "5"), Refused, "an even number"),
        (("check-result", "first"), Refused, "no check of rewrites"),
    ],
)
def test_what_cannot_be_done(corpus: Path, arguments: tuple[str, ...], error: type[Exception], reason: str) -> None:
    verb, *others = arguments
    with pytest.raises(error, match=reason):
        run(verb, corpus, *others)
    assert len(json.loads(run("list", corpus, "--json").stdout)) == 2


def test_wrong_usage_ends_in_one_line(run: Run, corpus: Path) -> None:
    done = run("batch", "new", corpus, "it", "--where", "source")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == ["otherwords: --where 'source': expected KEY=VALUE, such as source=news"]
