"""Slots with the batch that they belong to, and the annotators who take them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, or_, select, update

from otherwords.annotate.batches.batch import Batch, BatchItem, assignees, batch_of_row
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import row_dicts

# Built once: they run with every group of answers.
_slots, _batches, _takers = schema.slots, schema.batches, schema.takers
_COLUMNS: list[Any] = [*_slots.columns, *(_batches.c[name] for name in Batch.__slots__ if name != "id")]
_LOCKED = select(*_COLUMNS).join_from(_slots, _batches, _batches.c.id == _slots.c.batch)
_LOCKED = _LOCKED.where(_slots.c.seq.in_(bindparam("slots", expanding=True))).with_for_update(of=_slots)
TAKER = (_takers.c.batch == bindparam("of_batch"), _takers.c.annotator == bindparam("of_annotator"))
_introductions, _consents = schema.introductions, schema.consents
_OWN_CONSENTS = (_consents.c.batch == _takers.c.batch, _consents.c.annotator == _takers.c.annotator)
_VERSIONS = (  # the newest introduction and the newest that they agreed to; both are None in most batches
    select(func.max(_introductions.c.version)).where(_introductions.c.batch == _takers.c.batch),
    select(func.max(_consents.c.version)).where(*_OWN_CONSENTS),
)
_LOCK_TAKERS = select(
    _takers, _VERSIONS[0].scalar_subquery().label("introduction"), _VERSIONS[1].scalar_subquery().label("agreed_to")
)
_OF_ANNOTATORS = _takers.c.annotator.in_(bindparam("of_annotators", expanding=True))
_LOCK_TAKERS = _LOCK_TAKERS.where(_takers.c.batch == bindparam("of_batch"), _OF_ANNOTATORS)
# In one order, so that two processes that lock the same people do not wait for each other.
_LOCK_TAKERS = _LOCK_TAKERS.order_by(_takers.c.annotator).with_for_update(of=_takers)
_COUNT = update(_takers).where(*TAKER).values(done=_takers.c.done + bindparam("more"))


_REMOVE = delete(_slots).where(
    _slots.c.batch == bindparam("of_batch"),
    _slots.c.position == bindparam("of_position"),
    _slots.c.number == 1,
    _slots.c.judgement.is_(None),
    or_(_slots.c.holder.is_(None), _slots.c.until < bindparam("moment")),
)


@dataclass(slots=True)
class Slot:
    """A place in a batch for one judgement of one unit."""

    seq: int
    position: int
    number: int
    item: str
    maker: str | None
    holder: str | None
    until: float | None
    judgement: str | None
    batch: Batch

    def is_late(self, moment: float) -> bool:
        """Whether it is unanswered and its reservation has run out."""
        return self.judgement is None and (self.until or 0) < moment


def lock_slots(connection: Connection, numbers: Sequence[int]) -> dict[int, Slot]:
    """Those of these slots that exist, by number, locked until the transaction ends."""
    possible = [number for number in numbers if 0 <= number < 2**63]
    slots = {}
    for row in row_dicts(connection.execute(_LOCKED, {"slots": possible})):
        fields = {name: row[name] for name in Slot.__slots__ if name != "batch"}
        slots[row["seq"]] = Slot(**fields, batch=batch_of_row(row | {"id": row["batch"]}))
    return slots


def lock_taker(connection: Connection, batch: str, annotator: str) -> Row[Any] | None:
    """How far somebody has come in a batch, locked; None at first."""
    return lock_takers(connection, batch, [annotator]).get(annotator)


def lock_takers(connection: Connection, batch: str, annotators: Sequence[str]) -> dict[str, Row[Any]]:
    """How far people have come in a batch, locked, so that two windows of one person take turns; nobody is in at first.

    ``introduction`` is its newest introduction, ``agreed_to`` the newest that they agreed to, if any.
    """
    rows = connection.execute(_LOCK_TAKERS, {"of_batch": batch, "of_annotators": list(annotators)})
    return {row.annotator: row for row in rows}


def remember_holders(connection: Connection, slots: Iterable[Row[Any]]) -> None:
    """Remember who has these slots and is about to lose them without an answer."""
    rows = [{"annotator": slot.holder, "item": slot.item, "batch": slot.batch} for slot in slots]
    if rows:
        insert_new(connection, schema.past_holders, rows)


def count_done(connection: Connection, more: Mapping[tuple[str, str], int]) -> None:
    """Add to how many slots annotators have answered, by batch and annotator."""
    counts = [{"of_batch": batch, "of_annotator": who, "more": number} for (batch, who), number in more.items()]
    if counts:
        connection.execute(_COUNT, counts)


def decides_second(slot: Slot) -> bool:
    """Whether the answer to this slot decides if there is a second one."""
    return slot.number == 0 and bool(slot.batch.rules.second_sees)


def update_seconds(connection: Connection, answered: Iterable[tuple[Slot, frozenset[str]]]) -> None:
    """Create or remove second slots after answers to first ones, each given as a slot and the parts of its answer."""
    created, removed, moment = [], [], time.time()
    for slot, parts in {slot.seq: (slot, parts) for slot, parts in answered}.values():  # the last answer counts
        if parts & set(slot.batch.rules.second_sees):
            row = {"batch": slot.batch.id, "position": slot.position, "item": slot.item, "maker": slot.maker}
            people = assignees(slot.batch, BatchItem(slot.item, slot.maker), slot.position)
            created.append(row | {"number": 1, "assigned": people[1] if people else None})
        else:
            removed.append({"of_batch": slot.batch.id, "of_position": slot.position, "moment": moment})
    insert_new(connection, _slots, created)
    if removed:
        connection.execute(_REMOVE, removed)
