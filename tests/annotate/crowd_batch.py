"""A small crowd for tests: pairs, some of which have a known answer, and people who work on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from otherwords.annotate.batches.batch import Batch, BatchItem, BatchRules, Gate, HiddenTests, insert_batch
from otherwords.annotate.crowd.slot_handles import KEY, SlotHandles
from otherwords.annotate.pseudonyms import KEY_BYTES
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.reservations import Reservation, reserve
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.project import SECRETS
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


def with_known_key(folder: Path) -> SlotHandles:
    """The handles of a project, with a key that makes chance the same in every run."""
    key = folder / SECRETS / KEY
    key.parent.mkdir(mode=0o700, exist_ok=True)
    key.write_text((1).to_bytes(KEY_BYTES).hex(), encoding="ascii")
    key.chmod(0o600)
    return SlotHandles(folder)


def fill(connection: Connection, count: int) -> None:
    rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in pairs(count)]
    connection.execute(insert(schema.pairs), rows)


def crowd_batch(connection: Connection, count: int, asked: int = 1, gate: Gate | None = None, **rules: Any) -> Batch:
    """A batch with hidden tests, one in five pairs by default."""
    tests = {"tests": HiddenTests(pairs=TESTS)} | rules
    fill(connection, count)
    items = [BatchItem(f"p{number}") for number in range(count)]
    return insert_batch(connection, "crowd", items, scheme="turku", asked=asked, rules=BatchRules(gate=gate, **tests))


def send(
    connection: Connection, handles: SlotHandles, annotator: str, taken: Reservation, value: Any, **others: Any
) -> Judgement | Refused:
    """Answer a task by its handle."""
    body = AnswerBody(
        **{"key": f"{annotator}-{taken.slot}", "slot": handles.handle(taken.slot), "value": value, **others}
    )
    return save_answers(connection, [(annotator, body)], load_scheme, lambda *_: True, handles)[0]


def work(
    connection: Connection,
    handles: SlotHandles,
    annotator: str,
    answer: Callable[[Reservation], Any],
    most: int = 1000,
    at_once: int = 3,
) -> list[Judgement]:
    """Work through the batch, as far as it goes."""
    judgements: list[Judgement] = []
    while len(judgements) < most and (taken := reserve(connection, "crowd", annotator, at_once, handles)):
        for reservation in taken[: most - len(judgements)]:
            judgement = send(connection, handles, annotator, reservation, answer(reservation))
            assert isinstance(judgement, Judgement), judgement
            judgements.append(judgement)
    return judgements


def gold_of(item: str) -> str | None:
    """The right answer of a test."""
    return ("4" if int(item[1:]) % 2 else "1") if item.startswith("t") else None


def events(connection: Connection) -> list[tuple[str | None, str, dict[str, Any]]]:
    table = schema.events
    return [
        tuple(row)
        for row in connection.execute(select(table.c.actor, table.c.action, table.c.detail).order_by(table.c.seq))
    ]
