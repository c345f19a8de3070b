"""``otherwords mine``: a pool may follow at once, and every subcommand prints JSON on request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def sentences(tmp_path: Path) -> str:
    texts = ("The tide comes in before noon.", "Before noon the tide comes in.", "", "Nobody has seen the grey cat.")
    (tmp_path / "sentences.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    return "sentences.txt"


@pytest.mark.parametrize("words", [["mine"], ["mine", "run"], ["mine", "--out", "mined"]])
def test_a_pool_may_follow_at_once(run: Run, sentences: str, words: list[str]) -> None:
    out = [] if "--out" in words else ["--out", "mined"]
    done = run(*words, sentences, *out, "--encoder", "tfidf", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["sentences"], summary["left_out"], summary["recall"]) == (3, {"empty line": 1}, 1.0)
    assert summary["seconds"] >= 0
    assert summary["rss_mb"] > 0


def test_what_was_found_as_a_table(run: Run, sentences: str, tmp_path: Path) -> None:
    done = run("mine", sentences, "--out", "mined", "--encoder", "tfidf", "-k", "1")
    assert "left out: empty line" in done.stdout
    assert "recall:1.0000" in done.stderr
    assert (tmp_path / "mined" / "pairs.parquet").is_file()


def test_mistakes_are_one_line(run: Run, sentences: str) -> None:
    done = run("mine", sentences, "--out", "mined")
    assert (done.returncode, "[no-encoder]" in done.stderr) == (2, True)
    done = run("mine", "missing.txt", "--out", "mined", "--encoder", "tfidf")
    assert (done.returncode, "[file-unreadable]" in done.stderr) == (1, True)
    done = run("mine", sentences, "--out", "mined", "--encoder", "tfidf", "--memory", "1M")
    assert (done.returncode, "would do" in done.stderr) == (2, True)


def test_a_plan(run: Run) -> None:
    done = run("mine", "plan", "--sentences", "400M", "--memory", "64G", "--cores", "32", "--nodes", "3", "--json")
    assert json.loads(done.stdout)["shards"] == 4_000
    done = run("mine", "plan", "--sentences", "400M", "--memory", "64M", "--cores", "32")
    assert "neighbours" in done.stdout
    assert "would do" in done.stderr
