"""Decisions about workers that come twice, at once, late or by mistake, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from otherwords.annotate.batches import Gate, HiddenTests, Rules
from otherwords.annotate.concealing import Concealing
from otherwords.annotate.crowd_decisions import decide
from otherwords.annotate.rewriting import Rewrite
from otherwords.annotate.standing import stands
from otherwords.annotate.taking import Paused, take
from otherwords.annotate.undoing import undo
from otherwords.project import Project, schema
from otherwords.project.rows import PRESENT
from tests.annotate.crowd import TESTS, crowd_batch, events, gold_of, work
from tests.annotate.disputed import batch_of, judged, put_pairs, say, taken
from tests.web.persons import at_once


def values(connection: Connection, name: str) -> dict[str, Any]:
    """What of somebody stands, by pair."""
    said = schema.judgements
    rows = connection.execute(select(said.c.pair, said.c.value).where(said.c.annotator == name, stands()))
    return {row.pair: row.value for row in rows}


@pytest.mark.parametrize("decision", ["kept", "paused", "voided"])
def test_one_decision_that_several_servers_get_is_made_once(project: Project, decision: str) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "team")
        judged(connection, "team", "anna", {"p0": "4"})
    same = [lambda connection: decide(connection, "team", "anna", decision, "carl", "k")] * 6
    first, *others = at_once(project, *same)
    assert others == [first] * 5
    with project.ledger.reading() as connection:
        assert [action for _, action, _ in events(connection)] == [f"crowd {decision}"]


def test_what_others_only_reserved_and_left_stands_again(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 4, tests=HiddenTests(pairs=TESTS[:1], every=100))
    made = [one for one in work(connection, of, "zoe", lambda one: "4") if one.purpose != "gold"]
    decide(connection, "crowd", "zoe", "voided", "carl", "k")
    assert len([one for one in take(connection, "crowd", "wim", 5, of) if gold_of(one.item) is None]) == 4
    connection.execute(update(schema.slots).where(schema.slots.c.holder == "wim").values(until=1.0))
    told = decide(connection, "crowd", "zoe", "unvoided", "carl", "k2")
    assert (told["judgements"], told["redone"]) == (4, 0)
    stand = {pair: value for pair, value in values(connection, "zoe").items() if gold_of(pair) is None}
    assert stand == {one.pair: one.value for one in made}
    assert [one for one in take(connection, "crowd", "wim", 5, of) if gold_of(one.item) is None] == []


def rewritten(connection: Connection) -> list[str]:
    pair = schema.pairs
    return list(connection.execute(select(pair.c.text1).where(pair.c.method == "rewrite", PRESENT)).scalars())


def test_rewrites_go_and_come_with_the_work_that_they_are_of(connection: Connection) -> None:
    put_pairs(connection)
    batch_of(connection, "team", 2)
    mine = taken(connection, "team", "anna")
    say(connection, "anna", mine["p0"], "3", rewrites=[Rewrite("Lamps were lit.", "Somebody lit lamps.", "4")])
    say(connection, "anna", mine["p1"], "2")
    before = values(connection, "anna")
    assert len(before) == 3
    for turn in range(2):
        decide(connection, "team", "anna", "voided", "carl", f"v{turn}")
        assert (values(connection, "anna"), rewritten(connection)) == ({}, [])
        told = decide(connection, "team", "anna", "unvoided", "carl", f"u{turn}")
        assert told["redone"] == 0
        assert (values(connection, "anna"), rewritten(connection)) == (before, ["Lamps were lit."])
    said = schema.judgements
    last = connection.execute(select(said.c.id).where(said.c.pair == "p0", stands())).scalar_one()
    undo(connection, "anna", last, "undone")
    assert rewritten(connection) == []


def test_voided_pairs_are_for_others_in_any_batch(connection: Connection) -> None:
    put_pairs(connection)
    batch_of(connection, "team", 3)
    judged(connection, "team", "anna", {"p0": "4", "p1": "4"})
    decide(connection, "team", "anna", "voided", "carl", "k")
    assert set(taken(connection, "team", "anna")) == {"p2"}
    assert set(taken(connection, "team", "ben")) == {"p0", "p1", "p2"}


def test_a_second_annotator_waits_for_a_first_one_whose_work_counts(connection: Connection) -> None:
    put_pairs(connection)
    batch_of(connection, "team", 2, rules=Rules(second_sees=["4"]))
    judged(connection, "team", "anna", {"p0": "4", "p1": "1"})
    decide(connection, "team", "anna", "voided", "carl", "k")
    assert set(taken(connection, "team", "ben")) == {"p0", "p1"}
    assert set(taken(connection, "team", "cora")) == set()
    judged(connection, "team", "ben", {"p0": "1", "p1": "4"})
    assert set(taken(connection, "team", "cora")) == {"p1"}


def test_who_was_let_on_is_weighed_by_what_they_say_from_then_on(connection: Connection, of: Concealing) -> None:
    gate = Gate(window=8, fewest_tests=2, fewest_shared=8, accuracy=0.6)
    crowd_batch(connection, 40, tests=HiddenTests(pairs=TESTS, every=2), gate=gate)
    right = work(connection, of, "zoe", lambda one: gold_of(one.item) or "4", 12, at_once=1)
    assert sum(one.purpose == "gold" for one in right) == 6
    decide(connection, "crowd", "zoe", "paused", "carl", "k")
    decide(connection, "crowd", "zoe", "resumed", "carl", "k2")
    with pytest.raises(Paused):
        work(connection, of, "zoe", lambda one: {"1": "4", "4": "1"}.get(gold_of(one.item) or "", "4"), at_once=1)
    assert events(connection)[-1][2]["reasons"] == ["0 % of the last 2 tests right, not more than 60 %"]
