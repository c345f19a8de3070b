"""One person works on a unit at a time; an expired lock can be taken, and the holder is never named."""

from __future__ import annotations

import re
import threading
import time

import pytest
from sqlalchemy import select

from otherwords.annotate.documents import locks
from otherwords.project import Project
from otherwords.project.ledger import schema
from tests.annotate.reading import rows, time_runs_out
from tests.errors import raises
from tests.processes import SECONDS, join_all


def held(project: Project) -> dict[str, str]:
    return {row["item"]: row["holder"] for row in rows(project, schema.holds)}


def test_a_held_unit_is_refused_to_others(project: Project) -> None:
    with project.ledger.writing() as connection:
        locks.hold(connection, "extract", "ab", "anna")
        with raises("held-by-somebody-else") as refused:
            locks.hold(connection, "extract", "ab", "ben")
        assert re.fullmatch(r"somebody else works on this until \d\d:\d\d UTC; take another one", str(refused.value))
        locks.hold(connection, "triage", "ab", "ben")  # other work on the same unit
        assert locks.holder_of(connection, "extract", "ab") == "anna"
        assert locks.holder_of(connection, "extract", "cd") is None


def test_the_message_says_when_the_lock_expires(project: Project) -> None:
    with project.ledger.writing() as connection:
        locks.hold(connection, "extract", "ab", "anna", seconds=3600)
        until = connection.execute(select(schema.holds.c.until)).scalar_one()
        with raises("held-by-somebody-else", match=time.strftime("%H:%M UTC", time.gmtime(until))):
            locks.hold(connection, "extract", "ab", "ben")
        assert until == pytest.approx(time.time() + 3600, abs=60)


def test_holding_again_renews(project: Project) -> None:
    with project.ledger.writing() as connection:
        locks.hold(connection, "extract", "ab", "anna", seconds=10)
        locks.hold(connection, "extract", "ab", "anna", seconds=5000)
        [until] = connection.execute(select(schema.holds.c.until)).scalars()
        assert until > time.time() + 4000
        locks.renew(connection, "extract", "ab", "anna", seconds=9000)
        [until] = connection.execute(select(schema.holds.c.until)).scalars()
        assert until > time.time() + 8000


def test_an_expired_lock_is_kept_until_somebody_else_takes_it(project: Project) -> None:
    with project.ledger.writing() as connection:
        locks.hold(connection, "extract", "ab", "anna", seconds=-1)
        assert locks.holder_of(connection, "extract", "ab") is None
        assert locks.has(connection, "extract", "ab", "anna")
        locks.renew(connection, "extract", "ab", "anna", seconds=-1)
        locks.hold(connection, "extract", "ab", "ben")
        assert not locks.has(connection, "extract", "ab", "anna")
        with raises("held-by-somebody-else"):
            locks.renew(connection, "extract", "ab", "anna")


def test_a_lock_that_was_never_held_is_not_renewed(project: Project) -> None:
    with project.ledger.writing() as connection:
        with raises("not-held"):
            locks.renew(connection, "extract", "ab", "anna")
        locks.hold(connection, "extract", "ab", "ben", seconds=-1)
        with raises("not-held"):
            locks.renew(connection, "extract", "ab", "anna")
    assert held(project) == {"ab": "ben"}


def test_only_own_locks_are_released(project: Project) -> None:
    with project.ledger.writing() as connection:
        locks.hold(connection, "extract", "ab", "anna")
        locks.release(connection, "extract", "ab", "ben")
        locks.release(connection, "triage", "ab", "anna")
    assert held(project) == {"ab": "anna"}
    with project.ledger.writing() as connection:
        locks.release(connection, "extract", "ab", "anna")
    assert held(project) == {}


def test_only_free_units_are_taken(project: Project) -> None:
    with project.ledger.writing() as connection:
        locks.hold(connection, "seed", "b", "ben")
        assert locks.take(connection, "seed", ["c", "b", "a"], "anna") == ["c", "a"]
        assert locks.take(connection, "seed", [], "anna") == []


def test_a_queue_leaves_out_what_others_hold(project: Project) -> None:
    with project.ledger.writing() as connection:
        locks.take(connection, "seed", ["a", "b"], "anna")
        locks.take(connection, "seed", ["c"], "ben")
        locks.take(connection, "seed", ["d"], "ben", seconds=-1)
        locks.take(connection, "other", ["e"], "ben")
        found = connection.execute(locks.held_by_others("seed", "anna", time.time())).scalars()
        assert set(found) == {"c"}
        assert set(connection.execute(locks.held_by("seed", "ben")).scalars()) == {"c", "d"}
        assert set(connection.execute(locks.held_by_others("seed", "anna", time.time() + 9999)).scalars()) == set()


def test_of_many_concurrent_requests_one_gets_the_lock(project: Project) -> None:
    got: list[str] = []
    start = threading.Barrier(6)

    def ask(name: str) -> None:
        start.wait(SECONDS)
        with project.ledger.writing() as connection:
            if locks.take(connection, "seed", ["a", "b"], name):
                got.append(name)

    for _ in range(3):
        time_runs_out(project)
        got.clear()
        asking = [threading.Thread(target=ask, args=(f"p{number}",)) for number in range(6)]
        for thread in asking:
            thread.start()
        join_all(asking)
        assert len(got) == 1
        assert set(held(project).values()) == set(got)
