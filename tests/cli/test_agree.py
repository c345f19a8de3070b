"""``otherwords agree`` as a user types it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Run

TABLE = "item,annotator,value\nu1,ann,1\nu1,ben,1\nu2,ann,2\nu2,ben,\nu3,ann,3\nu3,ben,2\nu4,ann,1\nu4,ben,1\n"
KEYS = {"measure", "labels", "value", "low", "high", "n", "annotators", "note", "signature"}


def rows() -> list[dict[str, object]]:
    cells = [line.split(",") for line in TABLE.splitlines()[1:]]
    return [{"item": one, "annotator": who, "value": int(value) if value else None} for one, who, value in cells]


def test_json_is_a_list_of_figures(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    done = run("agree", "t.csv", "--json")
    figures = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(set(one) == KEYS for one in figures)
    observed = next(one for one in figures if one["measure"] == "observed")
    assert (observed["value"], observed["n"], observed["annotators"]) == (pytest.approx(2 / 3), 3, ["ann", "ben"])
    assert observed["note"].startswith("pairs with two judgements or more; 1 with one left out")
    assert "|bs:1000|seed:0|version:" in observed["signature"]
    assert observed["low"] <= observed["value"] <= observed["high"]
    assert run("agree", "t.csv", "--json").stdout == done.stdout, "the same seed gives the same bytes"
    assert run("agree", "t.csv", "--json", "--seed", 1).stdout != done.stdout


def test_every_kind_of_table_says_the_same(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "t.tsv").write_text(TABLE.replace(",", "\t"))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    lines = "".join(json.dumps(row) + "\n" for row in rows())
    (tmp_path / "t.jsonl").write_text(lines)
    (tmp_path / "u.jsonl").write_text(lines.replace('"item"', '"unit"').replace('"value"', '"label"'))
    pq.write_table(pa.Table.from_pylist(rows()), tmp_path / "t.parquet")
    expected = run("agree", "t.csv").stdout
    assert "fleiss" in expected
    for name in ("t.tsv", "t.csv.gz", "t.jsonl", "u.jsonl", "t.parquet"):
        assert run("agree", name).stdout == expected, name


def test_the_table_fits_a_window(run: Run, tmp_path: Path) -> None:
    """What is to be known about rows stands under them, once, however many people and weeks there are."""
    lines = ["item,annotator,value,time"]
    for number in range(30):
        for place, who in enumerate(("annotator-with-a-long-name", "another-annotator", "somebody-else")):
            lines.append(f"u{number},{who},{(number + place // 2) % 3},2024-0{1 + number % 3}-10T08:00:00")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    told = run("agree", "t.csv", "--by", "annotator", "--replicates", "10").stdout
    assert max(map(len, told.splitlines())) <= 100
    assert told.count("pairs with two judgements or more") == 1


def test_the_page(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    assert run("agree", "t.csv", "--html", "page.html").returncode == 0
    assert "<!doctype html>" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("item,annotator,value\nu1,ann,1\nu2,ann,2\n", "only one annotator (ann)"),
        ("item,annotator,value\nu1,ann,1\nu2,ben,2\n", "ann and ben have judged no pair in common"),
    ],
)
def test_where_nothing_can_be_computed_the_exit_code_says_so(run: Run, tmp_path: Path, table: str, said: str) -> None:
    (tmp_path / "t.csv").write_text(table)
    done = run("agree", "t.csv")
    assert done.returncode == 1
    assert said in done.stdout
    assert "nothing could be computed" in done.stderr
    assert "nan" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere.csv"], 1, "nowhere.csv: No such file"),
        ([], 2, "Missing argument"),
        (["t.csv", "--labels", "all"], 2, "'all' is not one of"),
        (["bad.csv"], 1, "bad.csv"),
        (["bad.jsonl"], 1, "bad.jsonl: line 2"),
    ],
)
def test_bad_input_is_a_sentence(run: Run, tmp_path: Path, arguments: list[str], code: int, said: str) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "bad.csv").write_text("item,annotator,value\nu1,ann\n")
    (tmp_path / "bad.jsonl").write_text('{"item": 1, "annotator": "ann", "value": 2}\n{"item": 1, "annotator"\n')
    done = run("agree", *arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_columns_of_other_names(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "sheet.csv").write_text(TABLE.replace("item,annotator,value", "Nr,Wer,Urteil"))
    refused = run("agree", "sheet.csv")
    assert refused.returncode == 1
    assert "no column for pair and value among: Nr, Wer, Urteil; name them with --columns" in refused.stderr
    named = run("agree", "sheet.csv", "--columns", "pair=Nr,annotator=Wer,value=Urteil")
    assert named.stdout == run("agree", "t.csv").stdout
