"""``otherwords evaluate classifier``: rows as JSON, the tables of the papers, and figures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import otherwords
from otherwords.cli import cli
from otherwords.errors import DataError
from otherwords.learn.runs.request import ClassifierRequest, train_classifier
from tests.learn.labelled import pairs, turku_pairs, write


def run_command(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["evaluate", "classifier", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two binary runs of one kind, the second on more data, and one with complete labels."""
    folder = tmp_path_factory.mktemp("runs")
    write(folder / "few.jsonl", pairs(20))
    write(folder / "many.jsonl", pairs(60))
    write(folder / "test.jsonl", pairs(100)[70:])
    write(folder / "labels.jsonl", turku_pairs(80))
    common = {"model": "overlap", "tests": (str(folder / "test.jsonl"),)}
    for name in ("few", "many"):
        path = str(folder / f"{name}.jsonl")
        train_classifier(ClassifierRequest(paths=(path,), out=str(folder / name), **common))  # type: ignore[arg-type]
    labels = {"paths": (str(folder / "labels.jsonl"),), "out": str(folder / "turku"), "task": "labels"}
    train_classifier(ClassifierRequest(model="majority", **labels))  # type: ignore[arg-type]
    return folder


def test_rows_as_json_are_those_of_the_function(runs: Path) -> None:
    done = run_command(runs / "few", runs / "many", "--json", "--resamples", 50)
    rows = json.loads(done.stdout)
    assert [row["model"] for row in rows] == ["always", "majority", "few", "many"]
    assert {row["test"] for row in rows} == {"test"}
    assert [row["against"] for row in rows] == [None, "always", "majority", "few"]
    assert all(row["low"] <= row["accuracy"] <= row["high"] for row in rows)
    same = otherwords.evaluate.classifier([runs / "few", runs / "many"], resamples=50)
    assert json.loads(json.dumps(same.as_list())) == rows
    assert "test:paired-permutation|by:unit" in done.stderr


def test_the_tables_of_the_papers(runs: Path) -> None:
    plain = run_command(runs / "few", "--resamples", 20).stdout
    assert "test: 30 pairs" in plain
    assert "negatives called" in plain
    turku = run_command(runs / "turku", "--table", "K", "--resamples", 0).stdout
    assert [line.split()[0] for line in turku.splitlines() if line.strip()][2:9] == [
        "2",
        "3",
        "4<",
        "4>",
        "4",
        "i",
        "s",
    ]
    assert "W. avg" in turku
    multipit = run_command(runs / "few", "--table", "M", "--resamples", 0).stdout
    assert multipit.splitlines()[1].split()[-4:] == ["Precision", "Recall", "F1", "Accuracy"]
    matrix = run_command(runs / "few", runs / "many", "--table", "R", "--resamples", 0).stdout
    [few, many] = [line for line in matrix.splitlines() if line.strip().startswith(("few", "many"))]
    assert "(" not in few
    assert "(+" in many
    assert "no row has Turku labels" in run_command(runs / "few", "--table", "K", "--resamples", 0).stderr


@pytest.mark.parametrize("figure", ["reliability", "learning", "thresholds", "matrix"])
def test_figures_are_drawn(runs: Path, tmp_path: Path, figure: str) -> None:
    pytest.importorskip("vl_convert")
    run_command(runs / "few", runs / "many", "--plot", tmp_path / "f.svg", "--figure", figure, "--resamples", 0)
    assert "<svg" in (tmp_path / "f.svg").read_text(encoding="utf-8")


def test_a_figure_without_data_is_refused(runs: Path, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    with pytest.raises(otherwords.OtherwordsError) as caught:
        otherwords.evaluate.classifier(runs / "few", plot=tmp_path / "f.svg", figure="training", resamples=0)
    assert caught.value.code == "nothing-to-draw"
    assert "trained step by step" in str(caught.value)


def test_a_file_that_was_trained_on_is_refused(runs: Path) -> None:
    with pytest.raises(DataError) as caught:
        otherwords.evaluate.classifier(runs / "few", runs / "few.jsonl", resamples=0)
    assert caught.value.code == "test-shares-sentences"
    done = run_command(runs / "few", runs / "few.jsonl", "--leaks", "keep", "--resamples", 0)
    assert "the scores are too good" in done.stderr


def test_something_else_is_not_a_run(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        run_command(tmp_path, tmp_path / "test.jsonl")
    assert caught.value.code == "not-a-run"


def test_all_folders_of_models_can_be_named_at_once(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "few", tmp_path / "few")
    shutil.copytree(runs / "few", tmp_path / "strict" / "features")
    (tmp_path / "bilstm" / "checkpoints").mkdir(parents=True)
    done = run_command(*sorted(tmp_path.iterdir()), "--resamples", 20)
    assert "test: 30 pairs" in done.stdout
    for name in ("strict", "bilstm"):
        assert f"{tmp_path / name}: is not the folder of one trained classifier" in done.stderr
