"""One person works on a unit at a time; time that has run out is somebody else's chance, and never a name is told."""

from __future__ import annotations

import re
import threading
import time

import pytest
from sqlalchemy import select

from otherwords.annotate import holding
from otherwords.errors import Conflict
from otherwords.project import Project, schema
from tests.annotate.reading import rows, time_runs_out


def held(project: Project) -> dict[str, str]:
    return {row["item"]: row["holder"] for row in rows(project, schema.holds)}


def test_what_somebody_holds_nobody_else_gets(project: Project) -> None:
    with project.ledger.writing() as connection:
        holding.hold(connection, "extract", "ab", "anna")
        with pytest.raises(Conflict) as refused:
            holding.hold(connection, "extract", "ab", "ben")
        assert re.fullmatch(r"somebody else works on this until \d\d:\d\d UTC; take another one", str(refused.value))
        holding.hold(connection, "triage", "ab", "ben")  # other work on the same unit
        assert holding.holder_of(connection, "extract", "ab") == "anna"
        assert holding.holder_of(connection, "extract", "cd") is None


def test_the_message_tells_the_end_of_the_hold(project: Project) -> None:
    with project.ledger.writing() as connection:
        holding.hold(connection, "extract", "ab", "anna", seconds=3600)
        until = connection.execute(select(schema.holds.c.until)).scalar_one()
        with pytest.raises(Conflict, match=time.strftime("%H:%M UTC", time.gmtime(until))):
            holding.hold(connection, "extract", "ab", "ben")
        assert until == pytest.approx(time.time() + 3600, abs=60)


def test_holding_again_renews(project: Project) -> None:
    with project.ledger.writing() as connection:
        holding.hold(connection, "extract", "ab", "anna", seconds=10)
        holding.hold(connection, "extract", "ab", "anna", seconds=5000)
        [until] = connection.execute(select(schema.holds.c.until)).scalars()
        assert until > time.time() + 4000
        holding.renew(connection, "extract", "ab", "anna", seconds=9000)
        [until] = connection.execute(select(schema.holds.c.until)).scalars()
        assert until > time.time() + 8000


def test_what_has_run_out_is_still_mine_until_somebody_takes_it(project: Project) -> None:
    with project.ledger.writing() as connection:
        holding.hold(connection, "extract", "ab", "anna", seconds=-1)
        assert holding.holder_of(connection, "extract", "ab") is None
        assert holding.has(connection, "extract", "ab", "anna")
        holding.renew(connection, "extract", "ab", "anna", seconds=-1)
        holding.hold(connection, "extract", "ab", "ben")
        assert not holding.has(connection, "extract", "ab", "anna")
        with pytest.raises(Conflict, match="somebody else works on this"):
            holding.renew(connection, "extract", "ab", "anna")


def test_what_one_never_had_is_not_renewed(project: Project) -> None:
    with project.ledger.writing() as connection:
        with pytest.raises(Conflict, match="open it again"):
            holding.renew(connection, "extract", "ab", "anna")
        holding.hold(connection, "extract", "ab", "ben", seconds=-1)
        with pytest.raises(Conflict, match="not yours"):
            holding.renew(connection, "extract", "ab", "anna")
    assert held(project) == {"ab": "ben"}


def test_one_gives_back_only_what_one_has(project: Project) -> None:
    with project.ledger.writing() as connection:
        holding.hold(connection, "extract", "ab", "anna")
        holding.release(connection, "extract", "ab", "ben")
        holding.release(connection, "triage", "ab", "anna")
    assert held(project) == {"ab": "anna"}
    with project.ledger.writing() as connection:
        holding.release(connection, "extract", "ab", "anna")
    assert held(project) == {}


def test_of_several_those_are_taken_that_can_be_had(project: Project) -> None:
    with project.ledger.writing() as connection:
        holding.hold(connection, "seed", "b", "ben")
        assert holding.take(connection, "seed", ["c", "b", "a"], "anna") == ["c", "a"]
        assert holding.take(connection, "seed", [], "anna") == []


def test_a_queue_leaves_out_what_others_hold(project: Project) -> None:
    with project.ledger.writing() as connection:
        holding.take(connection, "seed", ["a", "b"], "anna")
        holding.take(connection, "seed", ["c"], "ben")
        holding.take(connection, "seed", ["d"], "ben", seconds=-1)
        holding.take(connection, "other", ["e"], "ben")
        found = connection.execute(holding.held_by_others("seed", "anna", time.time())).scalars()
        assert set(found) == {"c"}
        assert set(connection.execute(holding.held_by("seed", "ben")).scalars()) == {"c", "d"}
        assert set(connection.execute(holding.held_by_others("seed", "anna", time.time() + 9999)).scalars()) == set()


def test_of_many_who_ask_at_once_one_gets_it(project: Project) -> None:
    got: list[str] = []
    start = threading.Barrier(6)

    def ask(name: str) -> None:
        start.wait()
        with project.ledger.writing() as connection:
            if holding.take(connection, "seed", ["a", "b"], name):
                got.append(name)

    for _ in range(3):
        time_runs_out(project)
        got.clear()
        asking = [threading.Thread(target=ask, args=(f"p{number}",)) for number in range(6)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        assert len(got) == 1
        assert set(held(project).values()) == set(got)
