"""The one writer: what fails fails alone, and nobody hears of a success before it is safe."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, insert, select

from otherwords.errors import LedgerError, Refused
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.web.writer import Writer

SECONDS = 60.0  # far more than anything here takes


@pytest.fixture
def writer(project: Project) -> Iterator[Writer]:
    running = Writer(project.ledger, lambda connection, answers: [], lambda name: None, lambda *arguments: True)  # type: ignore
    yield running
    running.close()


def note(connection: Connection, action: str) -> str:
    connection.execute(insert(schema.events).values(time=now(), action=action, detail={}))
    return action


def noted_actions(project: Project) -> set[str]:
    with project.ledger.reading() as connection:
        return set(connection.execute(select(schema.events.c.action)).scalars())


def test_what_is_done_is_there(project: Project, writer: Writer) -> None:
    with ThreadPoolExecutor(16) as pool:
        names = [f"e{number}" for number in range(100)]
        assert (
            list(pool.map(lambda name: writer.do(lambda connection: note(connection, name)), names, timeout=SECONDS))
            == names
        )
    assert noted_actions(project) == set(names)


@pytest.mark.parametrize("problem", [Refused("no"), KeyError("a mistake of ours"), LedgerError("in the way")])
def test_one_that_fails_takes_no_other_with_it(project: Project, writer: Writer, problem: Exception) -> None:
    gate = threading.Event()

    def fail(connection: Connection) -> None:
        note(connection, "half")
        raise problem

    with ThreadPoolExecutor(16) as pool:
        first = pool.submit(writer.do, lambda connection: gate.wait(5))  # so that all others are one group
        good = [
            pool.submit(writer.do, lambda connection, number=number: note(connection, f"e{number}"))
            for number in range(5)
        ]
        bad = pool.submit(writer.do, fail)
        more = [
            pool.submit(writer.do, lambda connection, number=number: note(connection, f"f{number}"))
            for number in range(5)
        ]
        gate.set()
        first.result(SECONDS)
        with pytest.raises(type(problem)):
            bad.result(SECONDS)
        assert {errand.result(SECONDS) for errand in good + more} == noted_actions(project)
    assert "half" not in noted_actions(project)


def test_what_was_in_the_way_is_tried_again(project: Project, writer: Writer) -> None:
    tries = []

    def twice(connection: Connection) -> str:
        tries.append(1)
        if len(tries) < 3:
            raise LedgerError("deadlock detected")
        return note(connection, "third")

    assert writer.do(twice) == "third"
    assert noted_actions(project) == {"third"}


def test_requests_of_a_kind_are_worked_on_together_and_fail_alone(project: Project, writer: Writer) -> None:
    sizes: list[int] = []

    def work(connection: Connection, names: list[str]) -> list[str | Refused]:
        sizes.append(len(names))
        if "mistake" in names:
            raise KeyError("a mistake of ours")
        return [Refused("no") if name == "bad" else note(connection, name) for name in names]

    async def ask(gate: threading.Event, names: tuple[str, ...]) -> list[object]:
        waiting = [writer.submit_joint(work, name) for name in names]
        gate.set()
        return list(await asyncio.gather(*waiting, return_exceptions=True))

    def together(*names: str) -> list[object]:
        begun, gate = threading.Event(), threading.Event()
        with ThreadPoolExecutor(2) as pool:  # no loop runs in its threads, whatever other tests have left behind
            first = pool.submit(writer.do, lambda connection: begun.set() or gate.wait(SECONDS))
            begun.wait(SECONDS)  # so that all others are one group
            results = pool.submit(lambda: asyncio.run(ask(gate, names))).result(SECONDS)
            first.result(SECONDS)
        return results

    assert [str(result) for result in together("a", "bad", "b")] == ["a", "no", "b"]
    assert sizes == [3]
    results = together("c", "mistake", "d")
    assert [type(result).__name__ for result in results] == ["str", "KeyError", "str"]
    assert noted_actions(project) == {"a", "b", "c", "d"}
