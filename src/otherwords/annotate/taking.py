"""Taking: the next units of a batch for an annotator, reserved for a while.

What somebody holds and has not answered comes first, so that a page that was closed goes on where it was. Then
come the units after the last one taken, and only at the end of the batch those before it that have come free
again. A reservation that has run out is free for anybody else.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select, update
from sqlalchemy.sql import ColumnElement

from otherwords.annotate.batches import Batch, batch
from otherwords.errors import Conflict, NotAllowed, NotFound
from otherwords.project import schema
from otherwords.project.ledger import insert_new
from otherwords.project.pseudonyms import PREFIX

MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Taken:
    """A slot that somebody holds."""

    slot: int
    batch: str
    position: int
    item: str
    until: float


def take(connection: Connection, name: str, annotator: str, most: int = 1) -> list[Taken]:
    """Reserve up to so many units of a batch, those held already among them."""
    of = batch(connection, name)
    admit(of, annotator)
    most = min(most, MOST_AT_ONCE)
    moment = time.time()
    place = _place(connection, name, annotator)
    rows = _held(connection, name, annotator, most)
    if len(rows) < most and of.state == "open":
        rows += _free(connection, of, annotator, most - len(rows), moment, schema.slots.c.position > place.position)
        last = max((row["position"] for row in rows), default=place.position)
        if len(rows) < most and place.done + len(rows) < _size(connection, name):
            behind = schema.slots.c.position <= place.position
            rows += _free(connection, of, annotator, most - len(rows), moment, behind)
        _remember(connection, name, annotator, max(last, place.position))
    until = moment + of.rules.hold_seconds
    _hold(connection, [row["seq"] for row in rows], annotator, until)
    return [Taken(row["seq"], name, row["position"], row["item"], until) for row in rows]


def admit(of: Batch, annotator: str) -> None:
    """Refuse somebody who is not among the people of a batch."""
    if of.rules.people and annotator not in of.rules.people:
        raise NotAllowed(f"the batch {of.id!r} is not for you; ask a curator")


def renew(connection: Connection, slot: int, annotator: str) -> Taken:
    """Reserve again what ran out, if nobody else has taken it since."""
    one = schema.slots
    row = connection.execute(select(one).where(one.c.seq == slot).with_for_update()).mappings().first()
    if row is None:
        raise NotFound("there is no such reservation; the pair was taken out of the batch")
    if row["holder"] != annotator:
        raise Conflict("somebody else has taken this pair since your reservation ran out")
    until = time.time() + batch(connection, row["batch"]).rules.hold_seconds
    if row["judgement"] is None:
        _hold(connection, [slot], annotator, until)
    return Taken(slot, row["batch"], row["position"], row["item"], until)


def release(connection: Connection, slot: int, annotator: str) -> None:
    """Give back what one does not want to answer now."""
    one = schema.slots
    mine = (one.c.seq == slot, one.c.holder == annotator, one.c.judgement.is_(None))
    connection.execute(update(one).where(*mine).values(holder=None, until=None))


def _place(connection: Connection, name: str, annotator: str) -> Any:
    """How far the annotator has come; the row is locked, so that two windows of one person take turns."""
    one = schema.takers
    insert_new(connection, one, [{"batch": name, "annotator": annotator, "position": -1, "done": 0}])
    mine = (one.c.batch == name, one.c.annotator == annotator)
    return connection.execute(select(one).where(*mine).with_for_update()).one()


def _remember(connection: Connection, name: str, annotator: str, position: int) -> None:
    one = schema.takers
    mine = (one.c.batch == name, one.c.annotator == annotator)
    connection.execute(update(one).where(*mine, one.c.position < position).values(position=position))


def _held(connection: Connection, name: str, annotator: str, most: int) -> list[dict[str, Any]]:
    one = schema.slots
    mine = (one.c.holder == annotator, one.c.batch == name, one.c.judgement.is_(None))
    rows = connection.execute(select(one).where(*mine).order_by(one.c.position).limit(most).with_for_update())
    return [dict(row) for row in rows.mappings()]


def _free(
    connection: Connection, of: Batch, annotator: str, most: int, moment: float, where: ColumnElement[bool]
) -> list[dict[str, Any]]:
    """Slots that nobody holds, one of each unit, and none of a unit that the annotator has already."""
    one, mine = schema.slots, schema.slots.alias("mine")
    same = (mine.c.batch == one.c.batch, mine.c.position == one.c.position, mine.c.holder == annotator)
    conditions = [
        one.c.batch == of.id,
        one.c.judgement.is_(None),
        where,
        or_(one.c.assigned.is_(None), one.c.assigned == annotator, one.c.assigned.startswith(PREFIX, autoescape=True)),
        or_(one.c.holder.is_(None), and_(one.c.holder != annotator, one.c.until < moment)),
        ~select(mine.c.seq).where(*same).exists(),
    ]
    if not of.rules.own:
        conditions.append(or_(one.c.maker.is_(None), one.c.maker != annotator))
    found = select(one).where(*conditions).order_by(one.c.position, one.c.number).limit(most * of.asked)
    rows = connection.execute(found.with_for_update(skip_locked=True)).mappings()
    first_of: dict[int, dict[str, Any]] = {}
    for row in rows:
        first_of.setdefault(row["position"], dict(row))
    return list(first_of.values())[:most]


def _hold(connection: Connection, slots: list[int], annotator: str, until: float) -> None:
    if slots:
        one = schema.slots
        connection.execute(update(one).where(one.c.seq.in_(slots)).values(holder=annotator, until=until))


def _size(connection: Connection, name: str) -> int:
    one = schema.slots
    last = connection.execute(select(func.max(one.c.position)).where(one.c.batch == name)).scalar()
    return 0 if last is None else int(last) + 1
