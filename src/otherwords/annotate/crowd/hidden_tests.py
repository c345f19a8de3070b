"""Hidden tests: pairs whose answer is known, among those whose answer is not (Dou et al. 2022, §2.4).

Everybody who works on a batch with tests has slots of their own for all of them, before the first position of the
batch; which task is a test is drawn by :mod:`~otherwords.annotate.crowd.slot_handles`. An answer to a test is final:
the annotator learns whether it was right and why, its purpose keeps it apart from the judgements of the corpus, and
the test never comes again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from sqlalchemy import Connection, Row, bindparam, desc, func, insert, select, update

from otherwords.annotate.batches.batch import Batch, lock_batch
from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.project.ledger import schema
from otherwords.records import Gold, Purpose

TEST_PURPOSE: Purpose = "gold"
_slots = schema.slots
# Slots of these batches are known by their handles only: if they answered to a number, or to the id of a pair, tests
# could be distinguished from other pairs.
BATCHES_WITH_TESTS = select(schema.batches.c.id).where(schema.batches.c.rules["tests"].as_string().is_not(None))


class AssessedAnswer(TypedDict):
    """What somebody who answered a test learns: whether they were right, the right label and why."""

    right: bool
    label: str
    explanation: str | None


def assess(scheme: Scheme, value: Any, gold: Gold) -> AssessedAnswer:
    """Compare an answer with the gold label, as a yes or a no if the scheme has these, else exactly."""
    expected = scheme.positive_of(gold.label)
    right = scheme.normalise(gold.label) == value if expected is None else scheme.positive_of(value) is expected
    return {"right": bool(right), "label": gold.label, "explanation": gold.explanation}


def deal(connection: Connection, batch: Batch, annotator: str, handles: SlotHandles) -> None:
    """Give somebody who begins their slots for all tests of a batch, in an order of their own."""
    assert batch.rules.tests is not None
    own = (_slots.c.assigned == annotator, _slots.c.batch == batch.id, _slots.c.position < 0)
    if connection.execute(select(_slots.c.seq).where(*own).limit(1)).first() is not None:
        return
    lock_batch(connection, batch.id)
    numbers = select(func.max(_slots.c.number)).where(_slots.c.batch == batch.id, _slots.c.position < 0)
    last = connection.execute(numbers).scalar()
    place = {"batch": batch.id, "number": 0 if last is None else last + 1, "maker": None, "assigned": annotator}
    order = handles.order(batch.id, annotator, batch.rules.tests.pairs)
    connection.execute(insert(_slots), [{**place, "position": -1 - at, "item": pair} for at, pair in enumerate(order)])


_OWN = (_slots.c.assigned == bindparam("of_annotator"), _slots.c.batch == bindparam("of_batch"), _slots.c.position < 0)
_NEXT = select(_slots).where(*_OWN, _slots.c.judgement.is_(None), _slots.c.holder.is_(None))
_NEXT = _NEXT.order_by(desc(_slots.c.position)).limit(bindparam("most")).with_for_update()


def next_tests(connection: Connection, batch: Batch, annotator: str, most: int) -> Sequence[Row[Any]]:
    """The slots of the next tests of somebody."""
    if not most:
        return []
    return connection.execute(_NEXT, {"of_batch": batch.id, "of_annotator": annotator, "most": most}).all()


def release_tasks(connection: Connection, batch: str, annotator: str, slots: Sequence[Row[Any]]) -> None:
    """Release tasks of somebody, tests to come after all others: one that came back at once would be recognised.

    A test costs as many statements as an ordinary pair.
    """
    own = {"of_batch": batch, "of_annotator": annotator}
    for slot in slots:
        last = connection.execute(select(func.min(_slots.c.position)).where(*_OWN), own).scalar()
        position = slot.position if slot.position >= 0 or last is None else last - 1
        free = {"holder": None, "until": None, "position": position}
        connection.execute(update(_slots).where(_slots.c.seq == slot.seq).values(**free))
