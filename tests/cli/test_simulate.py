"""``otherwords simulate`` on a project in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from otherwords.cli import cli
from otherwords.errors import OtherwordsError, ProjectError, UsageError
from otherwords.project import create, opened
from tests.project.test_lock import another
from tests.simulate.texts import put_batch, put_pairs


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    create(tmp_path / "corpus", "en", "turku")
    with opened(tmp_path / "corpus") as project:
        put_batch(project, "first", put_pairs(project), asked=2)
    return tmp_path / "corpus"


def run(*words: object) -> Result:
    done = CliRunner().invoke(cli, ["simulate", *map(str, words)])
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    return done


def test_it_says_what_it_did(corpus: Path) -> None:
    done = run(corpus, "--people", 2, "--accuracy", 0.5, "--bias", "4:3=0.2", "--seed", 1, "--most", 7)
    assert done.exit_code == 0
    assert done.stdout == ""
    assert done.stderr.splitlines() == ["judgements given: 7", "left to judge: 13", "left to adjudicate: 2"]
    told = json.loads(run(corpus, "--people", 2, "--task", "judge", "--batch", "first", "--json").stdout)
    assert (told["people"], told["done"]["judge"], told["left"]["judge"]) == (["sim-anna", "sim-ben"], 13, 0)


def test_nothing_to_do(tmp_path: Path) -> None:
    create(tmp_path / "empty", "en", "turku")
    assert "nothing waits for people" in run(tmp_path / "empty").stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--accuracy", "2"], "between 0 and 1"),
        (["--bias", "4"], "is not a bias"),
        (["--bias", "4:7=0.1"], "no question has these two answers"),
        (["--task", "sing"], "is nothing to do"),
        (["--absent", "1"], "less than 1"),
        (["--seconds", "-1"], "more than 0"),
    ],
)
def test_wrong_usage(corpus: Path, words: list[str], reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as problem:
        run(corpus, *words)
    assert problem.value.exit_code == 2


@pytest.mark.parametrize("words", [["--people", "0"], ["--people", "51"], ["--most", "-1"], ["--seed", "x"]])
def test_numbers_that_are_none(corpus: Path, words: list[str]) -> None:
    assert run(corpus, *words).exit_code == 2


def test_one_at_a_time(corpus: Path) -> None:
    process = another(corpus)
    try:
        with pytest.raises(ProjectError, match="in use by process"):
            run(corpus)
    finally:
        process.communicate()
