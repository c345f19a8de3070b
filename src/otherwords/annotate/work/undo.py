"""Taking back a judgement: another one without a value supersedes it, and its unit is open again."""

from __future__ import annotations

import time

import msgspec
from sqlalchemy import Connection, insert, update

from otherwords.annotate.batches.slots import Slot, count_done, decides_second, lock_slots, update_seconds
from otherwords.annotate.current_judgements import EMPTY
from otherwords.annotate.rewrites import withdraw_rewrites
from otherwords.annotate.work.answers import judgements_by_id
from otherwords.digests import keyed_id
from otherwords.errors import Conflict, NotAllowed, NotFound
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.project import now
from otherwords.records import Judgement

_judgements, _slots = schema.judgements, schema.slots


def undo(connection: Connection, annotator: str, judgement: str, key: str) -> Judgement:
    """Take back one's own judgement; its unit is held again, to be answered anew or left to others."""
    name = keyed_id("j", annotator, key)
    stored = judgements_by_id(connection, [name, judgement])
    if name in stored:
        if (stored[name].supersedes, stored[name].value) != (judgement, None):
            raise Conflict("something else was saved under this key; reload the page", code="key-reused")
        return stored[name]
    before = stored.get(judgement)
    if before is None or before.annotator != annotator:
        raise NotFound("you have no such judgement", code="no-such-judgement")
    slot = _reopenable_slot(connection, before)
    taken_back = msgspec.structs.replace(before, id=name, supersedes=judgement, time=now(), **EMPTY)
    withdraw_rewrites(connection, [judgement])
    connection.execute(insert(_judgements).values(**row_of(taken_back)))
    until = time.time() + slot.batch.rules.hold_seconds
    connection.execute(update(_slots).where(_slots.c.seq == slot.seq).values(judgement=None, until=until))
    if decides_second(slot):
        update_seconds(connection, [(slot, frozenset())])
    count_done(connection, {(slot.batch.id, annotator): -1})
    return taken_back


def _reopenable_slot(connection: Connection, judgement: Judgement) -> Slot:
    """The slot that a judgement answers, if it may be opened again."""
    number = int(judgement.meta.get("slot", -1))
    slot = lock_slots(connection, [number]).get(number)
    if slot is None or slot.judgement != judgement.id or slot.holder != judgement.annotator:
        raise Conflict("this judgement was changed since; load it again", code="judgement-changed")
    if not slot.batch.rules.undo:
        raise NotAllowed("answers of this batch are final", code="answers-final")
    if slot.batch.state != "open":
        raise Conflict(f"the batch {slot.batch.id!r} was closed", code="batch-closed")
    return slot
