"""Releases from the command line: streams, exit codes and what is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from otherwords.analyse import card as cards
from otherwords.analyse import figures
from otherwords.cli import cli
from otherwords.project import create, opened
from tests.cli.conftest import Run
from tests.corpus.released_corpus import add, fill, pair, said

ASKED = ("--version", "1.0", "--licence", "CC-BY-SA-4.0", "--date", "2024-05-01")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    create(tmp_path / "corpus", "en", "turku")
    with opened(tmp_path / "corpus") as project:
        fill(project)
    return tmp_path / "corpus"


def test_release_and_verify(run: Run, corpus: Path) -> None:
    done = run("release", "corpus", *ASKED)
    assert (done.returncode, done.stdout) == (0, "corpus/releases/1.0\n")
    assert "left out: label 1: 5, label x: 5" in done.stderr
    assert "was released before" not in done.stderr
    assert "releases by the scheme turku leave these labels out; --keep-labels 1,x keeps them" in done.stderr
    assert (corpus / "releases" / "1.0" / "DATA_STATEMENT.md").is_file()
    checked = run("verify", "corpus/releases/1.0", "--project", "corpus", "--json")
    assert checked.returncode == 0, checked.stderr
    assert json.loads(checked.stdout)["sound"] is True
    again = run("release", "corpus", *ASKED)
    assert (again.returncode, "1.0 was released before, and is the same" in again.stderr) == (0, True)
    (corpus / "releases" / "1.0" / "README.md").write_text("mine")
    changed = run("verify", "corpus/releases/1.0")
    assert changed.returncode == 1
    assert "files: README.md: was changed" in changed.stderr


def test_without_the_extra_it_says_that_there_are_no_figures(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "can_draw", lambda: False)
    monkeypatch.setattr(cards, "can_draw", lambda: False)
    done = CliRunner().invoke(cli, ["release", str(corpus), *ASKED])
    assert done.exit_code == 0, done.output
    assert "figures were left out; drawing them needs an optional package" in done.stderr
    assert not (corpus / "releases" / "1.0" / "figures").exists()
    recipe = corpus / "recipe.toml"
    recipe.write_text('[[step]]\nname = "report"\ndo = "report"\n')
    done = CliRunner().invoke(cli, ["run", str(corpus), "--dry-run"])
    assert "figures will be left out" in done.stderr


def test_what_stops_it_is_listed(run: Run, corpus: Path) -> None:
    with opened(corpus) as project:
        add(project, pair(70, text1=pair(0).text2, text2=pair(0).text1, group="g0"), said("p70", "4"))
    done = run("release", "corpus", *ASKED)
    assert (done.returncode, done.stdout) == (1, "")
    assert "duplicates: pairs that are in it before" in done.stderr
    assert "  p00 = p70\n" in done.stderr
    assert "--anyway duplicates" in done.stderr
    told = run("release", "corpus", *ASKED, "--json")
    assert told.returncode == 1
    assert [one["name"] for one in json.loads(told.stdout)["checks"] if one["count"] and one["stops"]] == ["duplicates"]
    dry = run("release", "corpus", *ASKED, "--dry-run")
    assert dry.returncode == 1
    assert "1.0 would not be released" in dry.stderr
    assert run("release", "corpus", *ASKED, "--anyway", "duplicates").returncode == 0


def test_a_dry_run_in_json(run: Run, corpus: Path) -> None:
    done = run("release", "corpus", *ASKED, "--dry-run", "--json", "--by", "none")
    assert done.returncode == 0
    assert sum(json.loads(done.stdout)["counts"]["all"].values()) == 32


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version", "1.0"),
        ("--licence", "CC-BY-4.0"),
        (*ASKED, "--anyway", "everything"),
        (*ASKED, "--date", "soon"),
        (*ASKED, "--keep-labels", "4"),
        (*ASKED, "--view", "none"),
    ],
)
def test_wrong_usage(run: Run, corpus: Path, arguments: tuple[str, ...]) -> None:
    done = run("release", "corpus", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
