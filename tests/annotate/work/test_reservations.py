"""Reservations of several people at the same moment, on both databases."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from sqlalchemy import event, insert, select, update

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch, load_batch
from otherwords.annotate.crowd.introduction import publish_introduction
from otherwords.annotate.work.reservations import reserve, reserve_all
from otherwords.errors import Refused
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Pair

ASKED, PAIRS = 3, 2


@pytest.fixture
def batch(project: Project) -> Project:
    with project.ledger.writing() as connection:
        pairs = [Pair(id=f"p{number}", text1="Fog came in.", text2="It grew foggy.") for number in range(PAIRS)]
        rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in pairs]
        connection.execute(insert(schema.pairs), rows)
        insert_batch(connection, "pool", [BatchItem(pair.id) for pair in pairs], scheme="turku", asked=ASKED)
    return project


def test_who_comes_while_another_chooses_among_the_last_gets_the_rest(batch: Project) -> None:
    chosen, taken = threading.Event(), threading.Event()
    found: dict[str, list[str]] = {}

    def take(name: str) -> None:
        if name == "ben":
            chosen.wait(30)
        with batch.ledger.writing() as connection:
            found[name] = [reservation.item for reservation in reserve(connection, "pool", name, PAIRS)]
            if name == "anna":
                chosen.set()
                taken.wait(1)  # ben asks meanwhile, and on PostgreSQL has to wait for her

    people = [threading.Thread(target=take, args=(name,)) for name in ("anna", "ben")]
    for person in people:
        person.start()
    for person in people:
        person.join(60)
    assert found == {"anna": ["p0", "p1"], "ben": ["p0", "p1"]}


def test_people_who_ask_together_get_what_they_would_get_one_after_the_other(batch: Project) -> None:
    with batch.ledger.writing() as connection:
        pool = load_batch(connection, "pool")
        kept = [reservation.slot for reservation in reserve(connection, pool, "anna", 1)]
        given = reserve_all(connection, pool, {"anna": 2, "ben": 1, "cleo": 2, "dan": 2})
        slots = {name: [(held.slot, held.item) for held in mine] for name, mine in given.items()}  # type: ignore[union-attr]
        again = reserve_all(connection, pool, {"dan": 2, "anna": 2})
    assert {name: [item for _, item in mine] for name, mine in slots.items()} == {
        "anna": ["p0", "p1"],
        "ben": ["p0"],
        "cleo": ["p0", "p1"],
        "dan": ["p1"],  # three were asked for, and three have the other
    }
    assert slots["anna"][0][0] == kept[0]
    everything = [slot for mine in slots.values() for slot, _ in mine]
    assert len(set(everything)) == len(everything)
    assert {name: [held.slot for held in mine] for name, mine in again.items()} == {  # type: ignore[union-attr]
        name: [slot for slot, _ in slots[name]] for name in ("dan", "anna")
    }


def test_many_who_ask_together_cost_few_statements(batch: Project) -> None:
    names, statements = ["anna", "ben", "cleo"], list[str]()
    with batch.ledger.writing() as connection:
        pool = load_batch(connection, "pool")
        reserve_all(connection, pool, dict.fromkeys(names, 1))
        event.listen(connection, "before_cursor_execute", lambda *call: statements.append(call[2]))
        reserve_all(connection, pool, dict.fromkeys(names, 2))
    assert len(statements) <= 4 + len(
        names
    )  # takers, what they hold, what is free for each, how far they are, and hold


def test_who_is_refused_holds_up_nobody_and_leaves_no_trace(batch: Project) -> None:
    columns = schema.takers.c
    with batch.ledger.writing() as connection:
        items, rules = [BatchItem("p0"), BatchItem("p1")], BatchRules(people=["anna", "ben", "cleo"])
        closed = insert_batch(connection, "few", items, scheme="turku", asked=2, rules=rules)
        publish_introduction(connection, "few", "Read this.", None, "carl")
        refused = reserve_all(connection, closed, {"anna": 1})["anna"]
        assert isinstance(refused, Refused)
        assert refused.code == "consent-needed"
        assert connection.execute(select(columns.annotator).where(columns.batch == "few")).all() == []
        pool = load_batch(connection, "pool")
        reserve(connection, pool, "ben")
        connection.execute(update(schema.takers).where(columns.annotator == "ben").values(state="paused"))
        given = reserve_all(connection, pool, {"anna": 1, "ben": 1, "cleo": 1})
    assert {name: getattr(mine, "code", "given") for name, mine in given.items()} == {
        "anna": "given",
        "ben": "worker-paused",
        "cleo": "given",
    }


@pytest.mark.parametrize("kind", ["sqlite"])
def test_what_several_people_hold_is_found_by_its_index(batch: Project) -> None:
    plans: list[list[str]] = []

    def explain(connection: Any, cursor: Any, statement: str, parameters: Any, *_: object) -> None:
        if "slots.holder IN" in statement:
            plans.append(
                [row[3] for row in connection.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            )

    with batch.ledger.writing() as connection:
        event.listen(connection, "before_cursor_execute", explain)
        reserve_all(connection, load_batch(connection, "pool"), {"anna": 1, "ben": 1})
    assert plans
    for plan in plans:
        assert "holder=?" in plan[0], plan  # not all slots of the batch in their order
