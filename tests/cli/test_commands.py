"""The commands as a user types them, on the examples."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import EXAMPLES
from tests.processes import SECONDS, started

PAIRS = EXAMPLES / "pairs.jsonl"
ROWS = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_score_writes_to_standard_output_in_order(run: Run) -> None:
    done = run("score", PAIRS, "--measure", "jaccard", "--measure", "length-ratio")
    assert done.returncode == 0
    scored = rows(done.stdout)
    assert [row["id"] for row in scored] == [row["id"] for row in ROWS]
    assert all(set(row["scores"]) == {"jaccard", "length-ratio"} for row in scored)  # type: ignore[call-overload]
    assert "jaccard|tok:words" in done.stderr


@pytest.mark.parametrize(
    "arguments", [["-m", "jaccard,bleu:smooth=floor,k=0.1"], ["-m", "jaccard", "bleu:smooth=floor,k=0.1"]]
)
def test_measures_may_be_given_as_a_list(run: Run, arguments: list[str]) -> None:
    [row] = rows(run("score", "-", *arguments, stdin='{"text1": "a b c d", "text2": "a b c e"}\n').stdout)
    assert list(row["scores"]) == ["jaccard", "bleu:smooth=floor,k=0.1"]  # type: ignore[call-overload]


def test_score_without_a_measure_gives_the_usual_three(run: Run) -> None:
    [row] = rows(run("score", "-", stdin='{"text1": "a b c d", "text2": "a b c e"}\n').stdout)
    assert list(row["scores"]) == ["char-cosine", "jaccard", "bleu"]  # type: ignore[call-overload]


def test_one_core_and_many_give_the_same_bytes(run_process: Run, tmp_path: Path) -> None:
    for jobs in ("1", "3"):
        assert run_process("score", PAIRS, "-m", "all", "-j", jobs, "-o", f"{jobs}.jsonl").returncode == 0
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "3.jsonl").read_bytes()


def test_a_table_has_one_column_a_measure(run: Run, tmp_path: Path) -> None:
    assert run("score", PAIRS, "-m", "jaccard", "-m", "char-cosine", "-o", "out.csv").returncode == 0
    table = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8"))))
    assert len(table) == len(ROWS)
    assert all(0 <= float(row["jaccard"]) <= 1 and 0 <= float(row["char-cosine"]) <= 1.0000001 for row in table)
    assert [row["text1"] for row in table] == [row["text1"] for row in ROWS]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl.zst"])
def test_convert_there_and_back_loses_nothing(run: Run, tmp_path: Path, suffix: str) -> None:
    assert run("convert", PAIRS, f"there.{suffix}").returncode == 0
    assert run("convert", f"there.{suffix}", "back.jsonl").returncode == 0
    assert rows((tmp_path / "back.jsonl").read_text(encoding="utf-8")) == ROWS


def test_convert_reports_what_it_read(run: Run) -> None:
    done = run("convert", PAIRS, "-", "--to", "csv")
    assert "260 rows read as jsonl" in done.stderr
    assert done.stdout.startswith("id,text1,text2,")


def test_profile_as_json(run: Run) -> None:
    profile = json.loads(run("profile", PAIRS, "--json").stdout)
    assert profile["pairs"] == len(ROWS) == 260
    assert sum(profile["labels"].values()) == 260
    assert (profile["duplicate_pairs"], profile["mirrored_pairs"], profile["identical_pairs"]) == (3, 1, 1)
    assert (profile["label_conflicts"], profile["skipped_rows"]) == (1, 0)


def test_profile_as_text_and_picture(run: Run, tmp_path: Path) -> None:
    done = run("profile", PAIRS, "--plot", "p.svg")
    assert "label conflicts" in done.stdout
    assert "260" in done.stdout
    assert (tmp_path / "p.svg").read_text(encoding="utf-8").startswith("<svg")


def test_bins_as_text_and_json(run: Run) -> None:
    table = json.loads(run("bins", PAIRS, "--measure", "jaccard", "--bins", "10", "--json").stdout)
    assert len(table["ranges"]) == 11
    assert table["total"]["pairs"] == 260
    assert "[0.9, 1.0)" in run("bins", PAIRS).stdout


def test_lists_of_formats_and_measures(run: Run) -> None:
    assert {row["name"] for row in json.loads(run("formats", "--json").stdout)} >= {"turku", "p4p", "parquet"}
    measures = {row["name"]: row for row in json.loads(run("measures", "--json").stdout)}
    assert measures["bleu"]["range"] == [0.0, 100.0]
    assert "char-cosine" in run("measures").stdout


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    big = tmp_path / "big.jsonl"
    big.write_text('{"text1": "a b c", "text2": "a b d"}\n' * 50_000)
    command = f"{sys.executable} -m otherwords convert {big} - | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.stdout.count("\n") == 1
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_a_terminal_sees_a_bar_with_rate(tmp_path: Path) -> None:
    big = tmp_path / "big.jsonl"
    big.write_text('{"text1": "a b c", "text2": "a b d"}\n' * 60_000)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "otherwords", "convert", str(big), str(tmp_path / "out.csv")]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    with started(command, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        while select.select([ours], [], [], SECONDS)[0]:
            try:
                block = os.read(ours, 65536)
            except OSError:
                break
            if not block:
                break
            shown += block
        process.wait(timeout=SECONDS)
    os.close(ours)
    assert process.returncode == 0
    assert b"converting" in shown
    assert b"pairs" in shown
    assert b"/s" in shown


def write_until_it_writes(writer: int, folder: Path) -> None:
    """Send rows to a process until it has begun to write its output."""
    deadline = time.monotonic() + SECONDS
    while not any(path.name.endswith(".part") for path in folder.iterdir()):
        assert time.monotonic() < deadline, f"nothing was written within {SECONDS:g} seconds"
        if select.select([], [writer], [], 0.05)[1]:
            os.write(writer, b'{"text1": "a b c", "text2": "a b d"}\n')


def test_ctrl_c_leaves_nothing_half_written(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "otherwords", "convert", "-", "out.jsonl", "--from", "jsonl"]
    with started(command, stdin=reader, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        os.close(reader)
        write_until_it_writes(writer, tmp_path)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=SECONDS)
    os.close(writer)
    assert process.returncode == 130
    assert message.decode().strip() == "otherwords: stopped; nothing was left half-written"
    assert list(tmp_path.iterdir()) == []


def test_labels_are_text_and_not_markup(run: Run) -> None:
    rows_in = "".join(
        json.dumps({"text1": "a", "text2": "b", "label": x}) + "\n" for x in ("[/b]", "[bold]yes", ":smile:")
    )
    for command in ("profile", "bins"):
        done = run(command, "-", stdin=rows_in)
        assert done.returncode == 0, done.stderr
        assert all(label in done.stdout for label in ("[/b]", "[bold]yes", ":smile:"))


def test_standard_input_may_come_slowly_and_in_long_lines(tmp_path: Path) -> None:
    with started(
        [sys.executable, "-m", "otherwords", "profile", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"te')
        process.stdin.flush()
        process.stdin.write(b'xt1": "' + b"a" * 50_000 + b'", "text2": "b"}\n')
        output, _ = process.communicate(timeout=SECONDS)
    assert json.loads(output)["pairs"] == 1


@pytest.mark.parametrize("command", [["profile", "-"], ["profile", "-", "--from", "csv"], ["convert", "-", "o.jsonl"]])
def test_an_empty_standard_input_is_an_error(run: Run, command: list[str]) -> None:
    done = run(*command, stdin="")
    assert done.returncode == 1
    assert "standard input: " in done.stderr
    assert "empty" in done.stderr


@pytest.mark.parametrize("command", ["convert {} - --to csv", "profile {}"])
def test_a_full_disk_is_one_line(tmp_path: Path, command: str) -> None:
    (tmp_path / "in.jsonl").write_text('{"text1": "a b c", "text2": "a b d"}\n' * 5000)
    arguments = command.format("in.jsonl").split()
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "otherwords", *arguments],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=SECONDS,
        )
    assert done.returncode == 1
    assert done.stderr.decode().strip().splitlines()[-1] == "otherwords: No space left on device"
    assert b"Traceback" not in done.stderr


def test_a_terminated_run_leaves_nothing(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "otherwords", "convert", "-", "out.jsonl", "--from", "jsonl"]
    with started(command, stdin=reader, cwd=tmp_path) as process:
        os.close(reader)
        write_until_it_writes(writer, tmp_path)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=SECONDS)
    os.close(writer)
    assert process.returncode == 143
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_too_long_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text1": "a", "text2": "b"}\n')
    assert run("convert", "in.jsonl", "o" * 240 + ".jsonl").returncode == 0
    for arguments in (["in.jsonl", "o" * 300 + ".jsonl"], ["i" * 300 + ".jsonl", "out.jsonl"]):
        done = run("convert", *arguments)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        assert "File name too long" in done.stderr


def test_align_explores_and_pairs_documents(run: Run, tmp_path: Path) -> None:
    assert run("new", "corpus", "--lang", "en").returncode == 0
    imported = json.loads(run("import", "corpus", "news", EXAMPLES / "sources" / "news", "--json").stdout)
    assert [(row["again"], row["added"]) for row in imported] == [(False, 54)]
    explored = run("align", "corpus", "news", "--explore")
    assert "suggests --low 0.45" in explored.stdout
    assert "--set" not in explored.stdout
    recipe = tmp_path / "corpus" / "recipe.toml"
    recipe.write_text('[[step]]\nname = "papers"\ndo = "align-news"\n', encoding="utf-8")
    explored = run("align", "corpus", "news", "--explore")
    assert "in the project's recipe: otherwords run corpus --set papers.low=0.45 --set papers.high=" in explored.stdout
    recipe.unlink()
    aligned = json.loads(run("align", "corpus", "news", "--low", "0.45", "--json").stdout)
    assert (aligned["state"], aligned["rows_in"], aligned["rows_out"]) == ("done", 54, 18)
    again = run("align", "corpus", "news", "--low", "0.45", "--json")
    assert json.loads(again.stdout)["state"] == "done before"
    wrong = run("align", "corpus", "news", "--low", "2")
    assert (wrong.returncode, "[bad-parameter]" in wrong.stderr) == (2, True)
