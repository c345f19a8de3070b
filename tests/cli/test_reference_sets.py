"""Sets of references that ``clusters`` writes are read by ``evaluate generation`` and by ``leaks``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from otherwords.cli import cli
from tests.conftest import EXAMPLES

GENERATION = EXAMPLES / "generation"


@pytest.fixture
def references(tmp_path: Path) -> Path:
    path = tmp_path / "references.json"
    done = CliRunner().invoke(
        cli, ["clusters", str(GENERATION / "references.jsonl"), "--references", "2", "--out", str(path)]
    )
    assert done.exit_code == 0, done.output
    return path


def test_outputs_are_evaluated_with_them(references: Path) -> None:
    arguments = ["evaluate", "generation", str(GENERATION / "bold.jsonl"), "--metric", "bleu", "--json", "--references"]
    found, pairs = (
        json.loads(CliRunner().invoke(cli, [*arguments, str(path)]).stdout)
        for path in (references, GENERATION / "references.jsonl")
    )
    assert found["rows"][0]["scores"] == pairs["rows"][0]["scores"]


@pytest.mark.parametrize(
    ("source", "reference"),
    [
        ("The ferry sails at noon.", "At noon the ferry leaves."),
        ("彼は昨日手紙を書いた。", "昨日彼が手紙を書きました。"),
    ],
)
def test_a_set_of_one_is_read_too(source: str, reference: str, tmp_path: Path) -> None:
    """As ``clusters --references 1`` writes it; not all scripts have blanks."""
    pairs, sets = tmp_path / "pairs.jsonl", tmp_path / "sets.json"
    pairs.write_text(json.dumps({"id": "p", "text1": source, "text2": reference}) + "\n", encoding="utf-8")
    for arguments in (
        ["clusters", str(pairs), "--references", "1", "--out", str(sets)],
        ["leaks", str(sets), str(pairs)],
    ):
        done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 1, done.output
    assert "exact" in done.output


def test_training_pairs_that_have_a_reference_are_leaks(references: Path, tmp_path: Path) -> None:
    sets = json.loads(references.read_text(encoding="utf-8"))
    source, (first, second, *_) = next(iter(sets.items()))
    training = tmp_path / "train.jsonl"
    rows = [
        {"id": "with-source", "text1": first.upper(), "text2": source},
        {"id": "two-references", "text1": first, "text2": second},
        {"id": "clean", "text1": "The ferry sails at noon.", "text2": "At noon the boat leaves."},
    ]
    training.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = CliRunner().invoke(cli, ["leaks", str(references), str(training), "--json"])
    assert done.exit_code == 1
    leaks = json.loads(done.stdout)
    assert leaks["counts"]["mirrored"] == 1
    assert {leak["text"] for leak in leaks["shared_texts"]} == {source, first, second}
    assert not any("clean" in leak["b"] for leak in leaks["shared_texts"])
