"""Rounds of quality control: which pairs, what annotators see, and how labels change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert

from otherwords.annotate.batch_plans.create import create_batch
from otherwords.annotate.batch_plans.qa_round import QaCounts, choose_qa, count_changes, plan_qa
from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.labels.pair_labels import labels_of_pairs
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import undo
from otherwords.annotate.work.reservations import reserve
from otherwords.annotate.work.tasks import build_tasks
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from tests.annotate.disputed import ABOUT, batch_of, judged, put_pairs
from tests.errors import raises

TURKU = load_scheme("turku")


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    """Judged in the order p3, p1, p0, p2; p4 is open, p5 decided, one was imported with its label."""
    with project.ledger.writing() as connection:
        put_pairs(connection)
        imported = Pair(id="came", text1="A door shut.", text2="Somewhere a door was shut.", label="4s")
        connection.execute(insert(schema.pairs), [row_of(imported, **ABOUT)])
        batch_of(connection, "first", asked=1)
        judged(connection, "first", "anna", {"p3": "4s", "p1": "4", "p0": "4>s", "p2": "3", "p4": "4", "p5": "4s"})
        batch_of(connection, "second", asked=1)
        judged(connection, "second", "ben", {"p4": "2", "p5": "1"})
        decided = Judgement(id="c", pair="p5", value="4i", kind="consensus", scheme="turku", annotator="carl")
        connection.execute(insert(schema.judgements), [row_of(decided)])
        yield connection


def chosen(connection: Connection, project: Project, label: str = "", flag: str = "") -> list[str]:
    return [item.item for item in choose_qa(connection, project, TURKU, label, flag)]


@pytest.mark.parametrize(
    ("label", "flag", "expected"),
    [
        ("4", "", ["came", "p3", "p1", "p0", "p5"]),
        ("4s", "", ["came", "p3", "p0"]),
        ("", "s", ["came", "p3", "p0"]),
        ("4>s", "", ["p0"]),
        ("", "i", ["p5"]),
        ("3", "", ["p2"]),
        ("x", "", []),
    ],
)
def test_pairs_judged_first_come_first(
    connection: Connection, project: Project, label: str, flag: str, expected: list[str]
) -> None:
    assert chosen(connection, project, label, flag) == expected


@pytest.mark.parametrize(
    ("label", "flag", "code"),
    [("", "", "label-or-flag"), ("4", "s", "label-or-flag"), ("5", "", "no-such-label"), ("", "q", "no-such-flag")],
)
def test_impossible_rounds_are_refused(
    connection: Connection, project: Project, label: str, flag: str, code: str
) -> None:
    with raises(code):
        choose_qa(connection, project, TURKU, label, flag)
    with raises("scheme-without-labels", match="rupaws"):
        choose_qa(connection, project, load_scheme("rupaws"), "yes")


def make_round(connection: Connection, project: Project) -> None:
    create_batch(connection, project, plan_qa("round", None), choose_qa(connection, project, TURKU, "4"))


def test_annotators_see_the_label_and_their_answer_becomes_the_label(connection: Connection, project: Project) -> None:
    make_round(connection, project)
    qa_batch = load_batch(connection, "round")
    assert (qa_batch.purpose, qa_batch.asked, count_changes(connection, qa_batch)) == ("qa", 1, QaCounts(5, 0, 0, {}))
    shown = build_tasks(connection, qa_batch, reserve(connection, qa_batch, "cleo", 5))
    assert [(task.pair, task.present) for task in shown] == [
        ("came", "4s"),
        ("p3", "4s"),
        ("p1", "4"),
        ("p0", "4>s"),
        ("p5", "4i"),
    ]
    judged(connection, "round", "cleo", {"came": "4", "p3": "4", "p1": "4", "p5": "4"})
    assert count_changes(connection, qa_batch) == QaCounts(5, 4, 3, {"4s → 4": 2, "4i → 4": 1})
    labels = labels_of_pairs(connection, ["came", "p3", "p5", "p0"], "turku")
    assert {name: (label.label, label.source) for name, label in labels.items()} == {
        "came": ("4", "qa"),
        "p3": ("4", "qa"),
        "p5": ("4", "qa"),
        "p0": ("4>s", "judgements"),
    }
    assert labels["p3"].labels == ("4s",), "earlier judgements stay beside it"
    assert chosen(connection, project, "", "s") == ["p0"]


def test_a_later_consensus_wins_and_a_later_round_wins_again(connection: Connection, project: Project) -> None:
    make_round(connection, project)
    judged(connection, "round", "cleo", {"p3": "3"})
    team = Judgement(id="d", pair="p3", value="2", kind="consensus", scheme="turku", annotator="carl")
    connection.execute(insert(schema.judgements), [row_of(team)])
    assert labels_of_pairs(connection, ["p3"], "turku")["p3"].label == "2"
    create_batch(connection, project, plan_qa("twos", None), choose_qa(connection, project, TURKU, "2"))
    judged(connection, "twos", "anna", {"p3": "1"})
    label = labels_of_pairs(connection, ["p3"], "turku")["p3"]
    assert (label.label, label.source, label.open) == ("1", "qa", False)


def test_a_change_can_be_taken_back(connection: Connection, project: Project) -> None:
    make_round(connection, project)
    qa_batch = load_batch(connection, "round")
    (first,) = judged(connection, "round", "cleo", {"p3": "3"})
    assert count_changes(connection, qa_batch).changes == {"4s → 3": 1}
    undo(connection, "cleo", first.id, "back")
    assert count_changes(connection, qa_batch) == QaCounts(5, 0, 0, {})
    assert labels_of_pairs(connection, ["p3"], "turku")["p3"].label == "4s"
    judged(connection, "round", "cleo", {"p3": "4s"})
    assert count_changes(connection, qa_batch) == QaCounts(5, 1, 0, {})


def test_a_round_settles_open_pairs(connection: Connection, project: Project) -> None:
    batch_of(connection, "all", asked=1, purpose="qa")
    assert labels_of_pairs(connection, ["p4"], "turku")["p4"].open
    judged(connection, "all", "cleo", {"p4": "3"})
    label = labels_of_pairs(connection, ["p4"], "turku")["p4"]
    assert (label.label, label.open, label.labels) == ("3", False, ("2", "4"))
    assert count_changes(connection, load_batch(connection, "all")).changes == {"open → 3": 1}
