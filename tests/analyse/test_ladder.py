"""Models of a project in its report and its release: only those that learnt from the parts that are released."""

from __future__ import annotations

from pathlib import Path

import pytest

import otherwords
from otherwords.analyse.ladder import ladder_finding, project_runs
from otherwords.errors import DataError
from otherwords.learn.runs.run import open_run
from otherwords.project import open_project
from otherwords.project.pipeline.kind import make_step
from otherwords.project.pipeline.run import run_step
from otherwords.steps.learn import TRAIN
from tests.learn.labelled import pairs, write


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A project with labelled pairs, split, and two models."""
    folder = tmp_path / "corpus"
    otherwords.new(folder, lang="en", scheme="binary-loose")
    otherwords.import_(folder, "pairs", [write(tmp_path / "pairs.jsonl", pairs(80))], licence="CC0-1.0")
    otherwords.split(folder, by="pair", components=True, parts="60/20/20")
    for model in ("overlap", "majority"):
        otherwords.train.classifier(folder, model=model)
    return folder


def test_the_finding_has_a_row_for_every_rung(corpus: Path) -> None:
    runs = project_runs(corpus)
    assert [run.record.kind for run in runs] == ["majority", "overlap"]
    finding = ladder_finding(runs)
    assert finding is not None
    rows = finding.tables[0].as_dicts()
    assert [row["model"] for row in rows][-1] == "overlap"
    assert rows[0]["model"] == "always"
    assert all(row["n"] == rows[0]["n"] for row in rows)
    assert finding.headlines[0].startswith("test: the best model is overlap, with an accuracy of")
    assert finding.headlines[0].endswith(f"giving all of them the same answer has {100 * rows[0]['accuracy']:.1f} %")
    assert ladder_finding([]) is None


def test_a_model_that_is_no_better_than_one_answer_is_not_called_the_best(corpus: Path) -> None:
    (majority, _) = project_runs(corpus)
    finding = ladder_finding([majority])
    assert finding is not None
    assert finding.headlines[0].startswith("test: no model is more accurate than giving all ")


def test_a_release_carries_models_that_can_be_used(corpus: Path) -> None:
    released = otherwords.release(corpus, version="1.0", licence="CC0-1.0", with_baselines=True)
    assert released.release is not None
    folder = released.release.folder
    assert otherwords.verify(folder).sound
    page = (folder / "baselines" / "README.md").read_text("utf-8")
    assert "| overlap | test |" in page
    run = open_run(folder / "baselines" / "overlap")
    assert run.predictions()[0].predicted == open_run(corpus / "models" / "overlap").predictions()[0].predicted
    rows = otherwords.evaluate.classifier(folder / "baselines" / "overlap").rows
    assert rows[-1].model == "overlap"


def test_models_of_other_parts_are_refused(corpus: Path, tmp_path: Path) -> None:
    more = [pair for pair in pairs(120) if int(pair.id[1:]) >= 80]
    otherwords.import_(corpus, "pairs", [write(tmp_path / "more.jsonl", more)], licence="CC0-1.0")
    with pytest.raises(DataError) as problem:
        otherwords.release(corpus, version="1.0", licence="CC0-1.0", with_baselines=True)
    assert problem.value.code == "baseline-of-other-parts"
    assert not (corpus / "releases" / "1.0").exists()


def test_a_project_without_models_has_no_baselines(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    otherwords.new(folder, lang="en", scheme="binary-loose")
    otherwords.import_(folder, "pairs", [write(tmp_path / "pairs.jsonl", pairs(40))], licence="CC0-1.0")
    with pytest.raises(DataError) as problem:
        otherwords.release(folder, version="1.0", licence="CC0-1.0", with_baselines=True)
    assert problem.value.code == "no-baselines"


def test_training_is_a_step_that_is_done_once_and_deleted_by_a_withdrawal(corpus: Path) -> None:
    step = make_step(TRAIN, model="overlap", out="again")
    with open_project(corpus) as project, project.holding():
        planned, result = run_step(project, step)
        assert result is not None
        assert result.output == corpus / "models" / "again"
        planned, result = run_step(project, step)
        assert (planned.state, result) == ("done", None)
    otherwords.withdraw(corpus, "p3")
    assert not list((corpus / "models").iterdir())  # nor those that were trained without a step
