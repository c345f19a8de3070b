"""The second annotator sees only what the first gave certain answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, select

from otherwords.analyse.progress import batch_states
from otherwords.annotate.batches import Rules, batch
from otherwords.annotate.disagreements import Settled, cases, settled
from otherwords.annotate.schemes import scheme
from otherwords.annotate.undoing import undo
from otherwords.annotate.working import progress
from otherwords.project import Project, schema
from tests.annotate.disputed import batch_of, judged, put_pairs, say, taken

SEES = ["Positive", "Negative"]


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "pool", 4, scheme="suzuki", rules=Rules(second_sees=SEES))
        yield connection


def slots(connection: Connection, name: str = "pool") -> list[tuple[str, int]]:
    one = schema.slots
    rows = connection.execute(select(one.c.item, one.c.number).where(one.c.batch == name))
    return sorted((row.item, row.number) for row in rows)


FIRSTS = [(f"p{number}", 0) for number in range(4)]


def test_only_what_has_such_an_answer_goes_to_a_second(connection: Connection) -> None:
    assert slots(connection) == FIRSTS
    values = {"p0": "Positive", "p1": "Unnatural", "p2": "Negative", "p3": "Other"}
    judged(connection, "pool", "anna", values)
    assert slots(connection) == sorted([*FIRSTS, ("p0", 1), ("p2", 1)])
    assert taken(connection, "pool", "anna") == {}, "nobody is the second to themselves"
    assert list(taken(connection, "pool", "ben")) == ["p0", "p2"]
    judged(connection, "pool", "ben", {"p0": "Positive", "p2": "Other"})
    found = cases(connection, batch(connection, "pool"), scheme("suzuki"))
    assert settled(found) == Settled(pairs=4, complete=4, agreed=3, disagreeing=1, decided=0, waiting=1, unsure=0)
    (state,) = batch_states(connection)
    assert (state.items, state.slots, state.done) == (4, 6, 6)
    assert progress(connection, batch(connection, "pool"), "ben").asked == 6


def test_who_changes_their_mind_makes_or_withdraws_the_second(connection: Connection) -> None:
    mine = taken(connection, "pool", "anna")
    first = say(connection, "anna", mine["p0"], "Positive")
    other = say(connection, "anna", mine["p0"], "Other", supersedes=first.id)
    assert slots(connection) == FIRSTS
    again = say(connection, "anna", mine["p0"], "Negative", supersedes=other.id)
    assert ("p0", 1) in slots(connection)
    same = say(connection, "anna", mine["p0"], "Positive", supersedes=again.id, key="again")
    assert slots(connection) == sorted([*FIRSTS, ("p0", 1)]), "there is one second, however often"
    undo(connection, "anna", same.id, "back")
    assert slots(connection) == FIRSTS


def test_a_second_that_somebody_has_stays(connection: Connection) -> None:
    (first,) = judged(connection, "pool", "anna", {"p0": "Positive"})
    assert "p0" in taken(connection, "pool", "ben")
    undo(connection, "anna", first.id, "back")
    assert ("p0", 1) in slots(connection)
    (second,) = judged(connection, "pool", "ben", {"p0": "Negative"})
    assert second.value == "Negative"


def test_an_answer_with_the_same_beginning_is_another_one(connection: Connection) -> None:
    batch_of(connection, "flagged", 2, rules=Rules(second_sees=["4"]))
    judged(connection, "flagged", "anna", {"p0": "4>s", "p1": "3"})
    assert slots(connection, "flagged") == [("p0", 0), ("p0", 1), ("p1", 0)]


def test_where_pairs_are_dealt_out_the_second_is_too(connection: Connection) -> None:
    rules = Rules(second_sees=SEES, assigned=True, people=["anna", "ben", "cleo"])
    batch_of(connection, "dealt", 3, scheme="suzuki", rules=rules)
    firsts = {name: list(taken(connection, "dealt", name)) for name in rules.people}
    for name, pairs in firsts.items():
        judged(connection, "dealt", name, dict.fromkeys(pairs, "Positive"))
    seconds = {name: list(taken(connection, "dealt", name)) for name in rules.people}
    assert sorted(pair for pairs in seconds.values() for pair in pairs) == ["p0", "p1", "p2"]
    assert all(not set(firsts[name]) & set(seconds[name]) for name in rules.people)
