"""Paraphrases that systems write are candidates of a project, with their sentences and systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.project import Project
from otherwords.project.answer_cache import cached_models
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Pair
from otherwords.steps.catalogue import STEP_KINDS
from tests.errors import raises
from tests.learn.generation.trial import Writer
from tests.learn.generation.trial import writers as writers

SENTENCES = ["The ferry was cancelled.", "He sold the house.", "Nobody knew who it was."]


@pytest.fixture
def pool(project: Project, tmp_path: Path) -> Project:
    file = tmp_path / "sentences.txt"
    file.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    import_file(project, "sentences", file, licence="CC0-1.0")
    return project


def generate(project: Project, **parameters: object) -> StepResult | None:
    return run_step(project, make_step(STEP_KINDS.get("generate"), "written", **parameters))[1]


def pairs(project: Project) -> list[Pair]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Pair))


def test_outputs_are_candidates_and_what_is_none_is_counted(pool: Project, writers: list[Writer]) -> None:
    systems = ["trial:seed=0", "trial:seed=1", "trial:loop?seed=1"]
    result = generate(pool, systems=systems)
    assert result is not None
    assert (result.rows_in, result.rows_out) == (3, 2)
    assert result.counts["dropped"] == {
        "a copy of its source": 2,
        "the answer was cut off after 4 tokens": 3,
        "written by a system before it": 1,
        "the answer repeats itself": 1,
    }
    found = pairs(pool)
    assert {(pair.text1, pair.text2) for pair in found} == {
        (text, f"{text} again") for text in SENTENCES if "house" not in text
    }
    assert all(pair.doc1 is not None and pair.meta["made"]["system"] == "trial:seed=1" for pair in found)
    assert isinstance(result.output, Dataset)
    assert result.output.table()["system"].to_pylist() == ["trial:seed=1"] * 2
    asked = sum(len(writer.asked) for writer in writers)
    assert generate(pool, systems=systems) is None  # nothing has changed
    generate(pool, systems=systems[:2])
    assert sum(len(writer.asked) for writer in writers) == asked + 2  # only what had no answer is asked about again


def test_the_best_of_several_outputs_is_the_candidate(pool: Project, writers: list[Writer]) -> None:
    result = generate(pool, systems=["trial:?"], samples=3, choose="pinc", most=2)
    assert result is not None
    pair = pairs(pool)[0]
    assert pair.text2.count("again") == 2
    assert pair.meta["made"]["rank"] == 1
    assert pair.scores["pinc"] is not None
    assert result.counts["dropped"]["not the best of its outputs"] == 2 * result.rows_out


def test_a_withdrawal_reaches_what_was_written(pool: Project, writers: list[Writer]) -> None:
    generate(pool, systems=["trial:seed=1"])
    [first, *_] = pairs(pool)
    assert first.doc1 is not None
    before = sum(model.answers for model in cached_models(pool))
    withdraw(pool, first.doc1.id, reason="asked for")
    assert first.text1 not in {pair.text1 for pair in pairs(pool)}
    assert sum(model.answers for model in cached_models(pool)) == before - 1


def test_bad_parameters(pool: Project, writers: list[Writer]) -> None:
    for parameters, message in (
        ({}, "name a system"),
        ({"systems": ["trial:1"], "samples": 2, "n_best": 2}, "not both"),
        ({"systems": ["trial:1"], "n_best": 0}, "n_best = 0"),
    ):
        with raises("bad-parameter", message):
            make_step(STEP_KINDS.get("generate"), "written", **parameters)
    with raises("unknown-generator"):
        generate(pool, systems=["models/nothing"])
