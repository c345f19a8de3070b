"""``otherwords publish`` shows everything, and sends it when asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from otherwords.cli import cli
from otherwords.project import create_project, open_project
from tests.cli.conftest import Run
from tests.corpus.publish.local_services import TOKEN, local_services
from tests.corpus.released_corpus import files_in, fill, released

HUB = ("--to", "hf:harbour/boats")


@pytest.fixture
def release(tmp_path: Path) -> Path:
    create_project(tmp_path / "boats", "en", "turku")
    with open_project(tmp_path / "boats") as project:
        fill(project)
        return released(project).folder


def test_dry_run_and_yes(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with local_services() as services:
        options = ["publish", str(release), *HUB, "--endpoint", services.address]
        shown = CliRunner().invoke(cli, options)
        assert shown.exit_code == 0, shown.output
        assert all(name in shown.stdout for name in files_in(release))
        assert f"POST   {services.address}/api/datasets/harbour/boats/commit/main" in shown.stdout
        assert "nothing was sent" in shown.stderr
        assert services.requests == []
        sent = CliRunner().invoke(cli, [*options, "--yes"])
        assert (sent.exit_code, sent.stdout) == (0, f"{services.address}/datasets/harbour/boats\n")
        assert services.files == files_in(release)
        again = CliRunner().invoke(cli, [*options, "--yes", "--json"])
        assert json.loads(again.stdout)["again"] is True
        assert TOKEN not in shown.output + sent.output + again.output


def test_wrong_usage(run: Run, release: Path) -> None:
    done = run("publish", str(release), "--to", "nowhere")
    assert done.returncode == 2
    assert "[bad-target]" in done.stderr
