"""``otherwords report`` and ``otherwords compare`` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.analyse.reported import check_page
from tests.cli.conftest import Run
from tests.conftest import EXAMPLES


def test_a_report_says_where_it_is(run: Run, tmp_path: Path) -> None:
    done = run("report", EXAMPLES / "pairs.es.jsonl", "--out", "page", "--examples", 1, "--seed", 4)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "page/index.html\n"
    assert "findings" in done.stderr
    assert "tables" in done.stderr
    text = "".join(check_page(tmp_path / "page").text)
    assert "the seed 4" in text
    assert "up to 1 examples of each kind" in text


def test_json(run: Run) -> None:
    summary = json.loads(run("report", EXAMPLES / "pairs.sv.jsonl", "--out", "page", "--json").stdout)
    assert summary["page"] == "page/index.html"
    assert {"labels", "provenance"} <= set(summary["findings"])
    assert summary["tables"] > 0
    assert summary["figures"] > 0
    assert summary["warnings"] == []


def test_a_comparison(run: Run, tmp_path: Path) -> None:
    done = run("compare", EXAMPLES / "pairs.fi.jsonl", EXAMPLES / "pairs.ru.jsonl", "--out", "page", "--sample", 10)
    assert done.returncode == 0, done.stderr
    assert "at most 10 pairs" in "".join(check_page(tmp_path / "page").text)


def test_wrong_usage_and_bad_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes").write_text("notes")
    (tmp_path / "broken.jsonl").write_text('{"id":\n')
    for exit_code, message, command in (
        (2, "--out", ("report", EXAMPLES / "pairs.jsonl")),
        (2, "two corpora or more", ("compare", EXAMPLES / "pairs.jsonl", "--out", "new")),
        (1, "nowhere.jsonl", ("report", "nowhere.jsonl", "--out", "new")),
        (1, "broken.jsonl", ("report", "broken.jsonl", "--from", "jsonl", "--out", "new")),
        (1, "is not an empty folder", ("report", EXAMPLES / "pairs.jsonl", "--out", "full")),
        (1, "standard input can be read once", ("report", "-", "--out", "new")),
    ):
        done = run(*command)
        assert (done.returncode, message in done.stderr) == (exit_code, True), done.stderr
        assert "Traceback" not in done.stderr
        assert not (tmp_path / "new").exists()
