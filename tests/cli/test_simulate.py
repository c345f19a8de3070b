"""``otherwords simulate`` on a project in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from otherwords.api import people
from otherwords.cli import cli
from otherwords.errors import OtherwordsError
from otherwords.project import create_project, open_project
from otherwords.simulate.simulation import SimulationResult
from tests.errors import raises
from tests.project.locks import hold_elsewhere
from tests.simulate.texts import put_batch, put_pairs


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        put_batch(project, "first", put_pairs(project), asked=2)
    return tmp_path / "corpus"


def run(*words: object) -> Result:
    done = CliRunner().invoke(cli, ["simulate", *map(str, words)])
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    return done


def test_it_prints_the_work_done_and_left(corpus: Path) -> None:
    done = run(corpus, "--people", 2, "--accuracy", 0.5, "--bias", "4:3=0.2", "--seed", 1, "--most", 7)
    assert done.exit_code == 0
    assert done.stdout == ""
    assert done.stderr.splitlines() == ["judgements given: 7", "left to judge: 13", "left to adjudicate: 2"]
    result = json.loads(run(corpus, "--people", 2, "--task", "judge", "--batch", "first", "--json").stdout)
    assert (result["people"], result["done"]["judge"], result["left"]["judge"]) == (["sim-anna", "sim-ben"], 13, 0)


def test_the_line_about_seeds_speaks_of_groups_of_posts(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = SimulationResult(people=["sim-anna"], done={"seed": 1200}, left={"seed": 3, "judge": 0})
    monkeypatch.setattr(people, "simulate", lambda *arguments, **options: result)
    printed = run(corpus).stderr.splitlines()
    assert printed == ["groups of posts looked at for a seed: 1,200", "left to look at for a seed: 3"]


def test_nothing_to_do(tmp_path: Path) -> None:
    create_project(tmp_path / "empty", "en", "turku")
    assert "nothing waits for people" in run(tmp_path / "empty").stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--accuracy", "2"], "wrong-simulation-option"),
        (["--bias", "4"], "not-a-bias"),
        (["--bias", "4:7=0.1"], "unknown-label"),
        (["--task", "sing"], "unknown-task"),
        (["--absent", "1"], "wrong-simulation-option"),
        (["--seconds", "-1"], "wrong-simulation-option"),
    ],
)
def test_wrong_usage(corpus: Path, words: list[str], code: str) -> None:
    with raises(code) as problem:
        run(corpus, *words)
    assert problem.value.exit_code == 2


@pytest.mark.parametrize("words", [["--people", "0"], ["--people", "51"], ["--most", "-1"], ["--seed", "x"]])
def test_numbers_out_of_range(corpus: Path, words: list[str]) -> None:
    assert run(corpus, *words).exit_code == 2


def test_one_at_a_time(corpus: Path) -> None:
    with hold_elsewhere(corpus), raises("project-in-use"):
        run(corpus)
