"""What is left for whom, on both databases."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert, update

from otherwords.annotate.batches import Rules, Wanted, close, make
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import take
from otherwords.annotate.waiting import LOOKED_AT, batches_for, seeds_waiting
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair

MANY = 3 * LOOKED_AT


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        pairs = [Pair(id=f"p{number}", text1="Fog came in.", text2="It grew foggy.") for number in range(MANY)]
        rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in pairs]
        connection.execute(insert(schema.pairs), rows)
        yield connection


def wanted(count: int, maker: str | None = None) -> list[Wanted]:
    return [Wanted(f"p{number}", maker) for number in range(count)]


def left(connection: Connection, who: str) -> dict[str, int]:
    return {one.batch.id: one.left for one in batches_for(connection, who)}


def answer(connection: Connection, name: str, who: str, count: int) -> None:
    for one in take(connection, name, who, count):
        said = Said(key=f"{who}-{one.slot}", slot=one.slot, value="4")
        (told,) = judge(connection, [(who, said)], scheme, lambda *about: True)
        assert isinstance(told, Judgement), told


def expire(connection: Connection) -> None:
    connection.execute(update(schema.slots).where(schema.slots.c.judgement.is_(None)).values(until=time.time() - 1))


@pytest.mark.parametrize("count", [6, MANY])
def test_a_pool_grows_smaller_for_all(connection: Connection, count: int) -> None:
    make(connection, "pool", wanted(count), scheme="turku")
    assert left(connection, "anna") == {"pool": count}
    answer(connection, "pool", "anna", 4)
    assert left(connection, "anna") == left(connection, "ben") == {"pool": count - 4}


def test_what_others_hold_is_not_left_until_it_runs_out(connection: Connection) -> None:
    make(connection, "pool", wanted(5), scheme="turku")
    take(connection, "pool", "anna", 2)
    assert (left(connection, "anna"), left(connection, "ben")) == ({"pool": 5}, {"pool": 3})
    expire(connection)
    assert left(connection, "ben") == {"pool": 5}


@pytest.mark.parametrize("count", [3, MANY])
def test_a_pair_of_a_double_batch_is_left_once_for_each(connection: Connection, count: int) -> None:
    make(connection, "double", wanted(count), scheme="turku", asked=2)
    assert left(connection, "anna") == {"double": count}
    answer(connection, "double", "anna", 2)
    assert (left(connection, "anna"), left(connection, "ben")) == ({"double": count - 2}, {"double": count})


@pytest.mark.parametrize("count", [3, MANY])
def test_when_all_is_done_or_ones_own_nothing_is_left(connection: Connection, count: int) -> None:
    make(connection, "own", wanted(count, "anna"), scheme="turku", rules=Rules(own=False))
    assert (left(connection, "anna"), left(connection, "ben")) == ({}, {"own": count})
    answer(connection, "own", "ben", 3)
    assert left(connection, "ben") == ({"own": count - 3} if count > 3 else {})


def test_something_far_behind_what_is_ones_own_is_found(connection: Connection) -> None:
    mine = [*wanted(MANY - 1, "anna"), Wanted("p0", "ben")]
    make(connection, "own", mine, scheme="turku", rules=Rules(own=False))
    assert left(connection, "anna")["own"] >= 1
    assert take(connection, "own", "anna", 1)


@pytest.mark.parametrize("count", [4, MANY])
def test_only_ones_own_share_of_a_batch_that_is_dealt_out(connection: Connection, count: int) -> None:
    make(connection, "dealt", wanted(count), scheme="turku", rules=Rules(people=["anna", "ben"], assigned=True))
    answer(connection, "dealt", "anna", 1)
    assert (left(connection, "anna"), left(connection, "ben")) == ({"dealt": count // 2 - 1}, {"dealt": count // 2})
    assert left(connection, "cleo") == {}


def test_closed_and_foreign_batches_do_not_wait(connection: Connection) -> None:
    make(connection, "theirs", wanted(2), scheme="turku", rules=Rules(people=["ben"]))
    make(connection, "shut", wanted(2), scheme="turku")
    close(connection, "shut", "closed")
    assert (left(connection, "anna"), left(connection, "ben")) == ({}, {"theirs": 2})


def test_the_batch_of_the_latest_judgement_comes_first(connection: Connection) -> None:
    for name in ("one", "two", "three"):
        make(connection, name, wanted(3), scheme="turku")
    assert list(left(connection, "anna")) == ["one", "two", "three"]
    answer(connection, "three", "anna", 1)
    answer(connection, "two", "anna", 1)
    assert [(one.batch.id, one.done) for one in batches_for(connection, "anna")] == [
        ("two", 1),
        ("three", 1),
        ("one", 0),
    ]


def test_without_posts_no_group_waits(connection: Connection, project: Project) -> None:
    assert seeds_waiting(connection, project, "anna") == 0
