"""The status of a project: what is there, running and stale."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import func, insert, select

from otherwords.cli import cli
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.pipeline.kind import make_step
from otherwords.project.pipeline.run import run_step
from otherwords.records import Document
from otherwords.steps.catalogue import STEP_KINDS
from otherwords.steps.status import status
from tests.project.pipeline.pairing import Pairing


@pytest.fixture
def pairing() -> Iterator[Pairing]:
    kind = Pairing()
    with STEP_KINDS.register("pairing", kind.kind):
        yield kind


@pytest.fixture
def texts(project: Project) -> Callable[[int], None]:
    def add(number: int) -> None:
        with project.ledger.writing() as connection:
            for place in range(number):
                count = connection.execute(select(func.count()).select_from(schema.documents)).scalar()
                document = Document(id=f"d{count}-{place}", text="x", source="test")
                connection.execute(insert(schema.documents).values(**row_of(document, import_id=None)))

    add(3)
    return add


def test_status_of_an_empty_project(project: Project) -> None:
    overview = status(project)
    assert overview["project"] == "corpus"
    assert set(overview["counts"].values()) == {0}
    assert overview["steps"] == overview["imports"] == []
    assert overview["working"] is None


def test_status_shows_what_is_there_running_and_stale(
    project: Project, pairing: Pairing, texts: Callable[[int], None], tmp_path: Path
) -> None:
    run_step(project, pairing.step("one"))
    run_step(project, pairing.step("two", low=0.9))
    texts(1)
    overview = status(project)
    assert overview["counts"]["documents"] == 4
    assert overview["sources"] == [{"source": "test", "rows": 4}]
    assert overview["document_pairs"] == [{"method": "test", "status": None, "rows": 2}]
    assert [(row["name"], row["state"], row["why"]) for row in overview["steps"]] == [
        ("one", "stale", "its inputs changed"),
        ("two", "stale", "its inputs changed"),
    ]
    (project.folder / "recipe.toml").write_text(
        '[[step]]\nname = "two"\ndo = "pairing"\n[[step]]\nname = "one"\ndo = "pairing"\n'
    )
    assert [row["name"] for row in status(project)["steps"]] == ["two", "one"], "as the project's recipe has them"
    (project.folder / "recipe.toml").unlink()
    with project.ledger.writing() as connection:
        row = {"name": "one", "kind": "pairing", "key": "k", "parameters": {}, "inputs": {}, "version": 1}
        connection.execute(insert(schema.steps).values(**row, state="running", started="2026", counts={}))
    assert status(project)["steps"][0]["state"] == "stale"  # nobody works on it: it was killed
    with project.holding():
        overview = status(project)
    assert overview["steps"][0]["state"] == "running"
    assert "in use by process" in overview["working"]


def test_what_another_recipe_left_behind_stands_apart(project: Project) -> None:
    row = {"name": "begin", "kind": "need", "key": "k", "parameters": {}, "inputs": {}, "version": 1, "counts": {}}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.steps).values(**row, state="failed", started="2026", error="nothing"))
    overview = status(project)
    assert ([row["name"] for row in overview["other_steps"]], overview["steps"]) == (["begin"], [])
    shown = CliRunner().invoke(cli, ["status", str(project.folder)]).stdout
    assert "  not of the project's recipe, and never finished: begin\n" in shown
    (project.folder / "recipe.toml").write_text('[[step]]\nname = "begin"\ndo = "need"\n', encoding="utf-8")
    assert [row["name"] for row in status(project)["steps"]] == ["begin"], "the recipe has such a step"
    (project.folder / "recipe.toml").write_text('[[step]]\nname = "label"\ndo = "label"\n', encoding="utf-8")
    assert [row["name"] for row in status(project)["other_steps"]] == ["begin"]


def test_status_outlives_a_file_that_is_gone(project: Project, tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"group":"g","text":"One."}\n')
    path = str(tmp_path / "texts.jsonl")
    run_step(project, make_step(STEP_KINDS.get("import"), "texts", kind="groups", paths=[path]))
    assert status(project)["steps"][0]["state"] == "done"
    (tmp_path / "texts.jsonl").unlink()
    (row,) = status(project)["steps"]
    assert (row["state"], row["why"]) == ("unknown", f"{path}: No such file or directory")
