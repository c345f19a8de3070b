"""``otherwords split`` as a user types it."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import EXAMPLES


@pytest.fixture
def corpus(tmp_path: Path, run: Run) -> Path:
    """A project whose pairs came with labels."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    assert run("new", "corpus", "--lang", "en", "--scheme", "turku").returncode == 0
    assert run("import", "corpus", "pairs", "examples/pairs.jsonl").returncode == 0
    return tmp_path / "corpus"


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_project(run: Run, corpus: Path, tmp_path: Path) -> None:
    done = run("split", "corpus", "--by", "group", "--json", "--out", "placed.jsonl")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["by"], result["pairs"], result["units"]) == ("group", 260, 32)
    assert [size["part"] for size in result["sizes"]] == ["train", "dev", "test"]
    assert all(abs(size["off"]) < 0.02 for size in result["sizes"])
    placed = lines(tmp_path / "placed.jsonl")
    counts = Counter(row["meta"]["part"] for row in placed)  # type: ignore[index]
    assert counts == {size["part"]: size["pairs"] for size in result["sizes"]}
    groups = {(row["group"], row["meta"]["part"]) for row in placed}  # type: ignore[index]
    assert len(groups) == 32
    table = run("split", "corpus", "--by", "group")
    assert table.stdout.split()[:5] == ["part", "pairs", "units", "share", "asked"]
    assert "260 pairs in 32 units by group: train" in table.stderr
    assert run("split", "corpus", "--by", "group", "--json").stdout == done.stdout
    assert run("leaks", "corpus").returncode == 0


def test_a_file(run: Run, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "pairs.jsonl", tmp_path)
    streamed = run("split", "pairs.jsonl")
    assert [set(json.loads(line)["meta"]) for line in streamed.stdout.splitlines()] == [{"part"}] * 260
    assert "split by group" in streamed.stderr
    assert run("split", "pairs.jsonl", "--out", "parts").returncode == 0
    assert sum(len(lines(tmp_path / "parts" / f"{part}.jsonl")) for part in ("train", "dev", "test")) == 260
    again = run("split", "pairs.jsonl", "--out", "parts")
    assert (again.returncode, again.stderr.endswith(" [folder-not-empty]\n")) == (1, True)
    folded = run("split", "pairs.jsonl", "--folds", 4)
    assert {json.loads(line)["meta"]["fold"] for line in folded.stdout.splitlines()} == {0, 1, 2, 3}
    assert run("split", "pairs.jsonl", "--folds", 4).stdout == folded.stdout, "the same bytes"


def test_pairs_in_no_part_get_a_file_of_their_own(run: Run, tmp_path: Path) -> None:
    rows = [{"id": str(n), "text1": f"One {n}", "text2": f"Two {n}", "time": f"2020-01-{n:02d}"} for n in range(1, 11)]
    rows.append({"id": "late", "text1": "One", "text2": "Two"})
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("split", "p.jsonl", "--by", "time", "--out", "parts")
    assert done.returncode == 0
    assert "cut at 2020-01-09, 2020-01-10" in done.stderr
    assert "in no part: 1 × it has no time" in done.stderr
    assert [row["id"] for row in lines(tmp_path / "parts" / "none.jsonl")] == ["late"]


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["nowhere.jsonl"], 1, "nowhere.jsonl: No such file"),
        ([], 2, "Missing argument"),
        (["p.jsonl", "--parts", "80/10"], 2, "[wrong-sum-of-parts]"),
        (["p.jsonl", "--by", "colour"], 2, "'colour' is not one of"),
        (["p.jsonl", "--by", "group"], 1, "[no-group]"),
        (["p.jsonl", "--folds", "50"], 1, "[too-few-units]"),
        (["p.jsonl", "--before", "2020-01-01"], 2, "[dates-without-time]"),
        (["-"], 1, "[standard-input]"),
    ],
)
def test_bad_input_is_one_line(run: Run, tmp_path: Path, arguments: list[str], exit_code: int, message: str) -> None:
    rows = [{"id": str(n), "text1": f"One {n}", "text2": f"Two {n}"} for n in range(2)]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("split", *arguments)
    assert (done.returncode, done.stdout) == (exit_code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
