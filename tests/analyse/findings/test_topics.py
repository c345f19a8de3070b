"""Topics of groups: given by people or by pairs, or guessed by the model."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from otherwords.analyse.findings.topics import evenness
from otherwords.corpus.corpus import open_corpus
from otherwords.project import Project
from otherwords.records import Judgement, Pair
from tests.analyse.corpora import cells, checked_finding, corpus, insert_records, run_analysis, shuffled

SEA, FARM = "The boat sank at sea.", "The goat ate grass."
NUMBERS = itertools.count(1)


def pair(group: str | None, text: str, topic: str | None = None, label: str | None = None) -> Pair:
    return Pair(
        id=f"p{next(NUMBERS)}",
        text1=text,
        text2=f"{text} Indeed.",
        group=group,
        label=label,
        lang="en",
        meta={"topic": topic} if topic else {},
    )


PAIRS = [
    *(pair("g1", SEA, "shipping", label) for label in ("1", "1", "0")),
    pair("g1", SEA, "accidents", "1"),
    pair("g2", SEA, "shipping", "0"),
    pair("g3", FARM, "farming", "1"),
    pair("g4", "A boat and the sea."),
    pair("g4", "The sea sank."),
    pair(None, FARM, "farming", "0"),
    pair(None, FARM),
]


def test_groups_and_pairs_by_topic(tmp_path: Path) -> None:
    finding = checked_finding("topics", corpus(tmp_path / "pairs.jsonl", PAIRS))
    assert [tuple(row.values()) for row in cells(finding, "topics")] == [
        ("shipping", 3, 1, 7, 7 / 9, 3 / 5),
        ("farming", 1, 0, 2, 2 / 9, 1 / 2),
    ]
    [balance] = cells(finding, "balance")
    assert (balance["topics"], balance["groups"], balance["largest"]) == (2, 4, 0.75)
    assert balance["evenness"] == pytest.approx(0.8112781)
    assert finding.remarks == ["groups whose topic is a model's guess: 1 of 4"]
    assert "model:naive-bayes" in finding.signatures["topics"]


def test_order_does_not_matter(tmp_path: Path) -> None:
    straight = checked_finding("topics", corpus(tmp_path / "one.jsonl", PAIRS))
    other = checked_finding("topics", corpus(tmp_path / "two.jsonl", shuffled(PAIRS)))
    assert straight.as_dict() == other.as_dict()


def test_a_model_needs_two_topics(tmp_path: Path) -> None:
    pairs = [pair("g1", SEA, "shipping"), pair("g2", SEA)]
    finding = checked_finding("topics", corpus(tmp_path / "pairs.jsonl", pairs))
    assert [row["groups"] for row in cells(finding, "topics")] == [1]
    assert cells(finding, "balance")[0]["evenness"] is None
    assert finding.remarks == ["groups without a topic, since a model needs 2 topics to learn from: 1 of 2"]
    assert "model:none" in finding.signatures["topics"]


@pytest.mark.parametrize("pairs", [[pair("g1", SEA)], [pair(None, SEA)], [pair(None, SEA, " ")]])
def test_without_topics_there_is_no_finding(tmp_path: Path, pairs: list[Pair]) -> None:
    assert run_analysis("topics", corpus(tmp_path / "pairs.jsonl", pairs)) is None


@pytest.mark.parametrize(
    ("counts", "expected"), [([], None), ([3], None), ([3, 0], None), ([2, 2], 1.0), ([3, 1], 0.8112781)]
)
def test_evenness(counts: list[int], expected: float | None) -> None:
    assert evenness(counts) == (expected if expected is None else pytest.approx(expected))


def judge(connection: Connection, group: str, topic: Any, **fields: Any) -> str:
    fields = {"annotator": "anna", "scheme": "topic", "unit": "group", **fields}
    judgement = Judgement(id=f"j{next(NUMBERS)}", pair=group, value=topic, **fields)
    insert_records(connection, judgement)
    return judgement.id


def test_topics_given_in_a_project(project: Project) -> None:
    with project.ledger.writing() as connection:
        insert_records(connection, pair("g1", SEA, "politics", "4"), pair("g2", FARM, None, "2"))
        insert_records(connection, pair("g3", FARM, None, "4"))
        first = judge(connection, "g1", "health")
        judge(connection, "g1", "sports", supersedes=first)
        judge(connection, "g2", "science", annotator="bo")
        judge(connection, "g2", "health", annotator="anna")
        judge(connection, "g2", "health", annotator="cleo", kind="consensus")
        judge(connection, "g3", "finance", kind="simulated")
        judge(connection, "g3", "x")
        judge(connection, "elsewhere", "finance")
    finding = checked_finding("topics", open_corpus(project.folder))
    topics = {
        row["topic"]: (row["groups"], row["groups_by_model"], row["positive_share"]) for row in cells(finding, "topics")
    }
    assert topics == {"health": (1, 0, 0.0), "sports": (1, 0, 1.0)}
    assert finding.remarks == ["groups left out, since people say that they have no topic: 1 of 3"]
