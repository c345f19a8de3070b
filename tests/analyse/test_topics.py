"""Topics of groups: named by people, brought by pairs, or guessed by the model."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from otherwords.analyse.topics_balance import evenness
from otherwords.corpus.corpora import corpus_of
from otherwords.project import Project
from otherwords.project.rows import TABLES, row_of
from otherwords.records import Judgement, Pair, Record
from tests.analyse.corpora import cells, corpus, found, said, shuffled

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
    finding = said("topics", corpus(tmp_path / "pairs.jsonl", PAIRS))
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
    straight = said("topics", corpus(tmp_path / "one.jsonl", PAIRS))
    other = said("topics", corpus(tmp_path / "two.jsonl", shuffled(PAIRS)))
    assert straight.as_dict() == other.as_dict()


def test_one_topic_teaches_nothing(tmp_path: Path) -> None:
    pairs = [pair("g1", SEA, "shipping"), pair("g2", SEA)]
    finding = said("topics", corpus(tmp_path / "pairs.jsonl", pairs))
    assert [row["groups"] for row in cells(finding, "topics")] == [1]
    assert cells(finding, "balance")[0]["evenness"] is None
    assert finding.remarks == ["groups without a topic, since a model needs 2 topics to learn from: 1 of 2"]
    assert "model:none" in finding.signatures["topics"]


@pytest.mark.parametrize("pairs", [[pair("g1", SEA)], [pair(None, SEA)], [pair(None, SEA, " ")]])
def test_without_topics_there_is_nothing_to_say(tmp_path: Path, pairs: list[Pair]) -> None:
    assert found("topics", corpus(tmp_path / "pairs.jsonl", pairs)) is None


@pytest.mark.parametrize(
    ("counts", "expected"), [([], None), ([3], None), ([3, 0], None), ([2, 2], 1.0), ([3, 1], 0.8112781)]
)
def test_evenness(counts: list[int], expected: float | None) -> None:
    assert evenness(counts) == (expected if expected is None else pytest.approx(expected))


def put(connection: Connection, record: Record) -> None:
    connection.execute(insert(TABLES[type(record)]).values(**row_of(record)))


def name(connection: Connection, group: str, topic: Any, **others: Any) -> str:
    told = {"annotator": "anna", "scheme": "topic", "unit": "group", **others}
    one = Judgement(id=f"j{next(NUMBERS)}", pair=group, value=topic, **told)
    put(connection, one)
    return one.id


def test_people_name_topics_in_a_project(project: Project) -> None:
    with project.ledger.writing() as connection:
        for one in (pair("g1", SEA, "politics", "4"), pair("g2", FARM, None, "2"), pair("g3", FARM, None, "4")):
            put(connection, one)
        first = name(connection, "g1", "health")
        name(connection, "g1", "sports", supersedes=first)
        name(connection, "g2", "science", annotator="bo")
        name(connection, "g2", "health", annotator="anna")
        name(connection, "g2", "health", annotator="cleo", kind="consensus")
        name(connection, "g3", "finance", kind="simulated")
        name(connection, "g3", "x")
        name(connection, "elsewhere", "finance")
    finding = said("topics", corpus_of(project.folder))
    told = {
        row["topic"]: (row["groups"], row["groups_by_model"], row["positive_share"]) for row in cells(finding, "topics")
    }
    assert told == {"health": (1, 0, 0.0), "sports": (1, 0, 1.0)}
    assert finding.remarks == ["groups left out, since people say that they have no topic: 1 of 3"]
