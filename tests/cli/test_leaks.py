"""``otherwords leaks`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

TRAIN = [
    ("t1", "The lamp in the hall was still burning at midnight.", "At midnight the hall lamp was still lit."),
    ("t2", "Nobody had told them about the second key.", "They were never told of the second key."),
    ("t3", "Her brother keeps bees behind the station.", "Behind the station, her brother has his bees."),
    ("t4", "We missed the last train by a minute or two.", "The last train left a minute or two before us."),
    ("t5", "It was far too cold to swim.", "Swimming was out of the question in that cold."),
]
TEST = [
    ("e1", *TRAIN[0][1:]),
    ("m1", TRAIN[1][2], TRAIN[1][1]),
    ("n1", TRAIN[2][1].upper(), TRAIN[2][2].replace(",", "")),
    ("s1", "We missed the last train by a minute or three.", TRAIN[3][2]),
    ("x1", "it was far too cold to swim", "He could not sleep because of the heat."),
    ("c1", "A clean pair has nothing in common.", "With others, that is."),
]


def write_pairs(path: Path, rows: list[tuple[str, ...]], part: str | None = None) -> list[str]:
    meta = {"meta": {"part": part}} if part else {}
    lines = [json.dumps({"id": id, "text1": text1, "text2": text2, **meta}) + "\n" for id, text1, text2 in rows]
    path.write_text("".join(lines))
    return lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = write_pairs(tmp_path / "train.jsonl", TRAIN, "train") + write_pairs(tmp_path / "test.jsonl", TEST, "test")
    (tmp_path / "both.jsonl").write_text("".join(lines))
    write_pairs(tmp_path / "clean.jsonl", TEST[-1:])
    return tmp_path


def ids(result: dict[str, Any], kind: str) -> list[tuple[str, str]]:
    return [(row["a"]["id"], row["b"]["id"]) for row in result[kind]]


def test_every_kind_has_its_rows(run: Run, folder: Path) -> None:
    done = run("leaks", "train.jsonl", "test.jsonl", "--json", "--out", "rows.jsonl")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert ids(result, "exact") == [("t1", "e1")]
    assert ids(result, "mirrored") == [("t2", "m1")]
    assert ids(result, "normalised") == [("t3", "n1")]
    assert ids(result, "near") == [("t4", "s1")]
    assert 0.85 <= result["near"][0]["similarity"] < 1
    assert result["near"][0]["a"]["text1"] == TRAIN[3][1]
    assert result["counts"] == {"exact": 1, "mirrored": 1, "normalised": 1, "near": 1, "shared_texts": 8}
    swim = next(row for row in result["shared_texts"] if "cold" in row["text"])
    assert (swim["a"], swim["b"], swim["text"]) == (["t5"], ["x1"], "it was far too cold to swim")
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    assert [row["kind"] for row in rows][:4] == ["exact", "mirrored", "normalised", "near"]
    assert len(rows) == 12


def test_without_leaks_the_exit_code_is_zero(run: Run, folder: Path) -> None:
    done = run("leaks", "train.jsonl", "clean.jsonl", "--json")
    assert (done.returncode, done.stderr) == (0, "no leaks\n")
    assert set(json.loads(done.stdout)["counts"].values()) == {0}


@pytest.mark.parametrize("arguments", [["both.jsonl"], ["both.jsonl:train", "both.jsonl:test"]])
def test_parts_of_one_file(run: Run, folder: Path, arguments: list[str]) -> None:
    result = json.loads(run("leaks", *arguments, "--json").stdout)
    assert len(result["compared"]) == 1
    assert result["counts"] == {"exact": 1, "mirrored": 1, "normalised": 1, "near": 1, "shared_texts": 8}
    assert result["exact"][0]["between"] == result["compared"][0]["between"]


def test_near_ones_are_as_near_as_asked(run: Run, folder: Path) -> None:
    assert json.loads(run("leaks", "train.jsonl", "test.jsonl", "--near", "0.99", "--json").stdout)["near"] == []
    result = json.loads(run("leaks", "train.jsonl", "test.jsonl", "--near", "0", "--json").stdout)
    assert (result["near"], result["signature"]) == ([], None)


def test_rows_that_are_skipped_are_said(run: Run, folder: Path) -> None:
    with (folder / "test.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"text1": "Only one text."}\n')
    done = run("leaks", folder / "train.jsonl", folder / "test.jsonl", "--on-error", "skip")
    assert "test.jsonl: 1 row was rejected: no field text2" in done.stderr


def test_the_table_shows_examples(run: Run, folder: Path) -> None:
    done = run("leaks", "train.jsonl", "test.jsonl")
    assert "pairs of B  exact  mirrored  normalised  near  shared texts" in done.stdout
    assert "exact: t1 e1: The lamp in the hall" in done.stdout
    assert "1 of 1 comparisons found something" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["nowhere.jsonl", "test.jsonl"], 1, "nowhere.jsonl: No such file"),
        ([], 2, "Missing argument"),
        (["clean.jsonl"], 1, "its pairs are not in several parts; split it first"),
        (["both.jsonl:trian", "test.jsonl"], 1, "no part is called 'trian'; did you mean train?"),
        (["train.jsonl", "test.jsonl", "--near", "7"], 2, "give a similarity from 0.5 to 1"),
    ],
)
def test_bad_input_is_one_line(run: Run, folder: Path, arguments: list[str], exit_code: int, message: str) -> None:
    done = run("leaks", *arguments)
    assert (done.returncode, done.stdout) == (exit_code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
