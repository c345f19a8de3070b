"""``otherwords agree`` as a user types it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords.cli.agree import _measure_lines
from tests.cli.conftest import Run

TABLE = "item,annotator,value\nu1,ann,1\nu1,ben,1\nu2,ann,2\nu2,ben,\nu3,ann,3\nu3,ben,2\nu4,ann,1\nu4,ben,1\n"
FIXTURES = Path(__file__).parent.parent / "fixtures"
KEYS = {"measure", "labels", "value", "low", "high", "n", "annotators", "note", "signature", "purposes", "headline"}


def rows() -> list[dict[str, object]]:
    cells = [line.split(",") for line in TABLE.splitlines()[1:]]
    return [{"item": item, "annotator": who, "value": int(value) if value else None} for item, who, value in cells]


def test_json_is_a_list_of_figures(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    done = run("agree", "t.csv", "--json")
    figures = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(set(figure) == KEYS for figure in figures)
    observed = next(figure for figure in figures if figure["measure"] == "observed")
    assert (observed["value"], observed["n"], observed["annotators"]) == (pytest.approx(2 / 3), 3, ["ann", "ben"])
    assert observed["note"].startswith("pairs with two judgements or more; 1 with one left out")
    assert "|bs:1000|seed:0|version:" in observed["signature"]
    assert observed["low"] <= observed["value"] <= observed["high"]
    assert run("agree", "t.csv", "--json").stdout == done.stdout, "the same seed gives the same bytes"
    assert run("agree", "t.csv", "--json", "--seed", 1).stdout != done.stdout


def test_long_names_of_measures_are_broken_only_between_their_parts() -> None:
    assert _measure_lines("iapta-agr-w-pairwise-typewise") == "iapta-agr-w-pairwise-typewise"
    assert _measure_lines("alpha-nominal:question=paraphrase") == "alpha-nominal:\n question=paraphrase"


def test_every_kind_of_table_gives_the_same_result(run: Run, tmp_path: Path) -> None:
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
    """Notes about rows are under the table, each once, however many people and weeks there are."""
    lines = ["item,annotator,value,time"]
    for number in range(30):
        for place, who in enumerate(("annotator-with-a-long-name", "another-annotator", "somebody-else")):
            lines.append(f"u{number},{who},{(number + place // 2) % 3},2024-0{1 + number % 3}-10T08:00:00")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    output = run("agree", "t.csv", "--by", "annotator", "--replicates", "10").stdout
    assert max(map(len, output.splitlines())) <= 100
    assert output.count("pairs with two judgements or more") == 1


def test_the_page(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    assert run("agree", "t.csv", "--html", "page.html").returncode == 0
    assert "<!doctype html>" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("table", "note"),
    [
        ("item,annotator,value\nu1,ann,1\nu2,ann,2\n", "only one annotator (ann)"),
        ("item,annotator,value\nu1,ann,1\nu2,ben,2\n", "ann and ben have judged no pair in common"),
    ],
)
def test_where_nothing_can_be_computed_the_exit_code_says_so(run: Run, tmp_path: Path, table: str, note: str) -> None:
    (tmp_path / "t.csv").write_text(table)
    done = run("agree", "t.csv")
    assert done.returncode == 1
    assert note in done.stdout
    assert "nothing could be computed" in done.stderr
    assert "nan" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["nowhere.csv"], 1, "nowhere.csv: No such file"),
        ([], 2, "Missing argument"),
        (["t.csv", "--labels", "all"], 2, "'all' is not one of"),
        (["bad.csv"], 1, "bad.csv"),
        (["bad.jsonl"], 1, "bad.jsonl: line 2"),
    ],
)
def test_bad_input_is_one_message(run: Run, tmp_path: Path, arguments: list[str], exit_code: int, message: str) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "bad.csv").write_text("item,annotator,value\nu1,ann\n")
    (tmp_path / "bad.jsonl").write_text('{"item": 1, "annotator": "ann", "value": 2}\n{"item": 1, "annotator"\n')
    done = run("agree", *arguments)
    assert done.returncode == exit_code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_columns_of_other_names(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "sheet.csv").write_text(TABLE.replace("item,annotator,value", "Nr,Wer,Urteil"))
    refused = run("agree", "sheet.csv")
    assert refused.returncode == 1
    assert "no column for pair and value among: Nr, Wer, Urteil; name them with --columns" in refused.stderr
    named = run("agree", "sheet.csv", "--columns", "pair=Nr,annotator=Wer,value=Urteil")
    assert named.stdout == run("agree", "t.csv").stdout


def test_what_to_quote_is_first_and_names_are_whole(run: Run, tmp_path: Path) -> None:
    names = ("annotator-with-a-long-name", "another-annotator-here", "third")
    lines = [f"u{number},{who},{(number + place // 2) % 3}" for number in range(9) for place, who in enumerate(names)]
    (tmp_path / "t.csv").write_text("\n".join(["item,annotator,value", *lines]) + "\n")
    output = run("agree", "t.csv", "--by", "annotator", "--replicates", "10").stdout
    assert output.startswith("Krippendorff's ordinal alpha is ")
    assert all(name in output for name in names)
    assert "cohen-quadratic-mean-unweighted:" in output
    figures = json.loads(run("agree", "t.csv", "--json", "--replicates", "10").stdout)
    assert (figures[0]["measure"], figures[0]["headline"]) == ("alpha-ordinal", True)
    assert sum(figure["headline"] for figure in figures) == 1


@pytest.mark.parametrize(("file", "n"), [("pit2015/train.data", 4), ("twitter-url/train.txt", 4)])
def test_votes_of_released_corpora(run: Run, file: str, n: int) -> None:
    done = run("agree", FIXTURES / file)
    assert done.returncode == 0, done.stderr
    assert f"over {n} pairs that were judged by two or more unnamed people" in " ".join(done.stdout.split())
    assert "nobody knows who gave which vote" in done.stdout


def test_votes_by_token_with_comments(run: Run) -> None:
    done = run("agree", FIXTURES / "token-votes" / "votes.tsv")
    assert "Comment (free text)" in done.stderr
    assert "Traceback" not in done.stderr
