"""``otherwords types`` as a user types it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import EXAMPLES

ROOMS, NEWS = EXAMPLES / "types.xml", EXAMPLES / "types.news.xml"
KEYS = ("words", "pairs", "phenomena", "words_per_member", "phenomena_per_pair", "phenomena_per_word", "types")


def test_one_corpus_as_json(run: Run) -> None:
    done = run("types", ROOMS, "--json")
    told = json.loads(done.stdout)
    assert set(KEYS) <= told.keys()
    assert (told["pairs"], told["phenomena"]) == (8, 21)
    assert told["types"]["order"] == {"frequency": pytest.approx(100 * 3 / 21), "length": 8 / 3, "phenomena": 3}
    assert sum(row["frequency"] for row in told["types"].values()) == pytest.approx(100)
    assert "8 pairs that several annotated without a consensus" in done.stderr


def test_several_corpora_come_with_their_correlation(run: Run) -> None:
    told = json.loads(run("types", ROOMS, NEWS, "--from", "p4p", "--json").stdout)
    assert [corpus["corpus"] for corpus in told["corpora"]] == ["types", "types.news"]
    [one] = told["pearson"]
    assert (one["corpora"], one["types"]) == (["types", "types.news"], 24)
    assert 0 < one["value"] < 1
    text = run("types", ROOMS, NEWS).stdout
    assert f"Pearson of types and types.news, 24 types: {one['value']:.2f}" in text
    assert text.count("phenomena per pair") == 2


def test_csv(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("types", ROOMS, NEWS, "--csv").stdout)))
    values = {(row["corpus"], row["figure"], row["type"]): row["value"] for row in rows}
    assert values["types", "pairs", ""] == "8"
    assert values["types.news", "length", "addition_deletion"] == "0.875"
    assert ("types and types.news", "pearson", "") in values


@pytest.mark.parametrize(("format", "target"), [("p4p", "out.xml"), ("etpc", "out"), ("jsonl", "out.jsonl")])
def test_what_counts_is_written_for_others(run: Run, format: str, target: str, tmp_path: Path) -> None:
    assert run("types", NEWS, "--write", target, "--to", format).returncode == 0
    told, again = (json.loads(run("types", path, "--json").stdout) for path in (NEWS, tmp_path / target))
    assert {name: again[name] for name in KEYS[1:3]} == {name: told[name] for name in KEYS[1:3]}
    assert again["types"].keys() == told["types"].keys()


def test_a_project(run: Run) -> None:
    assert run("new", "corpus", "--lang", "en").returncode == 0
    done = run("types", "corpus")
    assert done.returncode == 1
    assert "corpus: holds no annotated types" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([ROOMS, "--json", "--csv"], 2, "--json and --csv: choose one"),
        ([ROOMS, NEWS, "--write", "x.xml"], 2, "--write takes one corpus at a time"),
        ([ROOMS, "--tokeniser", "13a"], 2, "the tokeniser 13a rewrites the text"),
        ([ROOMS, "--to", "turku"], 2, "'turku' is not one of"),
        ([NEWS, "--write", "out", "--to", "msrp-a"], 1, "has no place in an alignment"),
        (["none.xml"], 1, "none.xml"),
        ([EXAMPLES / "pairs.jsonl"], 1, "pairs.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(run: Run, arguments: list[object], code: int, message: str) -> None:
    done = run("types", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
