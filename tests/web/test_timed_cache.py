"""What is kept for a while, and for how long."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from otherwords import withdraw
from otherwords.project import open_project
from otherwords.records import Judgement
from otherwords.web import site as remembered
from otherwords.web.site import KEPT_TIMES, TimedCache
from tests.annotate.reading import put
from tests.web.people import Person
from tests.web.persons import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(remembered.time, "monotonic", clock)
    return clock


def test_a_result_is_kept_as_long_as_it_was_dear(clock: Clock) -> None:
    calls: list[int] = []

    def slowly() -> int:
        clock.wait(2)
        calls.append(len(calls))
        return calls[-1]

    cache = TimedCache()
    assert [cache.get("table", slowly) for _ in range(3)] == [0, 0, 0]
    clock.wait(2 * KEPT_TIMES - 1)
    assert cache.get("table", slowly) == 0
    clock.wait(1)
    assert cache.get("table", slowly) == 1


def test_what_costs_nothing_is_always_new(clock: Clock) -> None:
    cache, numbers = TimedCache(), iter(range(9))
    assert [cache.get("table", lambda: next(numbers)) for _ in range(3)] == [0, 1, 2]
    assert cache.get("other", lambda: "x") == "x"


def test_a_failure_is_not_kept(clock: Clock) -> None:
    cache = TimedCache()
    with pytest.raises(ZeroDivisionError):
        cache.get("table", lambda: 1 // 0)
    assert cache.get("table", lambda: 7) == 7


def test_a_withdrawal_ends_what_is_kept(
    filled: Path, person: Callable[[str], Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "KEPT_TIMES", 1e9)
    with open_project(filled) as project:
        put(project, Judgement(id="j", pair="p0", value="4", annotator="anna", scheme="turku"))
    home = "/api/v1/home"
    assert "anna" in person("carl").get(home).text
    withdraw(filled, "anna", noun="annotator")
    assert "anna" not in person("carl").get(home).text


def test_of_many_who_come_at_once_one_works_it_out() -> None:
    cache, together, calls = TimedCache(), Barrier(5), list[int]()

    def slowly() -> int:
        calls.append(1)
        return sum(number * number for number in range(400_000))

    def ask(_: int) -> int:
        together.wait(30)
        return cache.get("table", slowly)

    with ThreadPoolExecutor(5) as threads:
        assert len(set(threads.map(ask, range(5), timeout=60))) == 1
    assert len(calls) == 1
