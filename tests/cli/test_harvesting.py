"""``mine sample``, ``tiles`` and ``harvest`` on a project, from the pool to the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import read_table
from otherwords.corpus.splits.step import parts_table, read_parts
from otherwords.project import open_project
from otherwords.sources.reading import open_records, write_records
from otherwords.text.normalise import plain
from tests.cli.conftest import Run
from tests.corpus.harvest.pool import mined


def sentences_of_test(project: Path) -> Iterator[str]:
    with open_project(project) as corpus:
        rows = read_table(labels_table(corpus, simulated=True))
        for row, place in zip(rows, read_parts(parts_table(corpus, simulated=True)), strict=True):
            if place.part == "test":
                yield from (row.text1, row.text2)


def test_from_a_run_to_a_harvest(run: Run, tmp_path: Path) -> None:
    pool = mined(400)
    pool += [
        msgspec.structs.replace(other, id=f"x{other.id}", text1=pair.text1) for pair, other in pairwise(pool[:101])
    ]
    write_records(pool, tmp_path / "mined.jsonl")
    assert run("new", "corpus", "--lang", "en").returncode == 0
    words = ("mine", "sample", "mined.jsonl", "--into", "corpus", "--batch", "strata", "--per-stratum")
    done = run(*words, "15", "--json")
    assert done.returncode == 0, done.stderr
    drawn = json.loads(done.stdout)
    assert drawn["drawn"] == drawn["added"] == sum(row["drawn"] for row in drawn["strata"])
    assert sum(row["pairs"] for row in drawn["strata"]) == 500
    assert any(row["reason"] for row in drawn["strata"] if row["drawn"] < 15)
    assert "[batch-exists]" in run(*words, "15").stderr
    harvest = ("mine", "harvest", "mined.jsonl", "--sample", "corpus", "--simulated", "--out", "negatives.jsonl")
    assert "[sample-not-judged]" in run(*harvest, "--negative", "--region", "similarity<0.5").stderr
    assert run("simulate", "corpus", "--people", "2", "--accuracy", "1").returncode == 0
    tiles = run("mine", "tiles", "corpus", "--simulated")
    assert "kept for estimates of the precision, and not shown; --all shows them" in tiles.stderr
    assert run("split", "corpus", "--parts", "60/20/20", "--simulated").returncode == 0
    assert run(*harvest, "--region", "similarity<0.5").returncode == 2
    done = run(*harvest, "--negative", "--region", "similarity<0.99 or p_negative>0.4", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["left_out"]["it is in the sample that people judge"] == drawn["drawn"]
    assert summary["powered"] is not None
    with open_records(tmp_path / "negatives.jsonl") as records:
        harvested = list(records.pairs())
    assert len(harvested) == summary["harvested"]
    assert "precision: " in run(*harvest, "--negative", "--region", "similarity<0.99").stderr
    tests = {plain(text) for text in sentences_of_test(tmp_path / "corpus")}
    assert summary["left_out"]["it has a sentence of the test part"] > 0
    assert not tests & {plain(text) for pair in harvested for text in (pair.text1, pair.text2)}
