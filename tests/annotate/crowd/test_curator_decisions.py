"""Decisions about workers that arrive twice, at once, late or by mistake, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from otherwords.annotate.batches.batch import BatchRules, Gate, HiddenTests
from otherwords.annotate.crowd.curator_decisions import decide_on_worker
from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.rewrites import Rewrite
from otherwords.annotate.work.answers import undo
from otherwords.annotate.work.reservations import WorkerPaused, reserve
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from tests.annotate.crowd_batch import TESTS, crowd_batch, events, gold_of, work
from tests.annotate.disputed import batch_of, judged, put_pairs, say, taken
from tests.web.persons import at_once


def values(connection: Connection, name: str) -> dict[str, Any]:
    """The current judgements of somebody, by pair."""
    table = schema.judgements
    rows = connection.execute(select(table.c.pair, table.c.value).where(table.c.annotator == name, is_current()))
    return {row.pair: row.value for row in rows}


@pytest.mark.parametrize("decision", ["kept", "paused", "voided"])
def test_a_decision_that_several_servers_receive_is_made_once(project: Project, decision: str) -> None:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "team")
        judged(connection, "team", "anna", {"p0": "4"})
    same = [lambda connection: decide_on_worker(connection, "team", "anna", decision, "carl", "k")] * 6
    first, *others = at_once(project, *same)
    assert others == [first] * 5
    with project.ledger.reading() as connection:
        assert [action for _, action, _ in events(connection)] == [f"crowd {decision}"]


def test_voided_work_that_others_only_reserved_is_restored(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 4, tests=HiddenTests(pairs=TESTS[:1], every=100))
    judgements = [
        judgement for judgement in work(connection, handles, "zoe", lambda held: "4") if judgement.purpose != "gold"
    ]
    decide_on_worker(connection, "crowd", "zoe", "voided", "carl", "k")
    assert len([held for held in reserve(connection, "crowd", "wim", 5, handles) if gold_of(held.item) is None]) == 4
    connection.execute(update(schema.slots).where(schema.slots.c.holder == "wim").values(until=1.0))
    decision = decide_on_worker(connection, "crowd", "zoe", "unvoided", "carl", "k2")
    assert (decision["judgements"], decision["redone"]) == (4, 0)
    stand = {pair: value for pair, value in values(connection, "zoe").items() if gold_of(pair) is None}
    assert stand == {judgement.pair: judgement.value for judgement in judgements}
    assert [held for held in reserve(connection, "crowd", "wim", 5, handles) if gold_of(held.item) is None] == []


def rewritten(connection: Connection) -> list[str]:
    pair = schema.pairs
    return list(connection.execute(select(pair.c.text1).where(pair.c.method == "rewrite", PRESENT)).scalars())


def test_rewrites_are_removed_and_restored_with_their_judgements(connection: Connection) -> None:
    put_pairs(connection)
    batch_of(connection, "team", 2)
    reservations = taken(connection, "team", "anna")
    say(connection, "anna", reservations["p0"], "3", rewrites=[Rewrite("Lamps were lit.", "Somebody lit lamps.", "4")])
    say(connection, "anna", reservations["p1"], "2")
    before = values(connection, "anna")
    assert len(before) == 3
    for turn in range(2):
        decide_on_worker(connection, "team", "anna", "voided", "carl", f"v{turn}")
        assert (values(connection, "anna"), rewritten(connection)) == ({}, [])
        decision = decide_on_worker(connection, "team", "anna", "unvoided", "carl", f"u{turn}")
        assert decision["redone"] == 0
        assert (values(connection, "anna"), rewritten(connection)) == (before, ["Lamps were lit."])
    table = schema.judgements
    last = connection.execute(select(table.c.id).where(table.c.pair == "p0", is_current())).scalar_one()
    undo(connection, "anna", last, "undone")
    assert rewritten(connection) == []


def test_voided_pairs_are_for_others_in_any_batch(connection: Connection) -> None:
    put_pairs(connection)
    batch_of(connection, "team", 3)
    judged(connection, "team", "anna", {"p0": "4", "p1": "4"})
    decide_on_worker(connection, "team", "anna", "voided", "carl", "k")
    assert set(taken(connection, "team", "anna")) == {"p2"}
    assert set(taken(connection, "team", "ben")) == {"p0", "p1", "p2"}


def test_a_second_annotator_waits_for_a_first_one_whose_work_counts(connection: Connection) -> None:
    put_pairs(connection)
    batch_of(connection, "team", 2, rules=BatchRules(second_sees=["4"]))
    judged(connection, "team", "anna", {"p0": "4", "p1": "1"})
    decide_on_worker(connection, "team", "anna", "voided", "carl", "k")
    assert set(taken(connection, "team", "ben")) == {"p0", "p1"}
    assert set(taken(connection, "team", "cora")) == set()
    judged(connection, "team", "ben", {"p0": "1", "p1": "4"})
    assert set(taken(connection, "team", "cora")) == {"p1"}


def test_a_resumed_worker_is_weighed_by_later_answers(connection: Connection, handles: SlotHandles) -> None:
    gate = Gate(window=8, fewest_tests=2, fewest_shared=8, accuracy=0.6)
    crowd_batch(connection, 40, tests=HiddenTests(pairs=TESTS, every=2), gate=gate)
    right = work(connection, handles, "zoe", lambda held: gold_of(held.item) or "4", 6, at_once=1)
    assert 2 <= sum(judgement.purpose == "gold" for judgement in right) <= 6
    decide_on_worker(connection, "crowd", "zoe", "paused", "carl", "k")
    decide_on_worker(connection, "crowd", "zoe", "resumed", "carl", "k2")
    with pytest.raises(WorkerPaused):
        work(
            connection, handles, "zoe", lambda held: {"1": "4", "4": "1"}.get(gold_of(held.item) or "", "4"), at_once=1
        )
    assert events(connection)[-1][2]["reasons"] == ["0 % of the last 2 tests right, not more than 60 %"]
