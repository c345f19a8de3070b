"""``otherwords analyse`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from otherwords.cli import cli
from tests.cli.conftest import Run
from tests.conftest import EXAMPLES

PAIRS = EXAMPLES / "pairs.jsonl"
ROW = '{"id":"1","text1":"The boat left.","text2":"The boat is gone.","label":"1"}\n'


def test_tables_for_people(run: Run) -> None:
    done = run("analyse", PAIRS, "--only", "labels,overlap")
    assert done.returncode == 0
    assert "Word overlap · Accuracy by threshold" in done.stdout
    assert " 4>is       1   0.4 %  positive         0 " in done.stdout
    assert "overlap (ranges, accuracy): jaccard|tok:words" in done.stderr


def test_json_of_one_corpus_and_of_several(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(ROW)
    result = json.loads(run("analyse", "a.jsonl", "--only", "labels", "--json").stdout)
    assert (result["corpus"], result["kind"], list(result["findings"])) == ("a", "file", ["labels"])
    assert result["findings"]["labels"]["tables"]["summary"][0]["positive_share"] == 1.0
    several = json.loads(run("analyse", "a.jsonl", PAIRS, "--only", "labels,corpora", "--json").stdout)
    assert [corpus["corpus"] for corpus in several["corpora"]] == ["a", "pairs"]
    assert list(several["compared"]) == ["corpora"]


def test_the_same_seed_gives_the_same_bytes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "few.jsonl").write_text("".join(PAIRS.read_text().splitlines(keepends=True)[:40]))
    command = ("analyse", "few.jsonl", PAIRS, "--only", "distributions", "--json", "--sample", 20)
    first = run(*command).stdout
    assert json.loads(first)["compared"]["distributions"]["tables"]["samples"][1]["sample"] == 20
    assert run(*command).stdout == first
    assert run(*command, "--seed", 1).stdout != first


def test_out_writes_files(run: Run, tmp_path: Path) -> None:
    done = run("analyse", PAIRS, "--only", "lengths", "--out", "found")
    assert done.returncode == 0
    assert "found: 5 files" in done.stderr
    assert (tmp_path / "found" / "lengths.lengths.svg").read_text().startswith("<svg")
    again = run("analyse", PAIRS, "--only", "lengths", "--out", "found")
    assert (again.returncode, again.stdout) == (2, "")
    assert "--out found" in again.stderr
    assert "[folder-not-empty]" in again.stderr


def test_the_list(run: Run) -> None:
    done = run("analyse", "--list")
    assert done.returncode == 0
    for name in ("labels", "similarity", "lengths", "mapping", "overlap", "ngrams", "distributions", "corpora"):
        assert f" {name} " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        ([], 2, "[no-corpus]"),
        (["c.jsonl", "--only", "lables"], 2, "did you mean labels? [unknown-analysis]"),
        (["c.jsonl", "--only", ","], 2, "[no-analysis]"),
        (["c.jsonl", "--only", "corpora"], 2, "[too-few-corpora]"),
        (["missing.jsonl"], 1, "missing.jsonl: No such file or directory"),
        (["empty.jsonl"], 1, "empty.jsonl: "),
        (["header.csv"], 1, "[no-pairs]"),
        (["-"], 1, "standard input can be read once only"),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, arguments: list[str], exit_code: int, message: str) -> None:
    (tmp_path / "c.jsonl").write_text(ROW)
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "header.csv").write_text("id,text1,text2,label\n")
    done = run("analyse", *arguments, "--out", "found")
    assert (done.returncode, done.stdout) == (exit_code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "found").exists()


def test_a_corpus_with_one_label_no_groups_and_no_times(run: Run, tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text(ROW)
    done = run("analyse", "c.jsonl")
    assert done.returncode == 0
    assert "labels: all labels are the same" in done.stderr
    assert "overlap: without both positives and negatives" in done.stderr


@pytest.mark.usefixtures("without_figures")
def test_without_the_extra_a_line_says_so(tmp_path: Path) -> None:
    arguments = ["analyse", str(PAIRS), "--only", "lengths", "--out", str(tmp_path / "found")]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0
    assert "figures were left out; drawing them needs an optional package" in done.stderr
    assert {path.suffix for path in (tmp_path / "found").iterdir()} == {".json", ".csv"}
