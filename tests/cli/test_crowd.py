"""The commands of a crowd, on a project in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from otherwords.annotate.batches import batch
from otherwords.annotate.concealing import Concealing
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import take
from otherwords.annotate.working import tasks
from otherwords.cli import cli
from otherwords.errors import OtherwordsError
from otherwords.project import create, opened
from tests.web.crowds import ANSWERS, add_crowd

Run = Callable[..., Result]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    create(tmp_path / "corpus", "en", "binary-loose")
    return tmp_path / "corpus"


@pytest.fixture
def run(corpus: Path) -> Run:
    def command(*words: str) -> Result:
        return CliRunner().invoke(cli, list(words))

    return command


def work(corpus: Path, name: str, answer: Callable[[str], str]) -> None:
    """Work through the batch, past the site."""
    of = Concealing(corpus)
    with opened(corpus) as project, project.ledger.writing() as connection:
        found = batch(connection, "harbour")
        while taken := take(connection, found, name, 3, of):
            for one in tasks(connection, found, taken, of):
                value = answer(ANSWERS[one.text1 + one.text2])
                said = Said(key=f"{name}{one.slot}", slot=one.slot, value=value, seconds=3.0)
                judge(connection, [(name, said)], scheme, lambda *told: True, of)


def test_status_in_words_and_as_json(corpus: Path, run: Run) -> None:
    add_crowd(corpus)
    for name in ("anna", "ben"):
        work(corpus, name, lambda right: right)
    work(corpus, "zoe", lambda right: "yes")
    told = run("crowd", "status", str(corpus), "harbour", "--experts", "harbour", "--threshold", "2")
    assert told.exit_code == 0, told.output
    lines = [line.split() for line in told.stdout.splitlines()]
    assert lines[1][:8] == ["anna", "8", "4", "100%", "–", "5", "3.0", "active"]  # chance explains five times yes
    assert "8 pairs have 24 votes" in told.stdout
    assert "by the threshold 2: no 3, yes 5, none 0" in told.stdout
    assert "against the experts, by majority: F1 1.000, precision 1.000, recall 1.000, on 8" in told.stdout
    state = json.loads(run("crowd", "status", str(corpus), "harbour", "--json").stdout)
    assert state["labels"]["dawid_skene"] == {"no": 3, "yes": 5, "none": 0}
    assert [one["name"] for one in state["workers"]] == ["anna", "ben", "zoe"]


def test_decisions(corpus: Path, run: Run) -> None:
    add_crowd(corpus)
    work(corpus, "zoe", lambda right: "yes")
    about = (str(corpus), "harbour", "zoe")
    steps = [
        (("pause", "--reason", "half a second each"), "paused"),
        (("keep",), "8 judgements kept"),
        (("void",), "8 judgements voided"),
        (("unvoid",), "8 judgements unvoided"),
        (("resume",), "resumed"),
    ]
    for (command, *others), came in steps:
        told = run("crowd", command, *about, *others)
        assert (told.exit_code, told.stderr.strip()) == (0, f"zoe in harbour: {came}")
    refused = run("crowd", "resume", *about)
    assert isinstance(refused.exception, OtherwordsError)


def test_links_and_more_pairs(corpus: Path, run: Run) -> None:
    add_crowd(corpus, asked=1, grows=True)
    made = run("crowd", "invite", str(corpus), "harbour", "--uses", "50", "--address", "https://corpus.example/")
    assert made.stdout.startswith("https://corpus.example/join/")
    assert "for 50 people, as workers of harbour; good for 7 days" in made.stderr
    work(corpus, "zoe", lambda right: right)
    planned = run("crowd", "deploy", str(corpus), "harbour", "--dry-run")
    assert planned.stdout == "g: 3 of 5 are paraphrases; 3 more pairs\n"
    assert json.loads(run("crowd", "deploy", str(corpus), "harbour", "--json").stdout)[0]["added"] == 3
    assert run("crowd", "deploy", str(corpus), "harbour").stdout == ""


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        (("--tests", "all"), None),
        (("--tests", "FILE", "--every", "3", "--gate"), None),
        (("--gate", "accuracy=0.9,window=30,fewest_shared=20", "--times", "3"), None),
        (("--tests", "source=nowhere"), "no pair there has a gold label"),
        (("--tests", "nowhere.txt"), "No such file"),
        (("--gate",), "something to weigh"),
        (("--gate", "speed=3"), "expected one of accuracy"),
        (("--gate", "accuracy=high"), "is not a number"),
    ],
)
def test_making_a_batch_of_a_crowd(
    corpus: Path, run: Run, tmp_path: Path, wishes: tuple[str, ...], reason: str | None
) -> None:
    add_crowd(corpus)
    (tmp_path / "ids.txt").write_text("g0\n g1 \n\n", encoding="utf-8")
    told: list[Any] = [str(tmp_path / "ids.txt") if wish == "FILE" else wish for wish in wishes]
    made = run("batch", "new", str(corpus), "more", *told)
    if reason is None:
        assert made.exit_code == 0, made.output
        rules = json.loads(run("batch", "show", str(corpus), "more", "--json").stdout)["rules"]
        if "--tests" in wishes:
            assert len(rules["tests"]["pairs"]) == (2 if "FILE" in wishes else 4)
    else:
        assert reason in str(made.exception)
