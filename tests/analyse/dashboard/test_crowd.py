"""The labels of a crowd: open votes are no label, and the threshold is the one of the label engine."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, insert

from otherwords.analyse.dashboard.crowd import crowd_state
from otherwords.annotate.batches.batch import BatchItem, insert_batch, load_batch
from otherwords.annotate.labels.pair_labels import labels_of_pairs
from otherwords.annotate.schemes import load_scheme
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair

NO_ORIGIN: dict[str, Any] = dict.fromkeys(("import_id", "step", "step_key", "state"))
LOOSE = load_scheme("binary-loose")
# By pair, what people said: y is yes, n is no, x is a skip.
VOTES = {
    "one yes": "y",
    "one no": "n",
    "three yes": "yyy",
    "four yes": "yyyy",  # two are missing, and cannot change it any more
    "four no": "nnnn",
    "tie": "yyynnn",
    "mostly no": "yynnnn",
    "mostly yes": "yyyyyn",
    "skipped": "xxxxxx",
    "nearly all skipped": "yxxxxx",
}


def put_votes(connection: Connection, asked: int = 6, votes: dict[str, str] = VOTES) -> None:
    pairs = [Pair(id=name, text1=f"{name} 1", text2=f"{name} 2") for name in votes]
    connection.execute(insert(schema.pairs), [row_of(pair, **NO_ORIGIN) for pair in pairs])
    insert_batch(connection, "crowd", [BatchItem(name) for name in votes], scheme="binary-loose", asked=asked)
    words = {"y": "yes", "n": "no", "x": "x"}
    judgements = [
        Judgement(
            id=f"{pair}-{number}",
            pair=pair,
            annotator=f"w{number}",
            scheme="binary-loose",
            batch="crowd",
            value=words[vote],
        )
        for pair, letters in votes.items()
        for number, vote in enumerate(letters)
    ]
    connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in judgements])


@pytest.fixture
def connection(project: Project) -> Any:
    with project.ledger.writing() as connection:
        yield connection


def state(connection: Connection, threshold: int | None = None) -> Any:
    return crowd_state(connection, load_batch(connection, "crowd"), LOOSE, threshold)


def test_pairs_with_open_votes_have_no_label(connection: Connection) -> None:
    put_votes(connection)
    shown = state(connection)
    assert shown.threshold == 3
    # A pair without any vote is not counted; one vote and five skips are complete and make nothing of it.
    assert shown.labels["threshold"] == {"no": 2, "yes": 2, "none": 2, "open": 3}
    assert shown.labels["majority"] == {"no": 2, "yes": 3, "none": 1, "open": 3}
    assert shown.labels["dawid_skene"]["open"] == 3
    assert {label.pair for label in shown.differ}.isdisjoint({"one yes", "one no", "three yes"})


def test_the_counts_are_those_of_the_label_engine(connection: Connection) -> None:
    put_votes(connection)
    labels = [label.label for label in labels_of_pairs(connection, VOTES, "binary-loose", LOOSE).values()]
    counts = state(connection).labels["threshold"]
    assert {name: labels.count(name) for name in ("yes", "no")} == {name: counts[name] for name in ("yes", "no")}


def test_another_threshold_is_applied_by_the_same_engine(connection: Connection) -> None:
    put_votes(connection)
    shown = state(connection, 4)
    assert shown.threshold == 4
    assert shown.labels["threshold"] == {"no": 3, "yes": 1, "none": 1, "open": 4}  # four yes may become five


def test_half_of_the_votes_is_the_threshold_where_the_scheme_expects_another_number(connection: Connection) -> None:
    put_votes(connection, 3, {"two yes": "yy", "one yes": "y", "two no": "ynn", "all yes": "yyy"})
    shown = state(connection)
    assert shown.threshold == 1
    assert shown.labels["threshold"] == {"no": 0, "yes": 2, "none": 1, "open": 1}
