"""The second annotator sees only pairs to which the first gave certain answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, select

from otherwords.analyse.dashboard.progress import batch_states
from otherwords.annotate.adjudication.disagreements import Resolution, cases, settled
from otherwords.annotate.batches.batch import BatchRules, load_batch
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import undo
from otherwords.annotate.work.tasks import batch_progress
from otherwords.project import Project
from otherwords.project.ledger import schema
from tests.annotate.disputed import batch_of, judged, put_pairs, say, taken

SEES = ["Positive", "Negative"]


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        put_pairs(connection)
        batch_of(connection, "pool", 4, scheme="suzuki", rules=BatchRules(second_sees=SEES))
        yield connection


def slots(connection: Connection, name: str = "pool") -> list[tuple[str, int]]:
    table = schema.slots
    rows = connection.execute(select(table.c.item, table.c.number).where(table.c.batch == name))
    return sorted((row.item, row.number) for row in rows)


FIRSTS = [(f"p{number}", 0) for number in range(4)]


def test_only_pairs_with_such_an_answer_go_to_a_second(connection: Connection) -> None:
    assert slots(connection) == FIRSTS
    values = {"p0": "Positive", "p1": "Unnatural", "p2": "Negative", "p3": "Other"}
    judged(connection, "pool", "anna", values)
    assert slots(connection) == sorted([*FIRSTS, ("p0", 1), ("p2", 1)])
    assert taken(connection, "pool", "anna") == {}, "nobody is the second to themselves"
    assert list(taken(connection, "pool", "ben")) == ["p0", "p2"]
    judged(connection, "pool", "ben", {"p0": "Positive", "p2": "Other"})
    all_cases = cases(connection, load_batch(connection, "pool"), load_scheme("suzuki"))
    assert settled(all_cases) == Resolution(
        pairs=4, complete=4, agreed=1, disagreeing=1, decided=0, waiting=1, unsure=0
    ), "one person alone agrees with nobody"
    (state,) = batch_states(connection)
    assert (state.items, state.slots, state.done) == (4, 6, 6)
    progress = batch_progress(connection, load_batch(connection, "pool"), "ben")
    assert (progress.done, progress.asked, progress.mine, progress.for_me) == (6, 6, 2, 2), "no second of p1 and p3"


def test_changing_ones_mind_creates_or_removes_the_second(connection: Connection) -> None:
    reservations = taken(connection, "pool", "anna")
    first = say(connection, "anna", reservations["p0"], "Positive")
    second = say(connection, "anna", reservations["p0"], "Other", supersedes=first.id)
    assert slots(connection) == FIRSTS
    again = say(connection, "anna", reservations["p0"], "Negative", supersedes=second.id)
    assert ("p0", 1) in slots(connection)
    same = say(connection, "anna", reservations["p0"], "Positive", supersedes=again.id, key="again")
    assert slots(connection) == sorted([*FIRSTS, ("p0", 1)]), "there is one second slot, however often"
    undo(connection, "anna", same.id, "back")
    assert slots(connection) == FIRSTS


def test_a_second_that_somebody_holds_stays(connection: Connection) -> None:
    (first,) = judged(connection, "pool", "anna", {"p0": "Positive"})
    assert "p0" in taken(connection, "pool", "ben")
    undo(connection, "anna", first.id, "back")
    assert ("p0", 1) in slots(connection)
    (second,) = judged(connection, "pool", "ben", {"p0": "Negative"})
    assert second.value == "Negative"


def test_flags_of_an_answer_are_ignored(connection: Connection) -> None:
    batch_of(connection, "flagged", 2, rules=BatchRules(second_sees=["4"]))
    judged(connection, "flagged", "anna", {"p0": "4>s", "p1": "3"})
    assert slots(connection, "flagged") == [("p0", 0), ("p0", 1), ("p1", 0)]


def test_seconds_are_assigned_if_slots_are(connection: Connection) -> None:
    rules = BatchRules(second_sees=SEES, assigned=True, people=["anna", "ben", "cleo"])
    batch_of(connection, "dealt", 3, scheme="suzuki", rules=rules)
    firsts = {name: list(taken(connection, "dealt", name)) for name in rules.people}
    for name, pairs in firsts.items():
        judged(connection, "dealt", name, dict.fromkeys(pairs, "Positive"))
    seconds = {name: list(taken(connection, "dealt", name)) for name in rules.people}
    assert sorted(pair for pairs in seconds.values() for pair in pairs) == ["p0", "p1", "p2"]
    assert all(not set(firsts[name]) & set(seconds[name]) for name in rules.people)
