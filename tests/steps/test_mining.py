"""A recipe that mines, has a sample judged by simulated people, and harvests."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.learn.runs.run import open_run
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.run import run_recipe, run_step
from otherwords.project.project import MODELS
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.simulation import simulate
from otherwords.steps.catalogue import STEP_KINDS
from otherwords.steps.recipe import read_recipe
from tests.conftest import EXAMPLES
from tests.errors import raises

POOL = EXAMPLES / "sources/sentences/harbour.txt"
RECIPE = """
[[step]]
name = "neighbours"
do = "mine"
encoder = "tfidf"

[[step]]
name = "strata"
do = "mine-sample"
from = { pairs = "neighbours" }
per_stratum = 6

[[step]]
name = "judge"
do = "people"
task = "judge"
batches = ["strata"]
after = ["strata"]

[[step]]
name = "negatives"
do = "harvest"
from = { pairs = "neighbours" }
region = "similarity < 0.6"
after = ["judge"]

[[step]]
name = "classifier"
do = "train-classifier"
model = "majority"
bootstrapped = ["negatives"]
after = ["negatives"]
"""


def run(project: Project, path: Path) -> dict[str, StepResult | None]:
    results: dict[str, StepResult | None] = {}
    run_recipe(project, read_recipe(path), report=lambda planned, result: results.update({planned.step.name: result}))
    return results


def test_mine_sample_judge_harvest(project: Project, tmp_path: Path) -> None:
    import_file(project, "sentences", POOL, licence="CC0-1.0")
    path = tmp_path / "mining.toml"
    path.write_text(RECIPE, encoding="utf-8")
    first = run(project, path)
    drawn = first["strata"]
    assert drawn is not None
    assert 0 < drawn.rows_out <= 120
    assert first["judge"] is not None
    assert first["judge"].waiting is not None
    simulate(project, SimulationOptions(people=2, accuracy=1.0))
    results = run(project, path)
    harvested, trained = results["negatives"], results["classifier"]
    assert harvested is not None
    assert isinstance(harvested.output, Dataset)
    rows = harvested.output.table().to_pylist()
    assert len(rows) == harvested.rows_out > 0
    assert {row["label"] for row in rows} == {"negative"}
    assert all(row["low"] <= row["precision"] <= row["high"] for row in rows)
    assert all(row["doc1"] and row["doc2"] for row in rows)
    assert trained is not None
    assert any("harvested negatives" in note for note in open_run(project.folder / MODELS / "majority").record.notes)
    again = run(project, path)
    assert (again["negatives"], again["classifier"]) == (None, None)


def test_a_harvest_needs_a_region_or_a_precision(project: Project) -> None:
    with raises("bad-parameter"):
        make_step(STEP_KINDS.get("harvest"))


@pytest.mark.parametrize("files", [("pool.txt",)])
def test_a_pool_of_files(project: Project, files: tuple[str, ...]) -> None:
    (project.folder / "pool.txt").write_bytes(POOL.read_bytes())
    _, result = run_step(project, make_step(STEP_KINDS.get("mine"), files=files, encoder="tfidf", k=2))
    assert result is not None
    assert (result.rows_in, result.rows_out > 50) == (100, True)
