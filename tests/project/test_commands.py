"""The commands that move, keep and erase a project."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from otherwords.errors import OtherwordsError, ProjectError, UsageError
from otherwords.project import Project, create, opened
from tests.project.corpus import all_rows, fill
from tests.project.test_lock import another

SEQ = ("seq",)


def run(name: str, *arguments: object, answer: str | None = None) -> Result:
    command: Any = import_module(f"otherwords.cli.{name}").command
    done = CliRunner().invoke(command, [str(one) for one in arguments], input=answer)
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    return done


@pytest.fixture
def corpus(project: Project) -> Path:
    fill(project)
    return project.folder


def test_export_tells_what_it_wrote(corpus: Path, tmp_path: Path) -> None:
    done = run("export", corpus, tmp_path / "out", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["documents.jsonl"] == 3
    assert "3 documents" in done.stderr
    create(tmp_path / "copy", "en")
    with opened(tmp_path / "copy") as empty:
        run("export", tmp_path / "copy", tmp_path / "nothing")
        assert not any(map(len, all_rows(empty).values()))


def test_backup_and_restore(corpus: Path, project: Project, tmp_path: Path) -> None:
    done = run("backup", corpus, tmp_path / "corpus.tar.gz", "--json")
    assert json.loads(done.stdout)["pairs"] == 3
    assert "38 rows of 17 tables" in done.stderr
    done = run("restore", tmp_path / "corpus.tar.gz", tmp_path / "again", "--json")
    assert json.loads(done.stdout)["pairs"] == 3
    assert "next: otherwords status" in done.stderr
    with opened(tmp_path / "again") as again:
        assert all_rows(again) == all_rows(project)


def test_withdraw_asks_first(corpus: Path, project: Project) -> None:
    before = all_rows(project)
    done = run("withdraw", corpus, "groups-a", answer="n\n")
    assert done.exit_code == 1
    assert "This cannot be undone" in done.stderr
    assert all_rows(project) == before
    done = run("withdraw", corpus, "groups-a", "--reason", "a letter", "--json", answer="y\n")
    assert json.loads(done.stdout)["releases"] == ["1.0"]
    assert "releases that hold it: 1.0" in done.stderr
    assert "backups and exports made earlier" in done.stderr
    assert all_rows(project)["documents"][0]["text"] == ""


def test_withdraw_looks_before_it_asks(corpus: Path, project: Project) -> None:
    with pytest.raises(ProjectError, match="no document, no pair and no annotator is called '13'"):
        run("withdraw", corpus, "13", answer="n\n")
    assert "Erase the pair p3 in" in run("withdraw", corpus, "p3", answer="n\n").stderr


def test_what_was_set_holds_for_later_runs(corpus: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "method.toml"
    recipe.write_text('[[step]]\nname = "begin"\ndo = "need"\n', encoding="utf-8")
    asked = (corpus, "--recipe", recipe)
    run("run", *asked, "--set", 'begin.sources=["translations"]')
    again = run("run", *asked)
    assert 'as set before: begin.sources=["translations"]' in again.stderr
    assert "begin: up to date" in again.stderr
    assert 'set for every run: begin.sources=["translations"]' in run("status", corpus).stdout
    other = tmp_path / "other.toml"
    other.write_text('[[step]]\nname = "start"\ndo = "need"\n', encoding="utf-8")
    assert "as set before" not in run("run", corpus, "--recipe", other).stderr
    with pytest.raises(UsageError, match="name the recipe whose value it is to have"):
        run("run", corpus, "--set", "begin.sources=")
    assert "as set before" not in run("run", *asked, "--set", "begin.sources=").stderr
    assert json.loads(run("status", corpus, "--json").stdout)["settings"] == {}
    with pytest.raises(UsageError, match="takes back what was set before; that is nothing"):
        run("run", *asked, "--set", "begin.sources=")


def test_withdraw_without_asking(corpus: Path, project: Project) -> None:
    done = run("withdraw", corpus, "anna", "--yes")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "the name is erased: 3 judgements, 2 events" in done.stderr


def test_who_holds_a_project_is_said(corpus: Path, project: Project) -> None:
    process = another(corpus)
    try:
        with pytest.raises(ProjectError, match=f"in use by process {process.pid}"):
            run("withdraw", corpus, "groups-a", "--yes")
    finally:
        process.communicate("")
    run("export", corpus, corpus.parent / "out")  # reading needs no lock
    run("backup", corpus, corpus.parent / "corpus.tar.gz")
