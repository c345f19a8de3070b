"""Mistakes of a model: counted by what the pairs are like, shown, and sent back to people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import otherwords
from otherwords.analyse.errors.facets import SPELLINGS, facet_values, names_in
from otherwords.cli import cli
from otherwords.errors import DataError
from otherwords.records import Pair
from tests.learn.labelled import pairs, write


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A model that calls every pair a paraphrase, and the pairs that it was tested on."""
    path = write(tmp_path / "pairs.jsonl", pairs(80))
    otherwords.train.classifier(path, model="always", out=tmp_path / "run", split="60/20/20")
    return tmp_path


def test_mistakes_are_counted_by_facet(run: Path) -> None:
    found = otherwords.errors(run / "run", run / "pairs.jsonl").found
    negatives = [pair for pair in pairs(80) if pair.label == "0"]
    assert found.pairs < 80  # only those of the test
    assert {mistake.pair.id for mistake in found.mistakes} <= {pair.id for pair in negatives}
    assert {mistake.kind for mistake in found.mistakes} == {"false positives"}
    rows = {(row[0], row[1]): row for row in found.rows()}
    label = rows["label", "0"]
    assert label[2] == label[3] == len(found.mistakes)
    assert label[6] == 1.0
    assert rows["label", "1"][6] == 0.0
    for facet in ("pattern", "length", "overlap", "names"):
        assert sum(int(str(row[2])) for row in found.rows() if row[0] == facet) == found.pairs


def test_a_page_shows_the_mistakes_and_escapes_them(tmp_path: Path) -> None:
    chosen = [
        Pair(id=f"e{number}", text1=f"<b>Row {number}</b>", text2=f"A wall {number}.", label="0")
        for number in range(12)
    ]
    write(tmp_path / "test.jsonl", chosen)
    write(tmp_path / "train.jsonl", pairs(40))
    otherwords.train.classifier(tmp_path / "train.jsonl", model="always", out=tmp_path / "run")
    arguments = ["errors", str(tmp_path / "run"), str(tmp_path / "test.jsonl"), "--out", str(tmp_path / "page")]
    done = CliRunner().invoke(cli, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["mistakes"]) == 12
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "&lt;b&gt;" in page
    assert "<b>Row" not in page
    assert "false positives" in page


def test_a_corpus_that_the_model_was_trained_on_is_refused(run: Path) -> None:
    write(run / "other.jsonl", pairs(40))
    with pytest.raises(DataError) as problem:
        otherwords.errors(run / "run", run / "other.jsonl")
    assert problem.value.code == "test-shares-sentences"


@pytest.mark.parametrize(
    ("text1", "text2", "spelling"),
    [
        ("We met Olga in Minsk.", "In Minsk we met Olga.", 1),
        ("We met Aleksandr today.", "We met Alexandr today.", 2),
        ("We met Olga today.", "We met Boris today.", 3),
        ("It rained today.", "Today it rained.", 0),
    ],
)
def test_how_names_are_spelled(text1: str, text2: str, spelling: int) -> None:
    values = facet_values(Pair(id="n", text1=text1, text2=text2), "en")
    assert values["names"] == SPELLINGS[spelling]


def test_names_do_not_begin_a_sentence() -> None:
    assert names_in("Yesterday Anna left. Then Boris, too, saw NATO.") == {"Anna", "Boris"}


def test_a_swap_and_its_method_are_facets() -> None:
    pair = Pair(id="s", text1="A b.", text2="B a.", method="swap", source="news", meta={"made": {"kind": "entities"}})
    values = facet_values(pair, "en")
    assert (values["swap"], values["method"], values["source"]) == ("entities", "swap", "news")
