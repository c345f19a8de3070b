"""Taking: the next units of a batch for an annotator, reserved for a while.

What somebody holds and has not answered comes first, so that a page that was closed goes on where it was. Then
come the units after the last one taken, and only at the end of the batch those before it that have come free
again. A reservation that has run out is free for anybody else.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, and_, bindparam, func, or_, select, update

from otherwords.annotate.batches import Batch, batch
from otherwords.errors import Conflict, NotAllowed, NotFound
from otherwords.project import schema
from otherwords.project.ledger import insert_new
from otherwords.project.pseudonyms import PREFIX
from otherwords.project.rows import dicts

MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Taken:
    """A slot that somebody holds."""

    slot: int
    batch: str
    position: int
    item: str
    until: float


def take(connection: Connection, of: Batch | str, annotator: str, most: int = 1) -> list[Taken]:
    """Reserve up to so many units of a batch, those held already among them."""
    of = batch(connection, of) if isinstance(of, str) else of
    name = of.id
    admit(of, annotator)
    most = min(most, MOST_AT_ONCE)
    moment = time.time()
    place = _place(connection, name, annotator)
    rows = _held(connection, name, annotator, most)
    if len(rows) < most and of.state == "open":
        rows += _free(connection, of, annotator, most - len(rows), moment, place.position)
        last = max((row["position"] for row in rows), default=place.position)
        if len(rows) < most and place.done + len(rows) < _size(connection, name):
            rows += _free(connection, of, annotator, most - len(rows), moment, place.position, behind=True)
        if last > place.position:
            connection.execute(_REMEMBER, {"of_batch": name, "of_annotator": annotator, "last": last})
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


# Built once: they run with every step that somebody takes.
_slot, _taker = schema.slots, schema.takers
_TAKER = (_taker.c.batch == bindparam("of_batch"), _taker.c.annotator == bindparam("of_annotator"))
_PLACE = select(_taker).where(*_TAKER).with_for_update()
_REMEMBER = update(_taker).where(*_TAKER, _taker.c.position < bindparam("last")).values(position=bindparam("last"))
_MINE = (_slot.c.holder == bindparam("of_annotator"), _slot.c.batch == bindparam("of_batch"))
_HELD = select(_slot).where(*_MINE, _slot.c.judgement.is_(None)).order_by(_slot.c.position)
_HELD = _HELD.limit(bindparam("most")).with_for_update()
_HOLD = update(_slot).where(_slot.c.seq.in_(bindparam("slots", expanding=True)))
_HOLD = _HOLD.values(holder=bindparam("of_annotator"), until=bindparam("til"))


def _place(connection: Connection, name: str, annotator: str) -> Any:
    """How far the annotator has come; the row is locked, so that two windows of one person take turns."""
    mine = {"of_batch": name, "of_annotator": annotator}
    if (found := connection.execute(_PLACE, mine).first()) is not None:
        return found
    insert_new(connection, _taker, [{"batch": name, "annotator": annotator, "position": -1, "done": 0}])
    return connection.execute(_PLACE, mine).one()


def _held(connection: Connection, name: str, annotator: str, most: int) -> list[dict[str, Any]]:
    return dicts(connection.execute(_HELD, {"of_batch": name, "of_annotator": annotator, "most": most}))


def _free(
    connection: Connection, of: Batch, annotator: str, most: int, moment: float, place: int, *, behind: bool = False
) -> list[dict[str, Any]]:
    """Slots that nobody holds, one of each unit, and none of a unit that the annotator has already."""
    given = {"of_batch": of.id, "of_annotator": annotator, "moment": moment, "place": place, "most": most * of.asked}
    first_of: dict[int, dict[str, Any]] = {}
    for row in dicts(connection.execute(_free_slots(of.rules.own, behind), given)):
        first_of.setdefault(row["position"], row)
    return list(first_of.values())[:most]


@cache
def _free_slots(own: bool, behind: bool) -> Select[Any]:
    one, mine = _slot, _slot.alias("mine")
    annotator: BindParameter[str] = bindparam("of_annotator")
    place: BindParameter[int] = bindparam("place")
    same = (mine.c.batch == one.c.batch, mine.c.position == one.c.position, mine.c.holder == annotator)
    conditions = [
        one.c.batch == bindparam("of_batch"),
        one.c.judgement.is_(None),
        one.c.position <= place if behind else one.c.position > place,
        or_(one.c.assigned.is_(None), one.c.assigned == annotator, one.c.assigned.startswith(PREFIX, autoescape=True)),
        or_(one.c.holder.is_(None), and_(one.c.holder != annotator, one.c.until < bindparam("moment"))),
        ~select(mine.c.seq).where(*same).exists(),
    ]
    if not own:
        conditions.append(or_(one.c.maker.is_(None), one.c.maker != annotator))
    found = select(one).where(*conditions).order_by(one.c.position, one.c.number).limit(bindparam("most"))
    return found.with_for_update(skip_locked=True, of=one)


def _hold(connection: Connection, slots: list[int], annotator: str, until: float) -> None:
    if slots:
        connection.execute(_HOLD, {"slots": slots, "of_annotator": annotator, "til": until})


def _size(connection: Connection, name: str) -> int:
    last = connection.execute(select(func.max(_slot.c.position)).where(_slot.c.batch == name)).scalar()
    return 0 if last is None else int(last) + 1
