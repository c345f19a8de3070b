"""Labels and clusters from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from otherwords.cli import cli
from otherwords.errors import OtherwordsError
from otherwords.project import open_project
from otherwords.records import Judgement, Pair
from otherwords.sources.reading import open_records, write_records
from tests.annotate.reading import put
from tests.errors import raises

TEXTS = {
    "p1": ("The mill has shut.", "They closed the mill."),
    "p2": ("They closed the mill.", "The mill is no more."),
    "p3": ("The mill has shut.", "The mill is no more."),
    "p4": ("Milk is dear.", "The mill is no more."),
}
ANSWERS = {"p1": ["4"], "p2": ["3", "4s"], "p3": ["2", "2"]}


@pytest.fixture
def corpus(folder: Path) -> Path:
    with open_project(folder) as project:
        put(
            project,
            *(Pair(id=name, text1=first, text2=second, group="mill") for name, (first, second) in TEXTS.items()),
        )
        put(
            project,
            *(
                Judgement(id=f"{name}-{n}", pair=name, annotator=f"a{n}", value=value, scheme="turku")
                for name, values in ANSWERS.items()
                for n, value in enumerate(values)
            ),
        )
    return folder


def run(*arguments: object) -> Result:
    done = CliRunner().invoke(cli, list(map(str, arguments)))
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done


def run_json(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def test_counts(corpus: Path) -> None:
    counts = run_json("label", corpus, "--views")
    assert counts["states"] == {"labelled": 2, "open": 1, "unjudged": 1}
    assert counts["labels"] == {"2": 1, "4": 1}
    assert counts["made_by"] == {"judgements": 2}
    assert counts["reasons"] == {"nobody has judged it": 1, "people differ, and nobody has decided": 1}
    assert counts["views"]["loose"] == {"positive": 2, "negative": 1}
    assert [row["pairs"] for row in counts["side_by_side"]] == [1, 1, 1]
    assert "side_by_side" not in run_json("label", corpus)
    shown = run("label", corpus, "--views").stdout
    assert "4 pairs, by the scheme turku" in shown
    assert "people differ, and nobody has decided" in shown
    assert "view strict" in shown


def test_a_file_of_labels(corpus: Path, tmp_path: Path) -> None:
    run("label", corpus, "--out", tmp_path / "labels.jsonl")
    with open_records(tmp_path / "labels.jsonl") as file:
        pairs = list(file.pairs())
    assert [(pair.id, pair.label) for pair in pairs] == [("p1", "4"), ("p2", None), ("p3", "2"), ("p4", None)]
    assert pairs[2].meta["labelling"]["judgements"] == ["p3-0", "p3-1"]
    assert pairs[1].meta["labelling"]["views"] == {"full": None, "strict": "negative", "loose": "positive"}
    lines = run("label", corpus, "--out", "-").stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == list(TEXTS)


def test_wrong_usage_and_missing_labels(corpus: Path, tmp_path: Path) -> None:
    with raises("format-not-recognised", match="labels.doc"):
        run("label", corpus, "--out", tmp_path / "labels.doc")
    with raises("conflicting-options"):
        run("label", corpus, "--out", "-", "--json")
    with raises("no-such-scheme"):
        run("label", corpus, "--scheme", "binary")
    with raises("no-labels", match="4 pairs"):
        run("label", corpus, "--scheme", "suzuki")
    with raises("no-such-project"):
        run("label", tmp_path / "nowhere")


def test_clusters_of_a_project(corpus: Path, tmp_path: Path) -> None:
    strict = run_json("clusters", corpus)
    assert [cluster["texts"] for cluster in strict["clusters"]] == [["The mill has shut.", "They closed the mill."]]
    (only,) = run_json("clusters", corpus, "--view", "loose")["clusters"]
    assert (only["size"], [contradiction["pair"] for contradiction in only["contradictions"]]) == (3, ["p3"])
    shown = run("clusters", corpus, "--view", "loose").stdout
    assert "1 clusters of 3 texts in 4 pairs" in shown
    assert "with a negative pair inside: 1" in shown
    assert "cluster 1: p3 is negative" in shown
    run("clusters", corpus, "--view", "loose", "--out", tmp_path / "clusters.jsonl")
    assert json.loads((tmp_path / "clusters.jsonl").read_text(encoding="utf-8")) == only
    seeds = run("clusters", corpus, "--view", "loose", "--seed-cluster").stdout.splitlines()
    assert [json.loads(line)["group"] for line in seeds] == ["mill"] * 3
    with raises("no-such-view"):
        run("clusters", corpus, "--view", "tight")


def test_references_of_a_file(tmp_path: Path) -> None:
    heads = ["Snow shuts the pass", "The pass is closed by snow", "No way over the pass: snow"]
    pairs = [
        Pair(id=f"p{n}", text1="Snow closes the pass", text2=text, label=label)
        for n, (text, label) in enumerate([*((text, "1") for text in heads), ("Sun over the pass", "0")])
    ]
    write_records(pairs, tmp_path / "news.jsonl")
    run("clusters", tmp_path / "news.jsonl", "--references", 3, "--out", tmp_path / "sets.json")
    assert json.loads((tmp_path / "sets.json").read_text(encoding="utf-8")) == {"Snow closes the pass": heads}
    with raises("too-few-references"):
        run("clusters", tmp_path / "news.jsonl", "--references", 8)
    with raises("conflicting-options"):
        run("clusters", tmp_path / "news.jsonl", "--references", 8, "--seed-cluster")
