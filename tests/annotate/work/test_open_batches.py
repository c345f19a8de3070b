"""How much is left for whom, on both databases."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert, update

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch, set_state
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.open_batches import LOOKED_AT, count_waiting_seeds, open_batches_for
from otherwords.annotate.work.reservations import reserve
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair

MANY = 3 * LOOKED_AT


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        pairs = [Pair(id=f"p{number}", text1="Fog came in.", text2="It grew foggy.") for number in range(MANY)]
        rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in pairs]
        connection.execute(insert(schema.pairs), rows)
        yield connection


def items(count: int, maker: str | None = None) -> list[BatchItem]:
    return [BatchItem(f"p{number}", maker) for number in range(count)]


def left(connection: Connection, annotator: str) -> dict[str, int]:
    return {waiting.batch.id: waiting.left for waiting in open_batches_for(connection, annotator)}


def answer(connection: Connection, name: str, annotator: str, count: int) -> None:
    for reservation in reserve(connection, name, annotator, count):
        body = AnswerBody(key=f"{annotator}-{reservation.slot}", slot=reservation.slot, value="4")
        (result,) = save_answers(connection, [(annotator, body)], load_scheme, lambda *_: True)
        assert isinstance(result, Judgement), result


def expire(connection: Connection) -> None:
    connection.execute(update(schema.slots).where(schema.slots.c.judgement.is_(None)).values(until=time.time() - 1))


@pytest.mark.parametrize("count", [6, MANY])
def test_a_pool_shrinks_for_everybody(connection: Connection, count: int) -> None:
    insert_batch(connection, "pool", items(count), scheme="turku")
    assert left(connection, "anna") == {"pool": count}
    answer(connection, "pool", "anna", 4)
    assert left(connection, "anna") == left(connection, "ben") == {"pool": count - 4}


def test_pairs_that_others_hold_are_not_left_until_they_expire(connection: Connection) -> None:
    insert_batch(connection, "pool", items(5), scheme="turku")
    reserve(connection, "pool", "anna", 2)
    assert (left(connection, "anna"), left(connection, "ben")) == ({"pool": 5}, {"pool": 3})
    expire(connection)
    assert left(connection, "ben") == {"pool": 5}


@pytest.mark.parametrize("count", [3, MANY])
def test_a_pair_of_a_double_batch_is_left_once_for_each(connection: Connection, count: int) -> None:
    insert_batch(connection, "double", items(count), scheme="turku", asked=2)
    assert left(connection, "anna") == {"double": count}
    answer(connection, "double", "anna", 2)
    assert (left(connection, "anna"), left(connection, "ben")) == ({"double": count - 2}, {"double": count})


@pytest.mark.parametrize("count", [3, MANY])
def test_nothing_is_left_when_all_is_done_or_ones_own(connection: Connection, count: int) -> None:
    insert_batch(connection, "own", items(count, "anna"), scheme="turku", rules=BatchRules(own=False))
    assert (left(connection, "anna"), left(connection, "ben")) == ({}, {"own": count})
    answer(connection, "own", "ben", 3)
    assert left(connection, "ben") == ({"own": count - 3} if count > 3 else {})


def test_a_pair_far_behind_ones_own_is_found(connection: Connection) -> None:
    mixed = [*items(MANY - 1, "anna"), BatchItem("p0", "ben")]
    insert_batch(connection, "own", mixed, scheme="turku", rules=BatchRules(own=False))
    assert left(connection, "anna")["own"] >= 1
    assert reserve(connection, "own", "anna", 1)


@pytest.mark.parametrize("count", [4, MANY])
def test_only_ones_own_share_of_an_assigned_batch(connection: Connection, count: int) -> None:
    insert_batch(
        connection, "dealt", items(count), scheme="turku", rules=BatchRules(people=["anna", "ben"], assigned=True)
    )
    answer(connection, "dealt", "anna", 1)
    assert (left(connection, "anna"), left(connection, "ben")) == ({"dealt": count // 2 - 1}, {"dealt": count // 2})
    assert left(connection, "cleo") == {}


def test_closed_batches_and_those_of_others_do_not_wait(connection: Connection) -> None:
    insert_batch(connection, "theirs", items(2), scheme="turku", rules=BatchRules(people=["ben"]))
    insert_batch(connection, "shut", items(2), scheme="turku")
    set_state(connection, "shut", "closed")
    assert (left(connection, "anna"), left(connection, "ben")) == ({}, {"theirs": 2})


def test_the_batch_of_the_latest_judgement_comes_first(connection: Connection) -> None:
    for name in ("one", "two", "three"):
        insert_batch(connection, name, items(3), scheme="turku")
    assert list(left(connection, "anna")) == ["one", "two", "three"]
    answer(connection, "three", "anna", 1)
    answer(connection, "two", "anna", 1)
    assert [(waiting.batch.id, waiting.done) for waiting in open_batches_for(connection, "anna")] == [
        ("two", 1),
        ("three", 1),
        ("one", 0),
    ]


def test_without_posts_no_group_waits(connection: Connection, project: Project) -> None:
    assert count_waiting_seeds(connection, project, "anna") == 0
