"""Releases from the command line: streams, exit codes and messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from otherwords.cli import cli
from otherwords.project import create_project, open_project
from otherwords.project.left_out import leave_out
from tests.cli.conftest import Run
from tests.corpus.released_corpus import add, fill, judgement, pair

OPTIONS = ("--version", "1.0", "--licence", "CC-BY-SA-4.0", "--date", "2024-05-01")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        fill(project)
        add(project, pair(80, group="g0"), judgement("p80", "4"))
        with project.ledger.writing() as connection:
            leave_out(connection, ["p80"], "spam")
    return tmp_path / "corpus"


def test_release_and_verify(run: Run, corpus: Path) -> None:
    done = run("release", "corpus", *OPTIONS)
    assert (done.returncode, done.stdout) == (0, "corpus/releases/1.0\n")
    assert "\nleft out: label 1: 5, label x: 5, spam: 1 (" in done.stderr
    assert "was released before" not in done.stderr
    assert "releases by the scheme turku leave these labels out; --keep-labels 1,x keeps them" in done.stderr
    assert (corpus / "releases" / "1.0" / "DATA_STATEMENT.md").is_file()
    checked = run("verify", "corpus/releases/1.0", "--project", "corpus", "--json")
    assert checked.returncode == 0, checked.stderr
    assert json.loads(checked.stdout)["sound"] is True
    again = run("release", "corpus", *OPTIONS)
    assert (again.returncode, "1.0 was released before, with the same content" in again.stderr) == (0, True)
    (corpus / "releases" / "1.0" / "README.md").write_text("changed")
    changed = run("verify", "corpus/releases/1.0")
    assert changed.returncode == 1
    assert "files: README.md: was changed" in changed.stderr


@pytest.mark.usefixtures("without_figures")
def test_a_message_says_that_figures_need_the_extra(corpus: Path) -> None:
    done = CliRunner().invoke(cli, ["release", str(corpus), *OPTIONS])
    assert done.exit_code == 0, done.output
    assert "figures were left out; drawing them needs an optional package" in done.stderr
    assert not (corpus / "releases" / "1.0" / "figures").exists()
    recipe = corpus / "recipe.toml"
    recipe.write_text('[[step]]\nname = "report"\ndo = "report"\n')
    done = CliRunner().invoke(cli, ["run", str(corpus), "--dry-run"])
    assert "figures will be left out" in done.stderr


def test_a_refused_release_lists_its_checks(run: Run, corpus: Path) -> None:
    with open_project(corpus) as project:
        add(project, pair(70, text1=pair(0).text2, text2=pair(0).text1, group="g0"), judgement("p70", "4"))
    done = run("release", "corpus", *OPTIONS)
    assert (done.returncode, done.stdout) == (1, "")
    assert "duplicates: pairs that repeat another one" in done.stderr
    assert "  p00 = p70\n" in done.stderr
    assert "--anyway duplicates" in done.stderr
    refused = run("release", "corpus", *OPTIONS, "--json")
    assert refused.returncode == 1
    checks = json.loads(refused.stdout)["checks"]
    assert [check["name"] for check in checks if check["count"] and check["stops"]] == ["duplicates"]
    dry = run("release", "corpus", *OPTIONS, "--dry-run")
    assert dry.returncode == 1
    assert "1.0 would not be released" in dry.stderr
    assert run("release", "corpus", *OPTIONS, "--anyway", "duplicates").returncode == 0


def test_a_dry_run_in_json(run: Run, corpus: Path) -> None:
    done = run("release", "corpus", *OPTIONS, "--dry-run", "--json", "--by", "none")
    assert done.returncode == 0
    assert sum(json.loads(done.stdout)["counts"]["all"].values()) == 32


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version", "1.0"),
        ("--licence", "CC-BY-4.0"),
        (*OPTIONS, "--anyway", "everything"),
        (*OPTIONS, "--date", "soon"),
        (*OPTIONS, "--keep-labels", "4"),
        (*OPTIONS, "--view", "none"),
    ],
)
def test_wrong_usage(run: Run, corpus: Path, arguments: tuple[str, ...]) -> None:
    done = run("release", "corpus", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
