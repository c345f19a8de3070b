"""The commands that move, keep and erase a project."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from otherwords.cli import cli
from otherwords.errors import OtherwordsError
from otherwords.project import Project, create_project, open_project
from tests.errors import raises
from tests.project.corpus import all_rows, fill
from tests.project.locks import hold_elsewhere


def run(name: str, *arguments: object, answer: str | None = None) -> Result:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    result = CliRunner().invoke(command, [str(argument) for argument in arguments], input=answer)
    if isinstance(result.exception, OtherwordsError):
        raise result.exception
    return result


@pytest.fixture
def corpus(project: Project) -> Path:
    fill(project)
    return project.folder


def test_export_lists_what_it_wrote(corpus: Path, tmp_path: Path) -> None:
    result = run("export", corpus, tmp_path / "out", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["documents.jsonl"] == 3
    assert "3 documents" in result.stderr
    assert re.search(r"\b1 \w+s\b", result.stderr + run("status", corpus).stdout) is None, "a plural after 1"
    create_project(tmp_path / "copy", "en")
    with open_project(tmp_path / "copy") as empty:
        run("export", tmp_path / "copy", tmp_path / "nothing")
        assert not any(map(len, all_rows(empty).values()))


def test_backup_and_restore(corpus: Path, project: Project, tmp_path: Path) -> None:
    result = run("backup", corpus, tmp_path / "corpus.tar.gz", "--json")
    assert json.loads(result.stdout)["pairs"] == 3
    assert "44 rows of 26 tables" in result.stderr
    result = run("restore", tmp_path / "corpus.tar.gz", tmp_path / "again", "--json")
    assert json.loads(result.stdout)["pairs"] == 3
    assert "next: otherwords status" in result.stderr
    with open_project(tmp_path / "again") as again:
        assert all_rows(again) == all_rows(project)


def test_withdraw_asks_first(corpus: Path, project: Project) -> None:
    before = all_rows(project)
    result = run("withdraw", corpus, "groups-a", answer="n\n")
    assert result.exit_code == 1
    assert "This cannot be undone" in result.stderr
    assert all_rows(project) == before
    result = run("withdraw", corpus, "groups-a", "--reason", "a letter", "--json", answer="y\n")
    assert json.loads(result.stdout)["releases"] == ["1.0"]
    assert "releases that held it: 1.0" in result.stderr
    assert "backups and exports made earlier" in result.stderr
    assert all_rows(project)["documents"][0]["text"] == ""


def test_an_unknown_name_is_refused_before_the_question(corpus: Path, project: Project) -> None:
    with raises("no-such-name", match="'13'"):
        run("withdraw", corpus, "13", answer="n\n")
    assert "Erase the pair p3 in" in run("withdraw", corpus, "p3", answer="n\n").stderr


def test_settings_hold_for_later_runs(corpus: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "method.toml"
    recipe.write_text('[[step]]\nname = "begin"\ndo = "need"\n', encoding="utf-8")
    arguments = (corpus, "--recipe", recipe)
    run("run", *arguments, "--set", 'begin.sources=["translations"]')
    again = run("run", *arguments)
    assert 'as set before: begin.sources=["translations"]' in again.stderr
    assert "begin: up to date" in again.stderr
    assert 'set for every run: begin.sources=["translations"]' in run("status", corpus).stdout
    other = tmp_path / "other.toml"
    other.write_text('[[step]]\nname = "start"\ndo = "need"\n', encoding="utf-8")
    assert "as set before" not in run("run", corpus, "--recipe", other).stderr
    with pytest.raises(OtherwordsError, match="name the recipe whose value it is to have"):
        run("run", corpus, "--set", "begin.sources=")
    assert "as set before" not in run("run", *arguments, "--set", "begin.sources=").stderr
    assert json.loads(run("status", corpus, "--json").stdout)["settings"] == {}
    with raises("setting-not-set", match="nothing"):
        run("run", *arguments, "--set", "begin.sources=")


def test_a_run_without_a_recipe_goes_on_with_the_last_one(corpus: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "method.toml"
    step = '[[step]]\nname = "{}"\ndo = "need"\n'
    recipe.write_text(step.format("begin"), encoding="utf-8")
    run("run", corpus, "--recipe", recipe)
    recipe.write_text(step.format("begin") + step.format("later"), encoding="utf-8")
    assert "later: " in run("run", corpus).stderr
    recipe.unlink()  # then there are only the steps so far
    assert {"begin", "later"} <= {row["step"] for row in json.loads(run("run", corpus, "--dry-run", "--json").stdout)}


def test_settings_that_do_not_go_together_say_how_to_take_the_earlier_ones_back(corpus: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "method.toml"
    files = {"lines": "en.txt", "lang": "es", "outputs": "a.txt,b.txt"}
    steps = '[[step]]\nname = "begin"\ndo = "need"\n[[step]]\nname = "made"\ndo = "acquire-translate"\n'
    recipe.write_text(steps, encoding="utf-8")
    arguments = ("run", corpus, "--recipe", recipe)
    waiting = run(*arguments, "--only", "made").stderr
    assert "--set made.systems=A,B (otherwords models lists those that are installed)" in waiting
    run(*arguments, "--only", "begin", "--set", "made.systems=apertium:en-es,apertium:en-pt")
    chosen = [text for name, value in files.items() for text in ("--set", f"made.{name}={value}")]
    with raises("bad-parameter", match=r"step 'made': .*not both; to take back .*: --set made\.systems=$"):
        run(*arguments, *chosen)
    with raises("no-such-file"):
        run(*arguments, "--set", "made.systems=", *chosen)
    with raises("no-such-step", match=r"--set maid\.lang: there is no step 'maid'; did you mean made\?"):
        run(*arguments, "--set", "maid.lang=es")
    with raises("no-such-step", match=r"did you mean made\?"):
        run(*arguments, "--only", "maid")


def test_withdraw_without_a_question(corpus: Path, project: Project) -> None:
    result = run("withdraw", corpus, "anna", "--yes")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "the name is erased: 3 judgements, 2 events" in result.stderr


def test_a_locked_project_says_who_holds_it(corpus: Path, project: Project) -> None:
    with hold_elsewhere(corpus) as process, raises("project-in-use", match=f"process {process.pid}"):
        run("withdraw", corpus, "groups-a", "--yes")
    run("export", corpus, corpus.parent / "out")  # reading needs no lock
    run("backup", corpus, corpus.parent / "corpus.tar.gz")
