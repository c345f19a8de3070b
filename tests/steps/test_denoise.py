"""Labels that a teacher of a stricter definition doubts are cleaned for a training; judgements stay as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from otherwords.project import Project, open_project
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Document, Judgement, Passage
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.reading import put
from tests.errors import raises
from tests.learn.labelled import pairs

COUNT, WRONG = 60, {6, 7, 22, 35}  # which of the pairs that experts have not judged the crowd got wrong
CLEAN = {"model": "overlap", "taught_by": "binary-strict", "rule": "flip", "least": 0.45, "folds": 3}


@pytest.fixture
def corpus(folder: Path) -> Iterator[Project]:
    """A crowd judged all pairs by a loose scheme, and some wrongly; experts judged half of them."""
    settings = folder / "otherwords.toml"
    settings.write_text(settings.read_text("utf-8").replace('"turku"', '"binary-loose"'), "utf-8")
    with open_project(folder) as project:
        for number, pair in enumerate(pairs(COUNT)):
            put(project, Document(id=f"d{number}", text=pair.text1, lang="en", source="sentences"))
            place = Passage(id=f"d{number}", start=0, end=len(pair.text1))
            put(project, msgspec.structs.replace(pair, doc1=place, label=None, group=f"g{number}"))
            right = pair.label == "1"
            about = {"pair": pair.id, "annotator": "anna"}
            voted = "yes" if right != (number in WRONG) else "no"
            put(project, Judgement(id=f"c{number}", scheme="binary-loose", value=voted, **about))
            if number % 4 < 2:
                strict = "yes" if right else "no"
                put(project, Judgement(id=f"e{number}", scheme="binary-strict", value=strict, **about))
        yield project


def step(project: Project, kind: str, name: str, **parameters: Any) -> StepResult | None:
    return run_step(project, make_step(STEP_KINDS.get(kind), name, **parameters))[1]


def rows(result: StepResult | None) -> dict[str, dict[str, Any]]:
    assert result is not None
    assert isinstance(result.output, Dataset)
    return {row["pair"]: row for row in result.output.table().to_pylist()}


def train(project: Project) -> StepResult | None:
    return step(
        project,
        "train-classifier",
        "student",
        model="overlap",
        out="strict/denoised",
        scheme="binary-strict",
        cleaned=["clean"],
    )


def test_a_student_learns_from_experts_and_the_cleaned_crowd(corpus: Project) -> None:
    with corpus.ledger.reading() as connection:
        before = [judgement.value for judgement in read_records(connection, Judgement)]
    result = step(corpus, "denoise", "clean", **CLEAN)
    found = rows(result)
    wrong = {f"p{number}" for number in WRONG} & found.keys()
    assert wrong, "some are in the training part"
    assert {name for name, row in found.items() if row["label"] != row["was"]} == wrong
    assert all(found[name]["probability"] <= 0.45 for name in wrong)
    assert step(corpus, "denoise", "clean", **CLEAN) is None
    student = train(corpus)
    assert student is not None
    run = json.loads((corpus.folder / "models/strict/denoised/run.json").read_text())
    [note] = [note for note in run["notes"] if "denoised" in note]
    assert f"{len(wrong)} of them with another label" in note
    assert "flip at 0.45; teacher: overlap, 3 folds, each by labels of binary-strict without its sentences" in note
    assert len(found) // 2 < run["train"]["pairs"] <= len(found), "not only those that experts have judged"
    assert not any(run["leaks"].values())
    assert train(corpus) is None
    step(corpus, "denoise", "clean", **CLEAN | {"rule": "filter"})
    assert train(corpus) is not None, "it learns from what is new"
    with corpus.ledger.reading() as connection:
        assert [judgement.value for judgement in read_records(connection, Judgement)] == before


def test_pairs_that_are_filtered_are_kept_on_record(corpus: Project) -> None:
    result = step(corpus, "denoise", "clean", **CLEAN | {"rule": "filter"})
    assert result is not None
    left_out = {name for name, row in rows(result).items() if row["label"] is None}
    assert left_out == {f"p{number}" for number in WRONG} & rows(result).keys()
    assert result.rows_in - result.rows_out == result.counts["doubted"] == len(left_out)


def test_a_withdrawal_reaches_cleaned_pairs(corpus: Project) -> None:
    result = step(corpus, "denoise", "clean", **CLEAN)
    train(corpus)
    name = next(name for name in rows(result) if int(name[1:]) % 4 > 1)
    withdraw(corpus, name.replace("p", "d"))
    assert rows(result)[name]["text1"] == rows(result)[name]["text2"] == ""
    assert not (corpus.folder / "models/strict").exists()


def test_what_cannot_be_cleaned_says_why(corpus: Project) -> None:
    with raises("turned-off", "turns it on again"):
        step(corpus, "denoise", "clean", model="none")
    with raises("not-denoised", "by a step clean"):
        train(corpus)
    step(corpus, "train-classifier", "teacher", model="overlap")
    with raises("teacher-knows-pairs", "trained on other pairs"):
        step(corpus, "denoise", "clean", teacher="overlap")
    for parameters, message in (
        ({"least": 1.0}, "doubts every label"),
        ({"rule": "none"}, "changes nothing"),
        ({"teacher": "a", "taught_by": "b"}, "not both"),
        ({"model": "nothing"}, "known are"),
        ({"folds": 1}, "folds"),
    ):
        with raises("bad-parameter", message):
            make_step(STEP_KINDS.get("denoise"), "clean", **parameters)
