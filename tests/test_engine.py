"""One function over many shards: in order, lazily, and with the error of the shard that failed."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from otherwords.engine import Engine, cores
from otherwords.errors import MissingExtra


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("engine", [Engine(1), Engine(4), Engine(), Engine(2, "processes")])
def test_results_come_in_the_order_of_the_shards(engine: Engine) -> None:
    assert list(engine.map(square, range(20))) == [number * number for number in range(20)]
    assert list(engine.map(square, [])) == []


def test_shards_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def shards() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    results = Engine(2).map(square, shards())
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert len(taken) < 10


def test_the_error_of_a_shard_is_the_error_of_the_run() -> None:
    started = threading.Event()

    def fail(number: int) -> int:
        started.set()
        if number == 3:
            raise ZeroDivisionError(str(number))
        return number

    results = Engine(2).map(fail, range(10))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ZeroDivisionError, match="3"):
        next(results)
    assert started.is_set()


def missing(number: int) -> int:
    raise MissingExtra("figures", f"shard {number}")


def test_an_error_comes_back_from_another_process_as_it_was() -> None:
    with pytest.raises(MissingExtra, match="shard 0 needs an optional package") as problem:
        list(Engine(2, "processes").map(missing, range(2)))
    assert (problem.value.code, problem.value.extra) == ("missing-extra", "figures")


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1
