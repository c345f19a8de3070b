"""Pairs that people judge in batches, for tests of what follows from their judgements."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.reservations import Reservation, reserve
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair

PAIRS = [
    Pair(id=f"p{number}", text1=f"The {number} lamps were lit.", text2=f"Somebody lit {number} lamps.", lang="en")
    for number in range(6)
]
ABOUT = {"import_id": None, "step": None, "step_key": None, "state": None}


def put_pairs(connection: Connection) -> None:
    connection.execute(insert(schema.pairs), [row_of(pair, **ABOUT) for pair in PAIRS])


def batch_of(connection: Connection, name: str, count: int = 6, **settings: Any) -> None:
    """A batch of the first pairs, to be judged twice by default."""
    items = [BatchItem(pair.id) for pair in PAIRS[:count]]
    insert_batch(connection, name, items, **{"scheme": "turku", "asked": 2, **settings})


def taken(connection: Connection, name: str, annotator: str) -> dict[str, Reservation]:
    """The reservations of somebody in a batch, by pair."""
    return {reservation.item: reservation for reservation in reserve(connection, name, annotator, 50)}


def say(connection: Connection, annotator: str, reservation: Reservation, value: Any, **others: Any) -> Judgement:
    """Save an answer."""
    body = AnswerBody(
        **{"key": f"{annotator}-{reservation.slot}-{value}", "slot": reservation.slot, "value": value, **others}
    )
    result = save_answers(connection, [(annotator, body)], load_scheme, lambda connection, name, version: True)[0]
    if isinstance(result, Refused):
        raise result
    return result


def judged(connection: Connection, name: str, annotator: str, values: dict[str, Any], **others: Any) -> list[Judgement]:
    """Save somebody's answers to some pairs of a batch."""
    reservations = taken(connection, name, annotator)
    return [say(connection, annotator, reservations[pair], value, **others) for pair, value in values.items()]
