"""``otherwords types`` as a user types it."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import EXAMPLES

ROOMS, NEWS = EXAMPLES / "types.xml", EXAMPLES / "types.news.xml"
KEYS = ("words", "pairs", "phenomena", "words_per_member", "phenomena_per_pair", "phenomena_per_word", "types")


def test_one_corpus_as_json(run: Run) -> None:
    done = run("types", ROOMS, "--json")
    result = json.loads(done.stdout)
    assert set(KEYS) <= result.keys()
    assert (result["pairs"], result["phenomena"]) == (8, 21)
    assert result["types"]["order"] == {"frequency": pytest.approx(100 * 3 / 21), "length": 8 / 3, "phenomena": 3}
    assert sum(row["frequency"] for row in result["types"].values()) == pytest.approx(100)
    assert "8 pairs that several annotated without a consensus" in done.stderr


def test_several_corpora_come_with_their_correlation(run: Run) -> None:
    result = json.loads(run("types", ROOMS, NEWS, "--from", "p4p", "--json").stdout)
    assert [corpus["corpus"] for corpus in result["corpora"]] == ["types", "types.news"]
    [correlation] = result["pearson"]
    assert (correlation["corpora"], correlation["types"]) == (["types", "types.news"], 24)
    assert 0 < correlation["value"] < 1
    text = run("types", ROOMS, NEWS).stdout
    assert f"Pearson of types and types.news, 24 types: {correlation['value']:.2f}" in text
    assert text.count("phenomena per pair") == 2


def test_csv(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("types", ROOMS, NEWS, "--csv").stdout)))
    values = {(row["corpus"], row["figure"], row["type"]): row["value"] for row in rows}
    assert values["types", "pairs", ""] == "8"
    assert values["types.news", "length", "addition_deletion"] == "0.875"
    assert ("types and types.news", "pearson", "") in values


@pytest.mark.parametrize(("format", "target"), [("p4p", "out.xml"), ("etpc", "out"), ("jsonl", "out.jsonl")])
def test_counted_annotations_are_written(run: Run, format: str, target: str, tmp_path: Path) -> None:
    assert run("types", NEWS, "--write", target, "--to", format).returncode == 0
    before, after = (json.loads(run("types", path, "--json").stdout) for path in (NEWS, tmp_path / target))
    assert {name: after[name] for name in KEYS[1:3]} == {name: before[name] for name in KEYS[1:3]}
    assert after["types"].keys() == before["types"].keys()


def test_a_project(run: Run) -> None:
    assert run("new", "corpus", "--lang", "en").returncode == 0
    done = run("types", "corpus")
    assert done.returncode == 1
    assert "corpus: " in done.stderr
    assert "[no-types]" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        ([ROOMS, "--json", "--csv"], 2, "[conflicting-options]"),
        ([ROOMS, NEWS, "--write", "x.xml"], 2, "[too-many-corpora]"),
        ([ROOMS, "--tokeniser", "13a"], 2, "the tokeniser 13a rewrites the text"),
        ([ROOMS, "--to", "turku"], 2, "'turku' is not one of"),
        ([NEWS, "--write", "out", "--to", "msrp-a"], 1, "[cannot-be-written]"),
        (["none.xml"], 1, "none.xml"),
        ([EXAMPLES / "pairs.jsonl"], 1, "pairs.jsonl"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: list[object], exit_code: int, message: str) -> None:
    done = run("types", *arguments)
    assert (done.returncode, done.stdout) == (exit_code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_etpc_is_counted_without_its_pairs(run: Run, fixtures: Path, tmp_path: Path) -> None:
    whole, relations = fixtures / "etpc" / "corpus", tmp_path / "relations"
    shutil.copytree(whole, relations, ignore=shutil.ignore_patterns("text_pairs.xml"))
    expected = json.loads(run("types", whole, "--from", "etpc", "--json").stdout)
    done = run("types", relations, "--from", "etpc", "--json")
    result = json.loads(done.stdout)
    assert [result[name] for name in ("pairs", "phenomena")] == [expected[name] for name in ("pairs", "phenomena")]
    assert result["types"]["Change of order"] == expected["types"]["Change of order"]
    assert "not all words are counted" in done.stderr


def test_hundreds_of_bad_rows_are_ten_lines(run: Run, fixtures: Path, tmp_path: Path) -> None:
    shutil.copytree(fixtures / "etpc" / "corpus", tmp_path / "etpc")
    row = "<relation><pair_id>{}</pair_id><type_name>Ellipsis</type_name></relation>"
    rows = "".join(row.format(number) for number in range(100, 400))
    (tmp_path / "etpc" / "strange.xml").write_text(f"<xml>{rows}</xml>", encoding="utf-8")
    done = run("types", tmp_path / "etpc", "--from", "etpc", "--on-error", "skip", "--json")
    assert "290 other reasons, listed in " in done.stderr
    assert len(done.stderr.splitlines()) <= 12


def test_a_whole_corpus_is_imported_and_its_types_counted(run: Run) -> None:
    run("new", "corpus", "--lang", "en", "--scheme", "vila")
    done = run("import", "corpus", "corpus", ROOMS, "--licence", "CC-BY-4.0", "--json")
    assert [(part["noun"], part["added"]) for part in json.loads(done.stdout)] == [("pairs", 8), ("judgements", 16)]
    result = json.loads(run("types", "corpus", "--json").stdout)
    assert (result["pairs"], result["phenomena"]) == (8, 21)
    assert "8 pairs" in run("label", "corpus").stdout
