"""Hidden tests cannot be told from other pairs by what a request costs, nor by coming when nothing else is left."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from otherwords.annotate.batches.batch import HiddenTests
from otherwords.annotate.crowd.slot_handles import KEY, SlotHandles
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.invalid_answers import MOST_INVALID, SECONDS, InvalidAnswers
from otherwords.annotate.work.open_batches import open_batches_for
from otherwords.annotate.work.reservations import reserve
from otherwords.errors import Refused, TooMany
from otherwords.records import Judgement
from tests.annotate.crowd_batch import TESTS, crowd_batch, gold_of, send
from tests.errors import raises

EVERY = 4
INVALID = ("7", "", None, ["4"], {"label": "4"})


@pytest.fixture
def handles(folder: Path) -> SlotHandles:
    """Handles of a known key, so that chance is the same in every run."""
    secrets = folder / "secrets"
    secrets.mkdir(mode=0o700, exist_ok=True)
    (secrets / KEY).write_text(bytes(range(32)).hex(), encoding="ascii")
    (secrets / KEY).chmod(0o600)
    return SlotHandles(folder)


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


@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.parametrize("at_once", [1, 50])
def test_the_end_of_a_batch_looks_like_any_other_moment(
    connection: Connection, handles: SlotHandles, at_once: int
) -> None:
    """By how many pairs are left for somebody: one task in four is a test, and nothing comes after the last pair."""
    people, pairs = 80, 6
    crowd_batch(connection, pairs, asked=people, tests=HiddenTests(pairs=TESTS, every=EVERY))
    tests, tasks = Counter[int](), Counter[int]()
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
    for left, count in tasks.items():
        expected, spread = count / EVERY, (count * (EVERY - 1)) ** 0.5 / EVERY
        assert abs(tests[left] - expected) <= 4 * spread, (left, tests[left], count)


def test_a_test_that_is_held_at_the_end_keeps_the_batch_on_the_home_page(
    connection: Connection, handles: SlotHandles
) -> None:
    crowd_batch(connection, 1, tests=HiddenTests(pairs=TESTS, every=2))
    names = (f"worker {number}" for number in range(100))
    annotator = next(name for name in names if handles.is_test("crowd", name, 0, 2))
    taken = {held.item: held for held in reserve(connection, "crowd", annotator, 5, handles)}
    assert len(taken) == 2
    send(connection, handles, annotator, taken.pop("p0"), "3")
    assert [waiting.left for waiting in open_batches_for(connection, annotator)] == [1]
    send(connection, handles, annotator, taken.popitem()[1], "3")
    assert open_batches_for(connection, annotator) == []


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
