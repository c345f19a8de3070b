"""``otherwords grow`` makes the next version with a classifier of the project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import otherwords
from otherwords.cli import cli
from otherwords.project import create_project, open_project
from tests.corpus.released_corpus import add, fill, pair

LICENCE = ("--licence", "CC-BY-SA-4.0")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "boats"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        fill(project)
        add(project, *(pair(number, text2=pair(number + 400).text2) for number in range(200, 210)))
    otherwords.train.classifier(folder, model="majority", out=folder / "models" / "majority")
    return folder


def test_a_version_and_the_same_again(corpus: Path) -> None:
    options = ["grow", str(corpus), "--version", "2026-01", *LICENCE, "--model", "majority"]
    done = CliRunner().invoke(cli, options)
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{corpus / 'growing' / '2026-01'}\n"
    assert "2026-01: 10 pairs; 10 came, 0 went" in done.stderr
    assert "dropped, people judge it: " in done.stderr
    assert "no release of the project has a test yet" in done.stderr
    again = CliRunner().invoke(cli, [*options, "--json"])
    assert json.loads(again.stdout)["again"] is True
    run = str(corpus / "models" / "majority")
    later = otherwords.grow(corpus, version="2026-02", licence="CC-BY-SA-4.0", model=run)
    assert (later.pairs, later.came) == (10, 0)
    assert CliRunner().invoke(cli, ["verify", str(later.folder), "--project", str(corpus)]).exit_code == 0


def test_a_model_that_is_not_there(corpus: Path) -> None:
    done = CliRunner().invoke(cli, ["grow", str(corpus), "--version", "2026-01", *LICENCE, "--model", "none"])
    assert done.exit_code == 1
    assert not (corpus / "growing").exists()
