"""A small crowd for tests: pairs of which some have a known answer, people who work on them through the library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from otherwords.annotate.batches import Batch, Gate, HiddenTests, Rules, Wanted, make
from otherwords.annotate.concealing import Concealing
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import Taken, take
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.rows import row_of
from otherwords.records import Gold, Judgement, Pair

TESTS = [f"t{number}" for number in range(8)]


def pairs(count: int) -> list[Pair]:
    """Ordinary pairs, ``p0`` …, and tests, ``t0`` …, of which every second is a paraphrase."""
    ordinary = [
        Pair(id=f"p{number}", text1=f"The lamp burnt for {number} hours.", text2=f"For {number} hours it was lit.")
        for number in range(count)
    ]
    return ordinary + [
        Pair(
            id=name,
            text1=f"The lamp cost {number} coins.",
            text2=f"One paid {number} coins for the lamp.",
            gold=Gold(label="4" if number % 2 else "1", explanation=f"Look at the {number} coins."),
        )
        for number, name in enumerate(TESTS)
    ]


def fill(connection: Connection, count: int) -> None:
    rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in pairs(count)]
    connection.execute(insert(schema.pairs), rows)


def crowd_batch(connection: Connection, count: int, asked: int = 1, gate: Gate | None = None, **rules: Any) -> Batch:
    """A batch with hidden tests, one in five unless said otherwise."""
    told = {"tests": HiddenTests(pairs=TESTS)} | rules
    fill(connection, count)
    wanted = [Wanted(f"p{number}") for number in range(count)]
    return make(connection, "crowd", wanted, scheme="turku", asked=asked, rules=Rules(gate=gate, **told))


def concealing(folder: Path) -> Concealing:
    return Concealing(folder)


def says(
    connection: Connection, of: Concealing, annotator: str, taken: Taken, value: Any, **others: Any
) -> Judgement | Refused:
    """Answer a task by its handle."""
    said = Said(**{"key": f"{annotator}-{taken.slot}", "slot": of.handle(taken.slot), "value": value, **others})
    return judge(connection, [(annotator, said)], scheme, lambda *told: True, of)[0]


def work(
    connection: Connection,
    of: Concealing,
    annotator: str,
    answer: Callable[[Taken], Any],
    most: int = 1000,
    at_once: int = 3,
) -> list[Judgement]:
    """Work through the batch, as far as it goes."""
    made: list[Judgement] = []
    while len(made) < most and (taken := take(connection, "crowd", annotator, at_once, of)):
        for one in taken[: most - len(made)]:
            told = says(connection, of, annotator, one, answer(one))
            assert isinstance(told, Judgement), told
            made.append(told)
    return made


def gold_of(item: str) -> str | None:
    """The right answer of a test."""
    return ("4" if int(item[1:]) % 2 else "1") if item.startswith("t") else None


def events(connection: Connection) -> list[tuple[str | None, str, dict[str, Any]]]:
    one = schema.events
    return [
        tuple(row) for row in connection.execute(select(one.c.actor, one.c.action, one.c.detail).order_by(one.c.seq))
    ]
