"""What is kept for a while, and for how long."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from otherwords.web import remembered
from otherwords.web.remembered import TIMES, Remembered
from tests.web.persons import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(remembered.time, "monotonic", clock)
    return clock


def test_a_result_is_kept_as_long_as_it_was_dear(clock: Clock) -> None:
    made: list[int] = []

    def slowly() -> int:
        clock.wait(2)
        made.append(len(made))
        return made[-1]

    kept = Remembered()
    assert [kept.get("table", slowly) for _ in range(3)] == [0, 0, 0]
    clock.wait(2 * TIMES - 1)
    assert kept.get("table", slowly) == 0
    clock.wait(1)
    assert kept.get("table", slowly) == 1


def test_what_costs_nothing_is_always_new(clock: Clock) -> None:
    kept, made = Remembered(), iter(range(9))
    assert [kept.get("table", lambda: next(made)) for _ in range(3)] == [0, 1, 2]
    assert kept.get("other", lambda: "x") == "x"


def test_a_failure_is_not_kept(clock: Clock) -> None:
    kept = Remembered()
    with pytest.raises(ZeroDivisionError):
        kept.get("table", lambda: 1 // 0)
    assert kept.get("table", lambda: 7) == 7


def test_of_many_who_come_at_once_one_works_it_out() -> None:
    kept, together, made = Remembered(), Barrier(5), list[int]()

    def slowly() -> int:
        made.append(1)
        return sum(number * number for number in range(400_000))

    def ask(_: int) -> int:
        together.wait(30)
        return kept.get("table", slowly)

    with ThreadPoolExecutor(5) as threads:
        assert len(set(threads.map(ask, range(5)))) == 1
    assert len(made) == 1
