"""Batches from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Connection, insert

from otherwords.annotate.batches.batch import BatchRules, load_batch
from otherwords.annotate.work.reservations import reserve
from otherwords.api import user
from otherwords.cli import cli
from otherwords.errors import OtherwordsError
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from tests.cli.conftest import Run
from tests.errors import raises
from tests.web.people import seat


@pytest.fixture
def corpus(folder: Path) -> Path:
    """The project with people, eight pairs and two batches."""
    with open_project(folder) as project:
        seat(project)
    return folder


def run(*arguments: object) -> Result:
    done = CliRunner().invoke(cli, ["batch", *map(str, arguments)])
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    return done


def items(folder: Path, name: str, who: str) -> list[str]:
    with open_project(folder) as project, project.ledger.writing() as connection:
        return [slot.item for slot in reserve(connection, name, who, 50)]


def test_a_batch_of_all_pairs(corpus: Path) -> None:
    done = run("new", corpus, "all")
    assert (done.stdout, done.stderr) == ("", "all: 8 pairs, to be judged once\n")
    assert items(corpus, "all", "anna") == [f"p{number}" for number in range(8)]


def test_a_filter_a_sample_and_all_rules(corpus: Path) -> None:
    selection = ["--where", "lang=en", "--where", "query=the", "--sample", 2, "--seed", 5, "--shuffled", "--times", 2]
    rules = ["--for", "Anna, ben", "--assign", "--no-context", "--not-own", "--final"]
    others = ["--purpose", "agreement", "--scheme", "binary-strict"]
    done = run("new", corpus, "strict", *selection, *rules, *others)
    assert done.stderr == "strict: 2 pairs, to be judged 2 times each\n"
    with open_project(corpus) as project, project.ledger.reading() as connection:
        created = load_batch(connection, "strict")
    assert (created.scheme, created.purpose, created.asked, created.author) == ("binary-strict", "agreement", 2, None)
    assert created.rules == BatchRules(people=["anna", "ben"], assigned=True, context=False, own=False, undo=False)
    taken = items(corpus, "strict", "anna")
    assert len(taken) == 2
    assert set(taken) <= {"p0", "p1", "p5", "p6", "p7"}
    run("new", corpus, "rest", "--where", "lang=en", "--not-in", "strict")
    assert not set(items(corpus, "rest", "anna")) & set(taken)


def test_a_sample_that_is_smaller_than_asked_for_says_so(corpus: Path) -> None:
    done = run("new", corpus, "many", "--sample", 20, "--also-decided")
    assert done.stderr == "many: 8 pairs, to be judged once\n  fewer than the 20 asked for: no more fit\n"
    done = run("new", corpus, "undecided", "--sample", 20)
    assert "no more fit and are not decided or judged by two people; see --also-decided" in done.stderr


def test_a_batch_that_asks_for_more_people_than_may_judge_says_so(corpus: Path) -> None:
    done = run("new", corpus, "many", "--times", 5)
    assert done.exit_code == 0
    assert "  5 different people are to judge each, and only 4 accounts may judge: invite more people" in done.stderr
    assert "different people" not in run("new", corpus, "fewer", "--times", 4).stderr


def test_who_is_invited_and_has_not_joined_is_not_unknown(corpus: Path) -> None:
    user.invite(corpus, name="dora")
    with raises("not-joined"):
        run("new", corpus, "hers", "--for", "Dora")


def test_the_same_seed_gives_the_same_batch(corpus: Path) -> None:
    for name, seed in (("a", 4), ("b", 4), ("c", 5)):
        run("new", corpus, name, "--sample", 4, "--seed", seed, "--shuffled")
    assert items(corpus, "a", "anna") == items(corpus, "b", "anna")
    assert items(corpus, "a", "anna") != items(corpus, "c", "anna")


def test_list_and_show(corpus: Path) -> None:
    items(corpus, "double", "anna")
    listed = json.loads(run("list", corpus, "--json").stdout)
    assert [(state["id"], state["items"], state["slots"], state["state"]) for state in listed] == [
        ("first", 8, 8, "open"),
        ("double", 2, 4, "open"),
    ]
    lines = run("list", corpus).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["batch", "first", "double"]
    report = json.loads(run("show", corpus, "double", "--json").stdout)
    assert (report["held"], report["author"], report["rules"]["people"]) == (2, "carl", ["anna", "ben"])
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


def add_rewrite(connection: Connection, number: int) -> None:
    provenance = {"import_id": None, "step": None, "step_key": None, "state": None}
    texts = {"text1": "It was late again.", "text2": "Again it was late."}
    meta = {"annotator": "wim"}
    pair = Pair(id=f"r{number}", **texts, rewrite_of=f"p{number}", method="rewrite", meta=meta)
    connection.execute(insert(schema.pairs), [row_of(pair, **provenance)])
    judgements = [
        Judgement(id=f"{name}-j", pair=name, value=value, annotator="wim", scheme="turku")
        for name, value in ((pair.id, "4"), (f"p{number}", "3"))
    ]
    connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in judgements])


def test_the_blind_check_is_one_command(corpus: Path) -> None:
    with open_project(corpus) as project, project.ledger.writing() as connection:
        for number in (0, 1):
            add_rewrite(connection, number)
    done = run("check-rewrites", corpus, "blind", "--size", 4, "--for", "anna,ben", "--seed", 3)
    assert done.stderr == "blind: 4 pairs, to be judged 2 times each\n"
    taken = items(corpus, "blind", "anna")
    assert {"r0", "r1"} < set(taken)
    assert not {"p0", "p1"} & set(taken)
    result = json.loads(run("check-result", corpus, "blind", "--json").stdout)
    assert (result["label"], result["rewrites"]["pairs"], result["rewrites"]["share"]) == ("4", 2, None)
    assert [line.split()[:2] for line in run("check-result", corpus, "blind").stdout.splitlines()[1:]] == [
        ["rewrites", "2"],
        ["others", "2"],
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("new", "it", "--where", "sauce=news"), "no-such-filter"),
        (("new", "it", "--where", "source"), "bad-filter-option"),
        (("new", "it", "--where", "lang=en", "--where", "lang=fi"), "duplicate-filter"),
        (("new", "it", "--where", "label=3s"), "misplaced-flag"),
        (("new", "it", "--where", "lang=xx"), "empty-batch"),
        (("new", "it", "--for", "anna,bert"), "no-such-account"),
        (("new", "it", "--assign"), "no-people"),
        (("new", "it", "--times", "3", "--for", "anna,ben"), "too-few-people"),
        (("new", "first"), "duplicate-batch"),
        (("new", "new"), "reserved-name"),
        (("new", "it", "--scheme", "turkku"), "no-such-scheme"),
        (("new", "it", "--not-in", "second"), "no-such-batch"),
        (("show", "second"), "no-such-batch"),
        (("close", "second"), "no-such-batch"),
        (("check-rewrites", "it"), "too-few-pairs"),
        (("check-rewrites", "it", "--size", "5"), "odd-check-size"),
        (("check-result", "first"), "not-a-rewrite-check"),
    ],
)
def test_impossible_batches_are_refused(corpus: Path, arguments: tuple[str, ...], code: str) -> None:
    verb, *others = arguments
    with raises(code):
        run(verb, corpus, *others)
    assert len(json.loads(run("list", corpus, "--json").stdout)) == 2


def test_wrong_usage_ends_in_one_line(run: Run, corpus: Path) -> None:
    done = run("batch", "new", corpus, "it", "--where", "source")
    assert (done.returncode, done.stdout) == (2, "")
    message = "otherwords: --where 'source': expected KEY=VALUE, such as source=news [bad-filter-option]"
    assert done.stderr.splitlines() == [message]


def test_one_pair_is_singular(corpus: Path) -> None:
    assert run("new", corpus, "single", "--sample", 1).stderr == "single: 1 pair, to be judged once\n"
    assert run("show", corpus, "single").stdout.startswith("single: 1 pair × 1, ")
