"""Rounds of quality control: which pairs, with what before one, and what becomes of their labels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert

from otherwords.annotate.batches import batch
from otherwords.annotate.making import put_together
from otherwords.annotate.pair_labels import labels_of
from otherwords.annotate.qa import Round, choose_qa, plan_qa, round_of
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import take
from otherwords.annotate.undoing import undo
from otherwords.annotate.working import tasks
from otherwords.errors import Refused
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair
from tests.annotate.disputed import ABOUT, batch_of, judged, put_pairs

TURKU = scheme("turku")


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    """Judged in the order p3, p1, p0, p2; p4 is open, p5 decided, one came with its label."""
    with project.ledger.writing() as connection:
        put_pairs(connection)
        came = Pair(id="came", text1="A door shut.", text2="Somewhere a door was shut.", label="4s")
        connection.execute(insert(schema.pairs), [row_of(came, **ABOUT)])
        batch_of(connection, "first", asked=1)
        judged(connection, "first", "anna", {"p3": "4s", "p1": "4", "p0": "4>s", "p2": "3", "p4": "4", "p5": "4s"})
        batch_of(connection, "second", asked=1)
        judged(connection, "second", "ben", {"p4": "2", "p5": "1"})
        decided = Judgement(id="c", pair="p5", value="4i", kind="consensus", scheme="turku", annotator="carl")
        connection.execute(insert(schema.judgements), [row_of(decided)])
        yield connection


def chosen(connection: Connection, project: Project, label: str = "", flag: str = "") -> list[str]:
    return [one.item for one in choose_qa(connection, project, TURKU, label, flag)]


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
def test_what_was_judged_first_comes_first(
    connection: Connection, project: Project, label: str, flag: str, expected: list[str]
) -> None:
    assert chosen(connection, project, label, flag) == expected


@pytest.mark.parametrize(
    ("label", "flag", "reason"),
    [("", "", "by a label or by a flag"), ("4", "s", "by a label or"), ("5", "", "no label"), ("", "q", "no flag")],
)
def test_what_cannot_be_looked_for(
    connection: Connection, project: Project, label: str, flag: str, reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        choose_qa(connection, project, TURKU, label, flag)
    with pytest.raises(Refused, match="goes by labels"):
        choose_qa(connection, project, scheme("rupaws"), "yes")


def make_round(connection: Connection, project: Project) -> None:
    put_together(connection, project, plan_qa("round", None), choose_qa(connection, project, TURKU, "4"))


def test_the_label_is_there_and_what_is_said_becomes_the_label(connection: Connection, project: Project) -> None:
    make_round(connection, project)
    of = batch(connection, "round")
    assert (of.purpose, of.asked, round_of(connection, of)) == ("qa", 1, Round(5, 0, 0, {}))
    mine = tasks(connection, of, take(connection, of, "cleo", 5))
    assert [(one.pair, one.present) for one in mine] == [
        ("came", "4s"),
        ("p3", "4s"),
        ("p1", "4"),
        ("p0", "4>s"),
        ("p5", "4i"),
    ]
    judged(connection, "round", "cleo", {"came": "4", "p3": "4", "p1": "4", "p5": "4"})
    assert round_of(connection, of) == Round(5, 4, 3, {"4s → 4": 2, "4i → 4": 1})
    labels = labels_of(connection, ["came", "p3", "p5", "p0"], "turku")
    assert {name: (one.label, one.source) for name, one in labels.items()} == {
        "came": ("4", "qa"),
        "p3": ("4", "qa"),
        "p5": ("4", "qa"),
        "p0": ("4>s", "judgements"),
    }
    assert labels["p3"].labels == ("4s",), "what was said before stays beside it"
    assert chosen(connection, project, "", "s") == ["p0"]


def test_a_later_consensus_wins_and_a_later_round_wins_again(connection: Connection, project: Project) -> None:
    make_round(connection, project)
    judged(connection, "round", "cleo", {"p3": "3"})
    team = Judgement(id="d", pair="p3", value="2", kind="consensus", scheme="turku", annotator="carl")
    connection.execute(insert(schema.judgements), [row_of(team)])
    assert labels_of(connection, ["p3"], "turku")["p3"].label == "2"
    put_together(connection, project, plan_qa("twos", None), choose_qa(connection, project, TURKU, "2"))
    judged(connection, "twos", "anna", {"p3": "1"})
    told = labels_of(connection, ["p3"], "turku")["p3"]
    assert (told.label, told.source, told.open) == ("1", "qa", False)


def test_changed_and_taken_back(connection: Connection, project: Project) -> None:
    make_round(connection, project)
    of = batch(connection, "round")
    (first,) = judged(connection, "round", "cleo", {"p3": "3"})
    assert round_of(connection, of).changes == {"4s → 3": 1}
    undo(connection, "cleo", first.id, "back")
    assert round_of(connection, of) == Round(5, 0, 0, {})
    assert labels_of(connection, ["p3"], "turku")["p3"].label == "4s"
    judged(connection, "round", "cleo", {"p3": "4s"})
    assert round_of(connection, of) == Round(5, 1, 0, {})


def test_a_round_settles_what_is_open(connection: Connection, project: Project) -> None:
    batch_of(connection, "all", asked=1, purpose="qa")
    assert labels_of(connection, ["p4"], "turku")["p4"].open
    judged(connection, "all", "cleo", {"p4": "3"})
    told = labels_of(connection, ["p4"], "turku")["p4"]
    assert (told.label, told.open, told.labels) == ("3", False, ("2", "4"))
    assert round_of(connection, batch(connection, "all")).changes == {"open → 3": 1}
