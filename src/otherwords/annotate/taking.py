"""Taking: the next units of a batch for an annotator, reserved for a while.

What somebody holds and has not answered comes first, so that a page that was closed goes on where it was. Then
come the units after the last one taken, and only at the end of the batch those before it that have come free
again. A reservation that has run out is free for anybody else.

In a batch with hidden tests what is held comes in the order of its handles, and what ran out is let go as a whole: an
ordinary pair may be with somebody else by then, a test never is, and that must not tell them apart.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, and_, bindparam, func, or_, select, update

from otherwords.annotate import hidden_tests
from otherwords.annotate.batches import Batch, HiddenTests, batch
from otherwords.annotate.concealing import Concealing, is_handle, needed
from otherwords.annotate.earlier import judged_before
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


def take(
    connection: Connection, of: Batch | str, annotator: str, most: int = 1, concealing: Concealing | None = None
) -> list[Taken]:
    """Reserve up to so many units of a batch, those held already among them; hidden tests need what conceals them."""
    of = batch(connection, of) if isinstance(of, str) else of
    name = of.id
    admit(of, annotator)
    most = min(most, MOST_AT_ONCE)
    moment = time.time()
    place = _place(connection, name, annotator)
    refuse_paused(place.state)
    if of.rules.tests is not None:
        rows = _mixed(connection, of, annotator, most, moment, place, needed(concealing), of.rules.tests)
    else:
        rows = _held(connection, name, annotator, most)
        rows += _more(connection, of, annotator, most - len(rows), moment, place, len(rows))
    until = moment + of.rules.hold_seconds
    _hold(connection, [row["seq"] for row in rows], annotator, until)
    return [Taken(row["seq"], name, row["position"], row["item"], until) for row in rows]


def _more(
    connection: Connection, of: Batch, annotator: str, most: int, moment: float, place: Any, held: int
) -> list[dict[str, Any]]:
    """Units that nobody holds: those after the last one taken, then those before it that have come free."""
    if most <= 0 or of.state != "open":
        return []
    rows = _free(connection, of, annotator, most, moment, place.position)
    last = max((row["position"] for row in rows), default=place.position)
    if len(rows) < most and place.done + held + len(rows) < _size(connection, of.id):
        rows += _free(connection, of, annotator, most - len(rows), moment, place.position, behind=True)
    if last > place.position:
        connection.execute(_REMEMBER, {"of_batch": of.id, "of_annotator": annotator, "last": last})
    return rows


def _mixed(
    connection: Connection,
    of: Batch,
    annotator: str,
    most: int,
    moment: float,
    place: Any,
    concealing: Concealing,
    tests: HiddenTests,
) -> list[dict[str, Any]]:
    """Units and tests among them, in an order that tells nothing."""
    if place.position < 0 and place.done == 0:
        hidden_tests.deal(connection, of, annotator, concealing)
    rows = _still_held(connection, of, annotator, moment)
    if of.state == "open":
        begun = place.done + len(rows)
        numbers = range(begun, begun + max(0, most - len(rows)))
        wanted = sum(concealing.is_test(of.id, annotator, number, tests.every) for number in numbers)
        dealt = hidden_tests.next_tests(connection, of, annotator, wanted)
        ordinary = _more(connection, of, annotator, len(numbers) - len(dealt), moment, place, -place.tests)
        rows += ordinary + (dealt if ordinary or rows or len(dealt) == len(numbers) else [])
    return sorted(rows, key=lambda row: concealing.handle(row["seq"]))


def _still_held(connection: Connection, of: Batch, annotator: str, moment: float) -> list[dict[str, Any]]:
    """What somebody holds in a batch with tests; if it has run out, all of it is let go."""
    held = _held(connection, of.id, annotator, MOST_AT_ONCE)
    late = [row for row in held if (row["until"] or 0) < moment]
    hidden_tests.put_last(connection, of.id, annotator, [row["seq"] for row in late if row["position"] < 0])
    for row in late:
        if row["position"] >= 0:
            connection.execute(update(_slot).where(_slot.c.seq == row["seq"]).values(holder=None, until=None))
    return [row for row in held if row not in late]


PAUSED = (
    "your work on this batch is paused: too many of your answers differ from what is known or from what others say; "
    "a curator looks at it"
)


class Paused(NotAllowed):
    """Somebody was stopped; what is said to them says nothing of single answers."""


def refuse_paused(state: str) -> None:
    """Refuse somebody whom the gate of a batch, or a curator, has stopped."""
    if state == "paused":
        raise Paused(PAUSED)


def admit(of: Batch, annotator: str) -> None:
    """Refuse somebody who is not among the people of a batch."""
    if of.rules.people and annotator not in of.rules.people:
        raise NotAllowed(f"the batch {of.id!r} is not for you; ask a curator")


def renew(connection: Connection, slot: int, annotator: str, concealing: Concealing | None = None) -> Taken:
    """Reserve again what ran out, if nobody else has taken it since."""
    one, number = schema.slots, slot_of(slot, concealing)
    row = connection.execute(select(one).where(one.c.seq == number).with_for_update()).mappings().first()
    of = batch(connection, row["batch"]) if row is not None else None
    if row is None or of is None or (number != slot) != (of.rules.tests is not None):
        raise NotFound("there is no such reservation; the pair was taken out of the batch")
    moment = time.time()
    late = row["judgement"] is None and (row["until"] or 0) < moment
    if row["holder"] != annotator or (late and of.rules.tests is not None):  # a test is never with others, and renewed
        raise Conflict("somebody else has taken this pair since your reservation ran out")
    until = moment + of.rules.hold_seconds
    if row["judgement"] is None:
        _hold(connection, [number], annotator, until)
    position, item = (row["position"], row["item"]) if number == slot else (0, "")
    return Taken(slot, row["batch"], position, item, until)


def release(connection: Connection, slot: int, annotator: str, concealing: Concealing | None = None) -> None:
    """Give back what one does not want to answer now; not where there are tests: one would come back, and be known."""
    one = schema.slots
    if slot_of(slot, concealing) != slot:
        raise NotAllowed("pairs of this batch are not given back; skip one that you cannot answer")
    mine = (
        one.c.seq == slot,
        one.c.holder == annotator,
        one.c.judgement.is_(None),
        one.c.batch.not_in(hidden_tests.WITH_TESTS),
    )
    connection.execute(update(one).where(*mine).values(holder=None, until=None))


def slot_of(told: int, concealing: Concealing | None) -> int:
    """The number of a slot, which of a batch with tests is told under a handle."""
    return concealing.slot(told) if concealing is not None and is_handle(told) else told


# Built once: they run with every step that somebody takes.
_slot, _taker = schema.slots, schema.takers
_TAKER = (_taker.c.batch == bindparam("of_batch"), _taker.c.annotator == bindparam("of_annotator"))
_PLACE = select(_taker).where(*_TAKER).with_for_update()
_REMEMBER = update(_taker).where(*_TAKER, _taker.c.position < bindparam("last")).values(position=bindparam("last"))
_MINE = (_slot.c.holder == bindparam("of_annotator"), _slot.c.batch == bindparam("of_batch"))
_HELD = select(_slot).where(*_MINE, _slot.c.judgement.is_(None)).order_by(_slot.c.judgement, _slot.c.position)
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
    seconded = bool(of.rules.second_sees)
    first_of: dict[int, dict[str, Any]] = {}
    for row in dicts(connection.execute(_free_slots(of.rules.own, of.rules.again, behind, seconded), given)):
        first_of.setdefault(row["position"], row)
    return list(first_of.values())[:most]


@cache
def _free_slots(own: bool, again: bool, behind: bool, seconded: bool) -> Select[Any]:
    one, mine, first, said = _slot, _slot.alias("mine"), _slot.alias("first"), schema.judgements
    annotator: BindParameter[str] = bindparam("of_annotator")
    place: BindParameter[int] = bindparam("place")
    same = (mine.c.batch == one.c.batch, mine.c.position == one.c.position, mine.c.holder == annotator)
    before = (said.c.pair == one.c.item, said.c.annotator == annotator, said.c.batch == one.c.batch)
    void = said.c.meta["void"].as_string().is_not(None)
    conditions = [
        one.c.batch == bindparam("of_batch"),
        one.c.judgement.is_(None),
        one.c.position.between(0, place) if behind else one.c.position > place,
        or_(one.c.assigned.is_(None), one.c.assigned == annotator, one.c.assigned.startswith(PREFIX, autoescape=True)),
        or_(one.c.holder.is_(None), and_(one.c.holder != annotator, one.c.until < bindparam("moment"))),
        select(mine.c.seq).where(*same).limit(1).scalar_subquery().is_(None),  # asked of each: never a join of all
        select(said.c.seq).where(*before, void).limit(1).scalar_subquery().is_(None),  # that is for others to say
    ]
    if not own:
        conditions.append(or_(one.c.maker.is_(None), one.c.maker != annotator))
    if not again:
        conditions.append(judged_before(one, annotator).is_(None))
    if seconded:  # a second comes after a first, who may have been voided since
        answered = (first.c.batch == one.c.batch, first.c.position == one.c.position, first.c.judgement.is_not(None))
        conditions.append(or_(one.c.number == 0, select(first.c.seq).where(*answered).exists()))
    order = (one.c.judgement, one.c.position, one.c.number)  # none is judged; but so PostgreSQL sees the index's order
    found = select(one).where(*conditions).order_by(*order).limit(bindparam("most"))
    return found.with_for_update(skip_locked=True, of=one)


def _hold(connection: Connection, slots: list[int], annotator: str, until: float) -> None:
    if slots:
        connection.execute(_HOLD, {"slots": slots, "of_annotator": annotator, "til": until})


def _size(connection: Connection, name: str) -> int:
    last = connection.execute(select(func.max(_slot.c.position)).where(_slot.c.batch == name)).scalar()
    return 0 if last is None else int(last) + 1
