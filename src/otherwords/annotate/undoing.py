"""Taking back: a judgement that somebody regrets stays in the ledger, superseded by one without a value."""

from __future__ import annotations

import time
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, update

from otherwords.annotate.batches import batch_of_row
from otherwords.annotate.judging import COUNT, judgements_by_id, slots_of
from otherwords.annotate.once import id_of
from otherwords.annotate.rewriting import withdraw_rewrites
from otherwords.annotate.seconding import follow, has_second
from otherwords.errors import Conflict, NotAllowed, NotFound
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.project.rows import row_of
from otherwords.records import Judgement


def undo(connection: Connection, annotator: str, judgement: str, key: str) -> Judgement:
    """Take back one's own judgement; its unit is held again, to be answered anew or left to others."""
    name = id_of("j", annotator, key)
    there = judgements_by_id(connection, [name, judgement])
    if name in there:
        return there[name]
    stored = there.get(judgement)
    if stored is None or stored.annotator != annotator:
        raise NotFound("you have no such judgement")
    slot = _slot(connection, stored)
    plain: dict[str, Any] = {"value": None, "unsure": False, "note": None, "rewrites": [], "seconds": None}
    taken_back = msgspec.structs.replace(stored, id=name, supersedes=judgement, time=now(), **plain)
    withdraw_rewrites(connection, [judgement])
    connection.execute(insert(schema.judgements).values(**row_of(taken_back)))
    until = time.time() + batch_of_row(slot | {"id": slot["batch"]}).rules.hold_seconds
    again = update(schema.slots).where(schema.slots.c.seq == slot["seq"])
    connection.execute(again.values(judgement=None, until=until))
    if has_second(slot):
        follow(connection, [(slot, frozenset())])
    connection.execute(COUNT, [{"of_batch": slot["batch"], "of_annotator": annotator, "more": -1}])
    return taken_back


def _slot(connection: Connection, stored: Judgement) -> dict[str, Any]:
    """The slot that a judgement answers, if it may be opened again."""
    place = int(stored.meta.get("slot", -1))
    slot = slots_of(connection, [place]).get(place)
    if slot is None or slot["judgement"] != stored.id or slot["holder"] != stored.annotator:
        raise Conflict("this judgement was changed since; load it again")
    if not slot["rules"].get("undo", True):
        raise NotAllowed("answers of this batch are final")
    if slot["state"] != "open":
        raise Conflict(f"the batch {slot['batch']!r} was closed")
    return slot
