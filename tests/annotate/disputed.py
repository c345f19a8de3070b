"""Pairs that people judge in batches, for the tests of what follows from their judgements."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert

from otherwords.annotate.batches import Wanted, make
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import Taken, take
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair

PAIRS = [
    Pair(id=f"p{number}", text1=f"The {number} lamps were lit.", text2=f"Somebody lit {number} lamps.", lang="en")
    for number in range(6)
]
ABOUT = {"import_id": None, "step": None, "step_key": None, "state": None}


def put_pairs(connection: Connection) -> None:
    connection.execute(insert(schema.pairs), [row_of(pair, **ABOUT) for pair in PAIRS])


def batch_of(connection: Connection, name: str, count: int = 6, **wishes: Any) -> None:
    """A batch of the first pairs, to be judged twice unless something else is said."""
    wanted = [Wanted(pair.id) for pair in PAIRS[:count]]
    make(connection, name, wanted, **{"scheme": "turku", "asked": 2, **wishes})


def taken(connection: Connection, name: str, annotator: str) -> dict[str, Taken]:
    """What somebody has of a batch, by pair."""
    return {one.item: one for one in take(connection, name, annotator, 50)}


def say(connection: Connection, annotator: str, one: Taken, value: Any, **others: Any) -> Judgement:
    """An answer that is saved."""
    told = Said(**{"key": f"{annotator}-{one.slot}-{value}", "slot": one.slot, "value": value, **others})
    made = judge(connection, [(annotator, told)], scheme, lambda connection, name, version: True)[0]
    if isinstance(made, Refused):
        raise made
    return made


def judged(connection: Connection, name: str, annotator: str, values: dict[str, Any], **others: Any) -> list[Judgement]:
    """Somebody's answers to some pairs of a batch."""
    mine = taken(connection, name, annotator)
    return [say(connection, annotator, mine[pair], value, **others) for pair, value in values.items()]
