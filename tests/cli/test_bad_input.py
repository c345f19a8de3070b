"""Whatever is wrong with a file ends in one clear line on standard error, exit code 1, and nothing half-written."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOOD = json.dumps({"id": "1", "text1": "The ferry left at noon.", "text2": "At noon the ferry departed.", "label": "4"})


def bomb(path: Path) -> Path:
    with gzip.open(path, "wb") as stream:
        for _ in range(70):
            stream.write(b"a" * 2**20 + b"\n")
    return path


def zip_bomb(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("pairs.jsonl", "w") as stream:
        for _ in range(70):
            stream.write(b"a" * 2**20 + b"\n")
    return path


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


CASES = {
    "not UTF-8": (
        lambda d: written(d / "a.jsonl", GOOD.encode() + b'\n{"text1": "\xe4", "text2": "b"}\n'),
        "line 2: not UTF-8",
    ),
    "empty file": (lambda d: written(d / "a.jsonl", b""), "is empty"),
    "only blank lines": (lambda d: written(d / "a.csv", b"\n \n\n"), "is empty"),
    "folder": (lambda d: d, "is a folder"),
    "no such file": (lambda d: d / "none.jsonl", "No such file"),
    "unknown columns": (
        lambda d: written(d / "a.csv", b"foo,bar\n1,2\n"),
        "no columns for the two texts among: foo, bar",
    ),
    "wrong label": (lambda d: written(d / "a.jsonl", GOOD.replace('"4"', '"3s"').encode()), "line 1: label '3s'"),
    "long line": (
        lambda d: written(d / "a.jsonl", b'{"text1": "' + b"a" * 100 * 2**20),
        "line 1: the line is longer than 32 MB",
    ),
    "truncated gzip": (
        lambda d: written(d / "a.jsonl.gz", gzip.compress((GOOD + "\n").encode() * 5000)[:-60]),
        "damaged or cut short",
    ),
    "gzip bomb": (lambda d: bomb(d / "a.jsonl.gz"), "unpacks to more than"),
    "zip bomb": (lambda d: zip_bomb(d / "a.zip"), "unpacks to more than"),
    "not JSON": (lambda d: written(d / "a.jsonl", b'{"text1": \n'), "line 1: not JSON"),
    "missing text": (lambda d: written(d / "a.jsonl", b'{"text1": "a"}\n'), "line 1: no field text2"),
    "wrong type": (
        lambda d: written(d / "a.jsonl", b'{"text1": "a", "text2": ["b"]}\n'),
        "line 1: text2: expected str",
    ),
    "unknown format": (lambda d: written(d / "a.dat", b"\x00\x01\x02\x03"), "format is not recognised"),
    "entities": (
        lambda d: written(
            d / "a.xml",
            b"<?xml version='1.0'?><!DOCTYPE d [<!ENTITY a 'aaa'><!ENTITY b '&a;&a;'>]><data>&b;</data>",
        ),
        "entit",
    ),
    "not a parquet": (lambda d: written(d / "a.parquet", b"PAR1 and nothing else"), "Parquet"),
}
FORMATS = {
    "entities": ["--from", "paraphraser"],
    "gzip bomb": ["--on-error", "skip"],
    "zip bomb": ["--from", "jsonl", "--on-error", "skip"],
}
COMMANDS = {
    "convert": ["out.jsonl"],
    "score": ["--measure", "jaccard", "--out", "out.jsonl"],
    "profile": ["--plot", "out.svg"],
    "bins": [],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_one_clear_line(run: Run, tmp_path: Path, case: str, command: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    make, reason = CASES[case]
    path = make(folder)
    arguments = FORMATS.get(case, [])
    done = run(command, path, *COMMANDS[command], *arguments)
    assert done.returncode == 1, done.stderr
    assert reason in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith("otherwords: ")
    assert "Traceback" not in done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["in"], "something half-written was left behind"


def test_an_existing_output_survives_a_failed_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("the last good output\n")
    (tmp_path / "bad.jsonl").write_text(GOOD + "\n{\n")
    assert run("convert", "bad.jsonl", "out.jsonl").returncode == 1
    assert (tmp_path / "out.jsonl").read_text() == "the last good output\n"


def test_skip_and_quarantine_go_on_without_the_bad_rows(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(GOOD + '\nnot json\n{"text1": "only one"}\n' + GOOD.replace('"1"', '"2"') + "\n")
    skipped = run("convert", "in.jsonl", "a.jsonl", "--on-error", "skip")
    assert skipped.returncode == 0
    assert "refused: 1 × no field text2" in skipped.stderr
    kept = run("convert", "in.jsonl", "b.jsonl", "--on-error", "quarantine", "--quarantine", "bad.jsonl")
    assert kept.returncode == 0
    assert (tmp_path / "a.jsonl").read_text() == (tmp_path / "b.jsonl").read_text()
    assert [json.loads(line)["id"] for line in (tmp_path / "b.jsonl").read_text().splitlines()] == ["1", "2"]
    bad = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert [(row["line"], row["row"]) for row in bad] == [(2, "not json"), (3, '{"text1": "only one"}')]
    assert all(row["reason"] and row["file"] == "in.jsonl" for row in bad)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["score", "a.jsonl", "--measure", "jacard"], "did you mean jaccard?"),
        (["score", "a.jsonl", "--measure", "jaccard:tok=wrds"], "words"),
        (["convert", "a.jsonl", "b.xyz"], "name it with --to"),
        (["convert", "a.jsonl", "b.jsonl", "--from", "turkoo"], "did you mean turku?"),
        (["convert", "a.jsonl", "b.jsonl", "--on-error", "quarantine"], "--quarantine FILE"),
        (["profile", "a.jsonl", "--columns", "text1"], "FIELD=COLUMN"),
        (["profile", "a.jsonl", "--plot", "a.gif"], ".svg or .png"),
        (["convert", "a.jsonl", "b.jsonl", "--what", "judgements", "--from", "tmup"], "has no judgements"),
        (["nonsense"], "No such command 'nonsense'.\n"),
        (["relase"], "No such command 'relase'. Did you mean 'release'?\n"),
        (["release", "corpus", "--vresion", "1"], "No such option '--vresion'. Did you mean '--version'?\n"),
        (["score", "a.jsonl", "-m", ""], "needs the name of a measure"),
        (["score", "a.jsonl", "a.jsonl"], "one file at a time"),
        (["convert", "a.jsonl", "b.jsonl", "--quarantine", "a.jsonl"], "that is the file to be read"),
        (["convert", "a.jsonl", "b.jsonl", "--quarantine", "b.jsonl"], "that is the file to be written"),
        (["convert", "a.jsonl", "b.jsonl", "--columns", "txt1=text1"], "txt1"),
        (["convert", "a.jsonl", "b.jsonl", "--from", "paws", "--columns", "text1=a"], "columns of paws are fixed"),
        (["bins", "a.jsonl", "--bins", "0"], "--bins"),
    ],
)
def test_wrong_usage_exits_two(run: Run, tmp_path: Path, arguments: list[str], reason: str) -> None:
    (tmp_path / "a.jsonl").write_text(GOOD + "\n")
    done = run(*arguments)
    assert done.returncode == 2, done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize(
    ("lang", "said"), [("english", "for English (en);"), ("fi-FI", "for Finnish (fi);"), ("qaa", "for qaa;")]
)
def test_a_new_project_says_which_language_it_took(run: Run, lang: str, said: str) -> None:
    done = run("new", "corpus", "--lang", lang)
    assert done.returncode == 0
    assert said in done.stderr
