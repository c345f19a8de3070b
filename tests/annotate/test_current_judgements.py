"""A judgement stands if no other row supersedes it and it was not taken back."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, Text, cast, insert, null, select, text
from sqlalchemy.dialects import sqlite

from otherwords.annotate.current_judgements import is_current, is_superseded, is_taken_back
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement

JUDGEMENTS = schema.judgements


def say(connection: Connection, name: str, value: Any, supersedes: str | None = None) -> None:
    row = row_of(Judgement(id=name, pair="p1", annotator="anna", value=None, supersedes=supersedes))
    connection.execute(insert(JUDGEMENTS).values(**row | {"value": value}))


def standing(connection: Connection) -> list[str]:
    return list(connection.execute(select(JUDGEMENTS.c.id).where(is_current()).order_by(JUDGEMENTS.c.seq)).scalars())


HISTORIES: dict[str, tuple[list[tuple[Any, ...]], list[str]]] = {
    "nothing": ([], []),
    "said once": ([("a", "4")], ["a"]),
    "said by two": ([("a", "4"), ("b", "3")], ["a", "b"]),
    "corrected": ([("a", "4"), ("b", "3", "a")], ["b"]),
    "corrected twice": ([("a", "4"), ("b", "3", "a"), ("c", "2", "b")], ["c"]),
    "corrected by two": ([("a", "4"), ("b", "3", "a"), ("c", "2", "a")], ["b", "c"]),
    "taken back": ([("a", "4"), ("b", None, "a")], []),
    "taken back in SQL": ([("a", "4"), ("b", null(), "a")], []),
    "taken back and said again": ([("a", "4"), ("b", None, "a"), ("c", "3", "b")], ["c"]),
    "the word null": ([("a", "null")], ["a"]),
    "values that look like nothing": ([("a", False), ("b", 0), ("c", ""), ("d", []), ("e", {})], list("abcde")),
    "superseding what is not here": ([("a", "4", "elsewhere")], ["a"]),
    "superseding itself": ([("a", "4", "a")], ["a"]),
    "superseded before it came": ([("b", "3", "a"), ("a", "4")], ["b"]),
}


@pytest.mark.parametrize("history", HISTORIES)
def test_which_judgements_stand(project: Project, history: str) -> None:
    rows, expected = HISTORIES[history]
    with project.ledger.writing() as connection:
        for row in rows:
            say(connection, *row)
        assert standing(connection) == expected
        others = connection.execute(select(JUDGEMENTS.c.id).where(~is_current()).order_by(JUDGEMENTS.c.seq)).scalars()
        assert sorted([*others, *expected]) == sorted(name for name, *_ in rows), "every row stands or does not"


def test_the_condition_fits_an_alias(project: Project) -> None:
    first, second = JUDGEMENTS.alias("one"), JUDGEMENTS.alias("other")
    with project.ledger.writing() as connection:
        for row in (("a", "4"), ("b", "3", "a"), ("c", "2"), ("d", None, "c")):
            say(connection, *row)
        query = select(first.c.id, second.c.id).where(
            is_current(first), is_superseded(second), first.c.pair == second.c.pair
        )
        assert sorted(map(tuple, connection.execute(query))) == [("b", "a"), ("b", "c")]
        assert list(connection.execute(select(first.c.id).where(is_taken_back(first))).scalars()) == ["d"]


def test_how_the_ledger_writes_a_judgement_that_is_taken_back(project: Project) -> None:
    with project.ledger.writing() as connection:
        say(connection, "a", None)
        say(connection, "b", null())
        spelled = connection.execute(select(cast(JUDGEMENTS.c.value, Text)).order_by(JUDGEMENTS.c.seq)).scalars()
        assert list(spelled) == ["null", None]


@pytest.mark.parametrize("kind", ["sqlite"])
def test_the_index_on_supersedes_is_used(project: Project) -> None:
    statement = select(JUDGEMENTS.c.id).where(JUDGEMENTS.c.pair == "p1", is_current())
    spelled = str(statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
    with project.ledger.reading() as connection:
        plan = [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {spelled}"))]
    assert any("USING COVERING INDEX ix_judgements_supersedes (supersedes=?)" in step for step in plan), plan
    assert any("ix_judgements_pair_annotator (pair=?)" in step for step in plan), plan
    assert not any(step.startswith("SCAN") for step in plan), plan
