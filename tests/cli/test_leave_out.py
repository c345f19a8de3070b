"""``leave-out`` on the command line: what it says, with the grammar of its numbers, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from otherwords.cli import cli
from otherwords.errors import UsageError
from otherwords.project import create_project, open_project
from otherwords.records import Pair
from tests.corpus.released_corpus import add


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        add(project, *(Pair(id=f"p{number}", text1="The tide turned.", text2="The sea fell.") for number in range(3)))
        add(project, Pair(id="other", text1="Rain fell.", text2="It rained."))
    return tmp_path / "corpus"


def leave_out(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["leave-out", str(folder), *arguments], catch_exceptions=False)


def test_named_pairs(folder: Path) -> None:
    assert leave_out(folder, "other", "--reason", "spam").stderr == "1 pair left out\n"
    assert leave_out(folder, "other", "p0", "--reason", "spam").stderr == "1 pair left out; 1 was left out before\n"
    listed = leave_out(folder, "--list")
    assert listed.stderr == "2 pairs left out\n"
    assert [line.split()[:2] for line in listed.stdout.splitlines()[1:]] == [["other", "spam"], ["p0", "spam"]]
    assert leave_out(folder, "other", "p1", "--undo").stderr == "1 pair taken back; 1 was not left out\n"
    rows = json.loads(leave_out(folder, "--list", "--json").stdout)["left_out"]
    assert [(row["pair"], row["reason"], row["author"]) for row in rows] == [("p0", "spam", None)]


def test_duplicates(folder: Path) -> None:
    planned = leave_out(folder, "--duplicates", "--dry-run")
    assert planned.stdout.splitlines()[0] == "p1  duplicate of p0, which is kept"
    assert planned.stderr == "2 pairs would be left out, 1 kept in their place\n"
    assert leave_out(folder, "--duplicates").stderr == "2 pairs left out\n"
    assert leave_out(folder, "--duplicates", "--undo").stderr == "2 pairs taken back\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "no-pairs-named"),
        (["--list", "p0"], "conflicting-options"),
        (["--duplicates", "p0"], "conflicting-options"),
        (["p0", "--dry-run"], "conflicting-options"),
    ],
)
def test_options_that_do_not_fit(folder: Path, arguments: list[str], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        leave_out(folder, *arguments)
    assert caught.value.code == code
