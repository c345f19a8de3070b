"""Reservations of two people at the same moment, on both databases."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.work.reservations import reserve
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
