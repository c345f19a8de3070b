"""Hidden tests cannot be told from other pairs by what a request costs, by counting, nor by coming at the end."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Hashable

import pytest
from sqlalchemy import Connection, event, insert, update

from otherwords.annotate.batches.batch import HiddenTests
from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import MOST_INVALID, SECONDS, AnswerBody, InvalidAnswers, save_answers
from otherwords.annotate.work.open_batches import open_batches_for
from otherwords.annotate.work.reservations import reserve
from otherwords.annotate.work.tasks import batch_progress
from otherwords.errors import Refused, TooMany
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Gold, Judgement, Pair
from tests.annotate.crowd_batch import TESTS, crowd_batch, gold_of, send
from tests.errors import raises

EVERY = 4
INVALID = ("7", "", None, ["4"], {"label": "4"})


@pytest.fixture
def statements(connection: Connection) -> list[str]:
    """All statements that the connection has sent."""
    sent: list[str] = []
    event.listen(connection, "before_cursor_execute", lambda *arguments: sent.append(arguments[2]))
    return sent


def test_an_invalid_answer_costs_the_same_for_a_test(
    connection: Connection, handles: SlotHandles, statements: list[str]
) -> None:
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    costs: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for held in reserve(connection, "crowd", "wim", 12, handles):
        for number, value in enumerate(INVALID):
            statements.clear()
            assert isinstance(send(connection, handles, "wim", held, value, key=f"{held.slot}-{number}"), Refused)
            costs[held.item[0]].add(tuple(statements))
    assert costs["t"] == costs["p"]
    assert len(costs["t"]) == 1


def test_what_is_known_of_a_test_is_looked_up_for_every_pair(
    connection: Connection, handles: SlotHandles, statements: list[str]
) -> None:
    """Answers of one group are saved together: if only tests cost a query, their neighbours would wait for it too."""
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    golds: dict[str, set[int]] = defaultdict(set)
    for held in reserve(connection, "crowd", "wim", 12, handles):
        statements.clear()
        assert isinstance(send(connection, handles, "wim", held, "3"), Judgement)
        golds[held.item[0]].add(sum("pairs.gold" in statement for statement in statements))
    assert golds == {"t": {1}, "p": {1}}


def test_taking_a_test_costs_as_much_as_taking_a_pair(
    connection: Connection, handles: SlotHandles, statements: list[str]
) -> None:
    crowd_batch(connection, 30, asked=9, tests=HiddenTests(pairs=TESTS, every=EVERY))
    costs: dict[str, set[int]] = defaultdict(set)
    for annotator in ("wim", "zoe", "kim"):
        (held,) = reserve(connection, "crowd", annotator, 1, handles)  # the first take deals out the tests
        for _ in range(12):
            statements.clear()
            assert reserve(connection, "crowd", annotator, 1, handles)[0].slot == held.slot
            costs[f"held {held.item[0]}"].add(len(statements))
            assert isinstance(send(connection, handles, annotator, held, "3"), Judgement)
            statements.clear()
            (held,) = reserve(connection, "crowd", annotator, 1, handles)
            costs[f"taken {held.item[0]}"].add(len(statements))
    assert costs["held t"] == costs["held p"]
    assert costs["taken t"] == costs["taken p"]
    assert all(len(numbers) == 1 for numbers in costs.values())


def assert_base_rate(tests: Counter[Hashable], tasks: Counter[Hashable], every: int) -> None:
    """In no situation are tests more or less frequent than one in ``every``, as far as chance can explain."""
    for situation, count in tasks.items():
        expected, spread = count / every, (count * (every - 1)) ** 0.5 / every
        assert abs(tests[situation] - expected) <= 4 * spread, (situation, tests[situation], count)


def test_releasing_expired_tests_costs_as_much_as_releasing_pairs(
    connection: Connection, handles: SlotHandles, statements: list[str]
) -> None:
    crowd_batch(connection, 30, asked=9, tests=HiddenTests(pairs=TESTS, every=2))
    costs: dict[str, set[int]] = defaultdict(set)
    for annotator in (f"worker {number}" for number in range(8)):
        (held,) = reserve(connection, "crowd", annotator, 1, handles)
        own = schema.slots.c.holder == annotator
        connection.execute(update(schema.slots).where(own).values(until=time.time() - 1))
        statements.clear()
        reserve(connection, "crowd", annotator, 1, handles)
        costs[held.item[0]].add(len(statements))
    assert costs["t"] == costs["p"]
    assert len(costs["t"]) == 1


def test_a_pair_that_somebody_else_let_run_out_costs_as_much_as_a_test(
    connection: Connection, handles: SlotHandles, statements: list[str]
) -> None:
    """Others are remembered whether their pair comes next or a test."""
    crowd_batch(connection, 1, asked=1, tests=HiddenTests(pairs=TESTS, every=2))
    costs: dict[str, set[int]] = defaultdict(set)
    for annotator in (f"worker {number}" for number in range(12)):
        others = {"holder": "somebody", "until": time.time() - 1}
        connection.execute(update(schema.slots).where(schema.slots.c.item == "p0").values(**others))
        statements.clear()
        (held,) = reserve(connection, "crowd", annotator, 1, handles)
        costs[held.item[0]].add(len(statements))
    assert costs["t"] == costs["p"]
    assert len(costs["t"]) == 1


@pytest.mark.parametrize("every", [2, 5, 10])
def test_a_draw_says_nothing_about_the_next_ones(handles: SlotHandles, every: int) -> None:
    drawn = [handles.is_test("crowd", "wim", (number, 1, 2, -1), every) for number in range(20_000)]
    tests, tasks = Counter[Hashable](), Counter[Hashable]()
    for number, is_test in enumerate(drawn):
        since = next((back for back in range(1, 13) if number >= back and drawn[number - back]), None)
        in_block = number % every, sum(drawn[number - number % every : number])
        situations = ("all", ("since the last test", since), ("tests in the block", in_block))
        tasks.update(situations)
        tests.update(situations if is_test else ())
    assert_base_rate(tests, tasks, every)
    others = [handles.is_test("crowd", "zoe", (number, 1, 2, -1), every) for number in range(20_000)]
    assert others != drawn


@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.parametrize("at_once", [1, 4])
def test_counting_tasks_does_not_tell_which_are_tests(
    connection: Connection, handles: SlotHandles, at_once: int
) -> None:
    """Whatever somebody has counted so far, and knows of what is left, the next task is a test by the same chance."""
    people, pairs = 25, 36
    golds = [f"t{number}" for number in range(60)]
    added = [Pair(id=name, text1=name, text2=f"{name}.", gold=Gold(label="4")) for name in golds[len(TESTS) :]]
    crowd_batch(connection, pairs, asked=people, tests=HiddenTests(pairs=golds, every=EVERY))
    connection.execute(insert(schema.pairs), [row_of(pair, import_id=None, step=None) for pair in added])
    tests, tasks = Counter[Hashable](), Counter[Hashable]()
    for number in range(people):
        annotator, seen, left = f"worker {number}", list[bool](), pairs
        while taken := reserve(connection, "crowd", annotator, at_once, handles):
            assert len(taken) <= left, "somebody who knows how many pairs are left would know how many are tests"
            held, is_test = taken[0], gold_of(taken[0].item) is not None
            block = seen[len(seen) - len(seen) % EVERY :]
            since = seen[::-1].index(True) if True in seen else len(seen)
            situations = (
                "all",
                ("ordinary since the last test", min(since, 10)),
                ("tests in the block", len(block), min(sum(block), 2)),
                ("tests so far, against the average", sum(seen) * EVERY < len(seen)),
                ("left, and held", min(left, 6), len(taken)),
            )
            tasks.update(situations)
            tests.update(situations if is_test else ())
            assert isinstance(send(connection, handles, annotator, held, "3"), Judgement)
            seen.append(is_test)
            left -= not is_test
        assert left == 0
        assert sum(seen) < len(golds)
    assert_base_rate(tests, tasks, EVERY)


@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.parametrize("at_once", [1, 50])
def test_the_end_of_a_batch_looks_like_any_other_moment(
    connection: Connection, handles: SlotHandles, at_once: int
) -> None:
    """By how many pairs are left for somebody: one task in four is a test, and nothing comes after the last pair."""
    people, pairs = 80, 6
    crowd_batch(connection, pairs, asked=people, tests=HiddenTests(pairs=TESTS, every=EVERY))
    tests, tasks = Counter[Hashable](), Counter[Hashable]()
    for number in range(people):
        annotator, left = f"worker {number}", pairs
        while taken := reserve(connection, "crowd", annotator, at_once, handles):
            tests[left] += sum(gold_of(held.item) is not None for held in taken)
            tasks[left] += len(taken)
            for held in taken:
                left -= gold_of(held.item) is None
                assert isinstance(send(connection, handles, annotator, held, "3"), Judgement)
        assert left == 0
    assert tasks[0] == 0, "with nothing else left, whatever comes is a test"
    assert_base_rate(tests, tasks, EVERY)


def test_a_test_that_is_held_at_the_end_keeps_the_batch_on_the_home_page(
    connection: Connection, handles: SlotHandles
) -> None:
    batch, slots = crowd_batch(connection, 1, tests=HiddenTests(pairs=TESTS, every=2)), schema.slots
    for annotator in (f"worker {number}" for number in range(100)):
        (held,) = reserve(connection, "crowd", annotator, 5, handles)
        if held.item != "p0":
            break
        connection.execute(update(slots).values(holder=None))
    answered_by_others = {"holder": "zoe", "judgement": "j"}
    connection.execute(update(slots).where(slots.c.item == "p0").values(**answered_by_others))
    zoe = {"batch": "crowd", "annotator": "zoe", "position": 0, "done": 1, "tests": 0, "right": 0, "state": "active"}
    connection.execute(insert(schema.takers).values(**zoe))
    assert reserve(connection, "crowd", annotator, 5, handles)[0].slot == held.slot
    assert [waiting.left for waiting in open_batches_for(connection, annotator)] == [1]
    progress = batch_progress(connection, batch, annotator)
    assert (progress.mine, progress.for_me) == (0, 1)
    send(connection, handles, annotator, held, "3")
    assert open_batches_for(connection, annotator) == []
    assert reserve(connection, "crowd", annotator, 5, handles) == []


def test_invalid_answers_are_limited_whether_to_a_test_or_not(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    invalid = InvalidAnswers()
    codes: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for held in reserve(connection, "crowd", "wim", 8, handles):
        values = ["7"] * (MOST_INVALID + 1) + ["3"]
        handle = handles.handle(held.slot)
        sent = [
            ("wim", AnswerBody(key=f"{held.slot}-{number}", slot=handle, value=value))
            for number, value in enumerate(values)
        ]
        results = save_answers(connection, sent, load_scheme, lambda *_: True, handles, invalid)
        codes[held.item[0]].add(tuple(result.code for result in results if isinstance(result, Refused)))
    assert codes["t"] == codes["p"]
    (refusals,) = codes["t"]
    assert refusals[MOST_INVALID:] == ("too-many-invalid-answers",) * 2
    assert "too-many-invalid-answers" not in refusals[:MOST_INVALID]


def test_the_limit_is_over_after_a_minute() -> None:
    invalid = InvalidAnswers()
    for second in range(MOST_INVALID):
        with raises("no"), invalid.counting("wim", 1, 100.0 + second):
            raise Refused("no", code="no")
    with raises("too-many-invalid-answers", match="55 seconds") as caught, invalid.counting("wim", 1, 105.0):
        pass
    assert isinstance(caught.value, TooMany)
    assert caught.value.seconds == 55
    for annotator, slot, moment in (("wim", 2, 105.0), ("zoe", 1, 105.0), ("wim", 1, 100.0 + SECONDS)):
        with invalid.counting(annotator, slot, moment):
            pass
