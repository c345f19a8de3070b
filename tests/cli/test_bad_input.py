"""Any problem with a file ends in one clear line on standard error, exit code 1, and nothing half-written."""

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


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


CASES = {  # how to make the file, the code of the error, and where it is
    "not UTF-8": (
        lambda d: write(d / "a.jsonl", GOOD.encode() + b'\n{"text1": "\xe4", "text2": "b"}\n'),
        ("bad-row", "line 2: not UTF-8"),
    ),
    "empty file": (lambda d: write(d / "a.jsonl", b""), ("empty-file", "a.jsonl")),
    "only blank lines": (lambda d: write(d / "a.csv", b"\n \n\n"), ("empty-file", "a.csv")),
    "folder": (lambda d: d, ("format-not-recognised", "is a folder")),
    "no such file": (lambda d: d / "none.jsonl", ("file-unreadable", "No such file")),
    "unknown columns": (lambda d: write(d / "a.csv", b"foo,bar\n1,2\n"), ("missing-column", "among: foo, bar")),
    "wrong label": (
        lambda d: write(d / "a.jsonl", GOOD.replace('"4"', '"3s"').encode()),
        ("bad-row", "line 1: label '3s'"),
    ),
    "long line": (lambda d: write(d / "a.jsonl", b'{"text1": "' + b"a" * 33 * 2**20), ("line-too-long", "line 1: ")),
    "truncated gzip": (
        lambda d: write(d / "a.jsonl.gz", gzip.compress((GOOD + "\n").encode() * 5000)[:-60]),
        ("damaged-archive", "a.jsonl.gz"),
    ),
    "gzip bomb": (lambda d: bomb(d / "a.jsonl.gz"), ("implausible-compression", "a.jsonl.gz")),
    "zip bomb": (lambda d: zip_bomb(d / "a.zip"), ("implausible-compression", "a.zip")),
    "not JSON": (lambda d: write(d / "a.jsonl", b'{"text1": \n'), ("bad-row", "line 1: not JSON")),
    "missing text": (lambda d: write(d / "a.jsonl", b'{"text1": "a"}\n'), ("bad-row", "line 1: no field text2")),
    "wrong type": (
        lambda d: write(d / "a.jsonl", b'{"text1": "a", "text2": ["b"]}\n'),
        ("bad-row", "line 1: text2: expected str"),
    ),
    "unknown format": (lambda d: write(d / "a.dat", b"\x00\x01\x02\x03"), ("format-not-recognised", "--from")),
    "entities": (
        lambda d: write(
            d / "a.xml",
            b"<?xml version='1.0'?><!DOCTYPE d [<!ENTITY a 'aaa'><!ENTITY b '&a;&a;'>]><data>&b;</data>",
        ),
        ("xml-entities", "a.xml"),
    ),
    "not a parquet": (lambda d: write(d / "a.parquet", b"PAR1 and nothing else"), ("damaged-file", "Parquet")),
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
    make, (code, fact) = CASES[case]
    path = make(folder)
    arguments = FORMATS.get(case, [])
    done = run(command, path, *COMMANDS[command], *arguments)
    assert done.returncode == 1, done.stderr
    assert fact in done.stderr
    assert done.stderr.endswith(f"[{code}]\n")
    assert ("; --on-error skip leaves such rows out" in done.stderr) == (code == "bad-row")
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
        (["convert", "a.jsonl", "b.jsonl", "--on-error", "quarantine"], "[no-quarantine-file]"),
        (["profile", "a.jsonl", "--columns", "text1"], "[bad-columns]"),
        (["profile", "a.jsonl", "--plot", "a.gif"], ".svg or .png"),
        (["convert", "a.jsonl", "b.jsonl", "--what", "judgements", "--from", "tmup"], "has no judgements"),
        (["nonsense"], "No such command 'nonsense'.\n"),
        (["relase"], "No such command 'relase'. Did you mean 'release'?\n"),
        (["release", "corpus", "--vresion", "1"], "No such option '--vresion'. Did you mean '--version'?\n"),
        (["score", "a.jsonl", "-m", ""], "[no-measure]"),
        (["score", "a.jsonl", "a.jsonl"], "[too-many-files]"),
        (["convert", "a.jsonl", "b.jsonl", "--quarantine", "a.jsonl"], "is the input file"),
        (
            ["convert", "a.jsonl", "b.jsonl", "--quarantine", "b.jsonl"],
            "is the output file; name another file [same-file]",
        ),
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
    ("lang", "text"), [("english", "for English (en);"), ("fi-FI", "for Finnish (fi);"), ("qaa", "for qaa;")]
)
def test_a_new_project_reports_its_language(run: Run, lang: str, text: str) -> None:
    done = run("new", "corpus", "--lang", lang)
    assert done.returncode == 0
    assert text in done.stderr
