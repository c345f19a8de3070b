"""Models are compared with people in rows of their own, and can be tested as alternative annotators."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import otherwords
from otherwords.cli import cli
from otherwords.records import Judgement
from tests.errors import raises

PEOPLE = ("anna", "ben", "cem")


def write(path: Path, units: int, *, models: bool) -> Path:
    """Three people on some units; the model errs on every tenth, Anna on the one before."""
    rows = []
    for number in range(units):
        for name in PEOPLE:
            value = "no" if number % 10 == 0 and name == "anna" else "yes" if number % 3 else "no"
            rows.append(
                Judgement(id=f"{name}{number}", pair=f"p{number}", annotator=name, value=value, scheme="binary-loose")
            )
        if models:
            reply = "no" if number % 10 == 1 else "yes" if number % 3 else "no"
            fields = {"scheme": "binary-loose", "kind": "model", "annotator": "model/parrot"}
            rows.append(Judgement(id=f"m{number}", pair=f"p{number}", value=reply, **fields))
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)) + b"\n")
    return path


def test_the_coefficients_of_people_are_the_same_with_and_without_models(tmp_path: Path) -> None:
    without = otherwords.agree(write(tmp_path / "a.jsonl", 60, models=False), replicates=10)
    report = otherwords.agree(write(tmp_path / "b.jsonl", 60, models=True), replicates=10)
    of_people = [figure for figure in report.figures if not figure.measure.startswith("model-")]
    assert of_people == without.figures
    of_model = {(figure.measure, figure.annotators): figure for figure in report.figures if figure not in of_people}
    assert {pair for _, pair in of_model} == {("model/parrot", name) for name in PEOPLE}
    right = sum(number % 10 != 1 or number % 3 == 0 for number in range(60)) / 60
    assert of_model["model-observed", ("model/parrot", "ben")].value == pytest.approx(right)
    assert of_model["model-cohen", ("model/parrot", "ben")].n == 60


def test_against_the_consensus_of_people(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", 60, models=True)
    decision = Judgement(id="d", pair="p1", annotator="anna", value="yes", kind="consensus", scheme="binary-loose")
    path.write_bytes(path.read_bytes() + msgspec.json.encode(decision) + b"\n")
    report = otherwords.agree(path, replicates=0)
    [accuracy] = [figure for figure in report.figures if figure.measure == "model-accuracy"]
    assert accuracy.annotators == ("model/parrot", "consensus")
    assert accuracy.n == 56  # Anna alone differs on 4 of the others
    assert not any("model/parrot" in figure.annotators for figure in report.figures if "model-" not in figure.measure)


def test_the_alternative_annotator_test(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", 90, models=True)
    [test] = otherwords.agree(path, alt_test="parrot").alternative.values()
    assert test.model == "model/parrot"
    assert test.passes
    assert [row.annotator for row in test.annotators] == list(PEOPLE)
    printed = CliRunner().invoke(cli, ["agree", str(path), "--alt-test", "parrot"])
    assert "model/parrot may stand in for a person" in printed.stdout
    [row] = json.loads(CliRunner().invoke(cli, ["agree", str(path), "--alt-test", "parrot", "--json"]).stdout)
    assert row["passes"] is True
    assert row["winning_rate"] == test.winning_rate


def test_what_cannot_be_tested_says_why(tmp_path: Path) -> None:
    with raises("too-few-units", match="anna 20"):
        otherwords.agree(write(tmp_path / "a.jsonl", 20, models=True), alt_test="parrot")
    with raises("no-such-model", match="model/parrot"):
        otherwords.agree(tmp_path / "a.jsonl", alt_test="model/parrots")
    with raises("no-model-judgements"):
        otherwords.agree(write(tmp_path / "b.jsonl", 60, models=False), alt_test="parrot")
