"""Limits hold before a call is made, over threads, runs and processes."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.digests import digest_number
from otherwords.models.asking import AskResult, ask
from otherwords.models.cache import AnswerCache
from otherwords.models.edges import Item
from otherwords.models.endpoints.budget import (
    SPENDING_FILE,
    Budget,
    BudgetUsedUp,
    CallCost,
    Limits,
    money,
    money_text,
    spending,
)
from otherwords.models.endpoints.openai import OpenaiGenerator, build_generator
from tests.errors import raises
from tests.models.endpoints.hostile import MODEL, Hostile, hostile_server, right_answer
from tests.processes import join_all

TEXTS = [f"The kettle number {number} sings." for number in range(200)]


def model(server: Hostile, options: str) -> OpenaiGenerator:
    edge = build_generator(f"{server.url}/v1#{MODEL}?{options}")
    edge.endpoint.sleep = lambda seconds: None
    return edge


def answered(edge: OpenaiGenerator, cache: AnswerCache | None = None, texts: list[str] = TEXTS) -> AskResult[str]:
    items = [Item(f"s{number}", text) for number, text in enumerate(texts)]
    return ask(edge, edge.generate, items, kind=str, cache=cache)


@given(
    calls=st.lists(st.tuples(st.integers(1, 50), st.integers(0, 50)), max_size=30),
    limit=st.integers(1, 300),
)
def test_spent_and_reserved_stay_within_the_limit(calls: list[tuple[int, int]], limit: int) -> None:
    """Each call reserves a bound and costs part of it; the sum is what the calls that were let through have cost."""
    budget, spent = Budget("model", Limits(units=limit)), 0
    for bound, used in calls:
        try:
            budget.reserve(CallCost(1, bound))
        except BudgetUsedUp:
            assert spent + bound > limit
            continue
        assert budget.total().units <= limit
        spent += min(bound, used)
        budget.settle(CallCost(1, bound), CallCost(1, min(bound, used)))
        assert budget.total().units == spent
    budget.close()


@pytest.mark.parametrize(
    ("limits", "word"),
    [(Limits(requests=3), "requests"), (Limits(units=35), "tokens"), (Limits(money=3_500), "money")],
)
def test_each_limit_by_itself(limits: Limits, word: str) -> None:
    budget, cost = Budget("model", limits), CallCost(1, 10, 1000)
    for _ in range(3):
        budget.reserve(cost)
        budget.settle(cost, cost)
    with raises("budget-used-up", word):
        budget.reserve(cost)
    assert budget.total() == CallCost(3, 30, 3000)


def test_a_call_waits_for_what_others_give_back() -> None:
    budget, bound = Budget("model", Limits(units=100)), CallCost(1, 80)
    budget.reserve(bound)
    waiting = threading.Thread(target=budget.reserve, args=(bound,), daemon=True)
    waiting.start()
    budget.settle(bound, CallCost(1, 20))
    join_all([waiting])
    assert budget.total() == CallCost(2, 100)


def test_a_call_that_cannot_fit_does_not_wait() -> None:
    budget = Budget("model", Limits(units=100))
    budget.reserve(CallCost(1, 80))
    with raises("budget-used-up"):
        budget.reserve(CallCost(1, 101))


def test_threads_of_two_runs_share_a_limit(tmp_path: Path) -> None:
    """Two budgets on one file, as two processes have them, and 32 threads on each."""
    budgets = [Budget("model", Limits(units=1000), tmp_path / "spending.sqlite") for _ in range(2)]
    allowed: Counter[str] = Counter()

    def spend(number: int) -> None:
        budget, bound = budgets[number % 2], CallCost(1, 7)
        try:
            budget.reserve(bound)
        except BudgetUsedUp:
            return
        allowed.update(["calls"])
        budget.settle(bound, bound)

    with ThreadPoolExecutor(64) as pool:
        list(pool.map(spend, range(300)))
    assert budgets[0].total() == budgets[1].total()
    assert budgets[0].total().units == 7 * allowed["calls"] == 994


def test_a_killed_run_leaves_its_calls_counted(tmp_path: Path) -> None:
    path = tmp_path / "spending.sqlite"
    budget = Budget("model", Limits(units=100), path)
    budget.reserve(CallCost(1, 60))
    budget.close()
    with raises("budget-used-up"):
        Budget("model", Limits(units=100), path).reserve(CallCost(1, 60))
    Budget("another", Limits(units=100), path).reserve(CallCost(1, 60))
    assert path.stat().st_mode & 0o077 == 0


def test_a_file_that_is_no_budget(tmp_path: Path) -> None:
    path = tmp_path / "spending.sqlite"
    path.write_text("not a database, but long enough to be read as the header of one" * 20)
    with raises("spending-unusable"):
        Budget("model", Limits(), path)


def test_what_was_spent_by_endpoint(tmp_path: Path) -> None:
    assert spending(tmp_path) == []
    path = tmp_path / SPENDING_FILE
    Budget("never asked", Limits(), path)
    Budget("one", Limits(), path).reserve(CallCost(2, 30, 1_500_000_000))
    Budget("two", Limits(unit="characters"), path).reserve(CallCost(1, 5, 70))
    rows = [(row.endpoint, row.requests, row.units, row.unit, row.money) for row in spending(tmp_path)]
    assert rows == [("one", 2, 30, "tokens", "1.5"), ("two", 1, 5, "characters", "0.00000007")]
    assert money_text(10**12) == "1,000"


def test_money_is_rounded_up() -> None:
    assert [money(1, 0.15), money(3, 0.0001), money(10**6, 2.5), money(0, 2.5)] == [150, 1, 2_500_000_000, 0]


def test_sixty_four_calls_at_once() -> None:
    with hostile_server() as server:
        server.together = threading.Barrier(64)
        result = answered(model(server, "at_once=64"), texts=TEXTS[:64])
    assert result.values() == [right_answer(text) for text in TEXTS[:64]]


@pytest.mark.parametrize("limit", ["tokens=30000", "requests=50", "money=0.02&price_in=1&price_out=2"])
def test_with_64_at_once_the_bill_of_the_server_stays_within_the_limit(limit: str, tmp_path: Path) -> None:
    """The server bills also for what it drops in the middle, cuts or answers with nonsense."""
    behaviours = ["well", "well", "well", "drop", "cut", "500", "page", "no usage", "drop in the middle", "400"]

    def behaviour(text: str, before: int) -> str:
        return behaviours[digest_number(text, str(before)) % len(behaviours)]

    with hostile_server(behaviour) as server:
        edge = model(server, f"at_once=64&tries=3&max_tokens=100&{limit}")
        cache = AnswerCache(tmp_path / "answers.sqlite")
        result = answered(edge, cache)
        assert isinstance(result.stopped, BudgetUsedUp)
        assert result.stopped.code == "budget-used-up"
        total = edge.endpoint.budget.total()
        limits = edge.endpoint.limits.most()
        assert server.billed_tokens <= total.units <= limits.units
        assert server.requests == total.requests <= limits.requests
        assert total.money <= limits.money
        values = sum(value is not None for value in result.values())
        assert 0 < values < len(TEXTS) == values + sum(result.reasons.values())
        assert result.reasons[str(result.stopped)] > 0
        for text, value in zip(TEXTS, result.values(), strict=True):
            assert value in (None, right_answer(text))

        before = server.requests
        again = answered(model(server, f"at_once=64&tries=3&max_tokens=100&{limit}"), cache)
        assert isinstance(again.stopped, BudgetUsedUp)
        assert again.cached == values
        assert server.requests - before <= 64  # what one more run found left, if anything
        assert Budget(edge.service.account, Limits(), tmp_path / SPENDING_FILE).total().units <= limits.units


def test_a_second_run_knows_what_was_spent_and_a_higher_limit_goes_on(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    with hostile_server() as server:
        first = answered(model(server, "requests=5"), cache, TEXTS[:9])
        assert (server.requests, len(first.reasons)) == (5, 1)
        second = answered(model(server, "requests=5"), cache, TEXTS[:9])
        assert (server.requests, second.cached, second.asked) == (5, 5, 4)
        assert isinstance(second.stopped, BudgetUsedUp)
        third = answered(model(server, "requests=9"), cache, TEXTS[:9])
        assert server.requests == 9
    assert third.values() == [right_answer(text) for text in TEXTS[:9]]
    assert third.stopped is None


def test_a_tight_budget_is_used_to_its_end() -> None:
    """Bounds are far above what a call costs: calls wait for each other instead of giving up."""
    with hostile_server() as server:
        edge = model(server, "at_once=16&max_tokens=1000&tokens=3200")
        result = answered(edge, texts=TEXTS[:20])
        assert result.stopped is None
        assert edge.endpoint.budget.total().units == server.billed_tokens
    assert result.reasons == {}
