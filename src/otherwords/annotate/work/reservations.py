"""Reservations: the next units of a batch for an annotator, held for a while.

What somebody holds and has not answered comes first, so that a page that was closed goes on where it was. Then
come the units after the last one reserved, and only at the end of the batch those before it that have become free
again. A reservation that has run out is free for anybody else.

In a batch with hidden tests what is held comes in the order of its handles, and what ran out is released as a whole:
an ordinary pair may be with somebody else by then, a test never is, and that must not tell them apart.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, Select, and_, bindparam, or_, select, update

from otherwords.annotate.batches.batch import Batch, HiddenTests, item_count, load_batch
from otherwords.annotate.batches.slots import TAKER, lock_slots, lock_taker, remember_holders
from otherwords.annotate.crowd.hidden_tests import BATCHES_WITH_TESTS, deal, next_tests, release_tasks
from otherwords.annotate.crowd.introduction import require_consent
from otherwords.annotate.crowd.slot_handles import SlotHandles, require_handles, slot_number
from otherwords.annotate.judges import judged_before
from otherwords.errors import Conflict, NotAllowed, NotFound
from otherwords.project.ledger import insert_new, schema
from otherwords.project.withdrawal.pseudonyms import PSEUDONYM_PREFIX

MOST_AT_ONCE = 50
GONE = "there is no such reservation; the pair was taken out of the batch"


@dataclass(frozen=True, slots=True)
class Reservation:
    """A slot that somebody holds."""

    slot: int
    batch: str
    position: int
    item: str
    until: float


@dataclass(frozen=True, slots=True)
class _Request:
    """Somebody who wants units of a batch, at a moment; ``taker`` is how far they have come."""

    batch: Batch
    annotator: str
    moment: float
    taker: Row[Any]


def reserve(
    connection: Connection, batch: Batch | str, annotator: str, most: int = 1, handles: SlotHandles | None = None
) -> list[Reservation]:
    """Reserve up to so many units of a batch, including those held already; a batch with tests needs handles."""
    batch = load_batch(connection, batch) if isinstance(batch, str) else batch
    require_member(batch, annotator)
    most = min(most, MOST_AT_ONCE)
    if (taker := lock_taker(connection, batch.id, annotator)) is None:  # somebody who has just begun
        insert_new(connection, _takers, [{"batch": batch.id, "annotator": annotator, "position": -1, "done": 0}])
        taker = lock_taker(connection, batch.id, annotator)
    assert taker is not None
    require_active(taker.state)
    require_consent(taker, batch.id)
    request = _Request(batch, annotator, time.time(), taker)
    if batch.rules.tests is not None:
        rows = _mix_in_tests(connection, request, most, require_handles(handles), batch.rules.tests)
    else:
        rows = list(_held(connection, request, most))
        free = _free_units(connection, request, most - len(rows), len(rows))
        _remember(connection, request, free)
        _remember_others(connection, request, free)
        rows += free
    until = request.moment + batch.rules.hold_seconds
    _hold(connection, [row.seq for row in rows], annotator, until)
    return [Reservation(row.seq, batch.id, row.position, row.item, until) for row in rows]


def _free_units(connection: Connection, request: _Request, most: int, held: int) -> list[Row[Any]]:
    """Units that nobody holds: those after the last one reserved, then those before it that have become free."""
    if most <= 0 or request.batch.state != "open":
        return []
    rows = _free(connection, request, most, behind=False)
    if len(rows) < most and request.taker.done + held + len(rows) < item_count(connection, request.batch.id):
        rows += _free(connection, request, most - len(rows), behind=True)
        if (
            not rows
        ):  # others may be choosing among the last ones: without anything in hand, it is safe to wait for them
            rows = _free(connection, request, most, behind=False, wait=True)
            rows = rows or _free(connection, request, most, behind=True, wait=True)
    return rows


def _remember(connection: Connection, request: _Request, rows: Sequence[Row[Any]]) -> None:
    """Remember the last unit that somebody got, after which the next ones come."""
    batch, last = request.batch, max((row.position for row in rows), default=-1)
    if last > request.taker.position or batch.rules.tests is not None:  # a test costs as many statements as a pair
        connection.execute(_REMEMBER, {"of_batch": batch.id, "of_annotator": request.annotator, "last": last})


def _remember_others(connection: Connection, request: _Request, rows: Sequence[Row[Any]]) -> None:
    """Remember whose reservations of these units have run out."""
    remember_holders(connection, [row for row in rows if row.holder not in (None, request.annotator)])


def _mix_in_tests(
    connection: Connection, request: _Request, most: int, handles: SlotHandles, tests: HiddenTests
) -> list[Row[Any]]:
    """Units with tests among them, in an order that reveals nothing.

    Both are looked up whichever comes next, so that the time that it takes tells nothing either.
    """
    batch, annotator = request.batch, request.annotator
    deal(connection, batch, annotator, handles)
    rows = _still_held(connection, request)
    if batch.state == "open" and len(rows) < most:
        held_pairs = sum(row.position >= 0 for row in rows)
        ordinary = _free_units(connection, request, most - held_pairs, -request.taker.tests)
        wanted = _tasks_to_add(most, len(rows), held_pairs + len(ordinary))
        waiting_tests = next_tests(connection, batch, annotator, wanted)
        begun = request.taker.done + len(rows)
        taken = _draw(request, range(begun, begun + wanted), handles, tests.every, waiting_tests, ordinary)
        _remember(connection, request, taken)
        _remember_others(connection, request, ordinary[:wanted])  # those that could have come, whatever was drawn
        rows += taken
    return sorted(rows, key=lambda row: handles.handle(row.seq))


def _tasks_to_add(most: int, held: int, pairs_left: int) -> int:
    """How many tasks somebody gets who holds some, and for whom so many ordinary pairs are left, held or free.

    Nobody ever holds more tasks than there are ordinary pairs left for them: the number of tasks would tell how many
    of them are tests. So each task is a test by the same chance until no pair is left, and then nothing comes.
    """
    return max(0, min(most, pairs_left) - held)


def _draw(
    request: _Request,
    numbers: Iterable[int],
    handles: SlotHandles,
    every: int,
    tests: Sequence[Row[Any]],
    ordinary: Sequence[Row[Any]],
) -> list[Row[Any]]:
    """The tasks of these running numbers: each a test by an independent draw, if there is one, or an ordinary pair.

    What could come next is part of the draw: somebody whose time ran out, or whose work was voided, comes to the same
    number again, and must not know what it is.
    """
    batch, annotator = request.batch.id, request.annotator
    waiting_tests, pairs, taken = deque(tests), deque(ordinary), list[Row[Any]]()
    for number in numbers:
        test = waiting_tests[0] if waiting_tests else None
        situation = (number, pairs[0].position, pairs[0].number, test.position if test else 0)
        is_test = handles.is_test(batch, annotator, situation, every)
        taken.append((waiting_tests if is_test and test else pairs).popleft())
    return taken


def _still_held(connection: Connection, request: _Request) -> list[Row[Any]]:
    """What somebody holds in a batch with tests; what has run out is released."""
    held = _held(connection, request, MOST_AT_ONCE)
    late = [row for row in held if (row.until or 0) < request.moment]
    remember_holders(connection, late)
    release_tasks(connection, request.batch.id, request.annotator, late)
    return [row for row in held if row not in late]


PAUSED = (
    "your work on this batch is paused: too many of your answers differ from what is known or from what others say; "
    "a curator looks at it"
)


class WorkerPaused(NotAllowed):
    """Somebody was stopped; the message says nothing about single answers."""


def require_active(state: str) -> None:
    """Refuse somebody whom the gate of a batch, or a curator, has stopped."""
    if state == "paused":
        raise WorkerPaused(PAUSED, code="worker-paused")


def require_member(batch: Batch, annotator: str) -> None:
    """Refuse somebody who is not among the people of a batch."""
    if batch.rules.people and annotator not in batch.rules.people:
        raise NotAllowed(f"the batch {batch.id!r} is not for you; ask a curator", code="not-your-batch")


def renew_reservation(
    connection: Connection, slot: int, annotator: str, handles: SlotHandles | None = None
) -> Reservation:
    """Reserve again what ran out, if nobody else has taken it since."""
    number = slot_number(slot, handles)
    held = lock_slots(connection, [number]).get(number)
    if held is None or (number != slot) != (held.batch.rules.tests is not None):
        raise NotFound(GONE, code="no-such-reservation")
    moment, rules = time.time(), held.batch.rules
    # A test is never with others: if it could be renewed, that would tell it from other pairs.
    if held.holder != annotator or (held.is_late(moment) and rules.tests is not None):
        raise Conflict("somebody else has taken this pair since your time ran out", code="reservation-lost")
    until = moment + rules.hold_seconds
    if held.judgement is None:
        _hold(connection, [number], annotator, until)
    position, item = (held.position, held.item) if number == slot else (0, "")
    return Reservation(slot, held.batch.id, position, item, until)


def release_reservation(connection: Connection, slot: int, annotator: str, handles: SlotHandles | None = None) -> None:
    """Give back a unit; not in a batch with tests, where a test would come back and be recognised."""
    if slot_number(slot, handles) != slot:
        raise NotAllowed("pairs of this batch are not given back; skip this one instead", code="not-returnable")
    own = (_slots.c.seq == slot, _slots.c.holder == annotator, _slots.c.judgement.is_(None))
    conditions = (*own, _slots.c.batch.not_in(BATCHES_WITH_TESTS))
    remember_holders(connection, connection.execute(select(_slots).where(*conditions).with_for_update()).all())
    connection.execute(update(_slots).where(*conditions).values(holder=None, until=None))


# Built once: they run with every step that somebody takes.
_slots, _takers = schema.slots, schema.takers
_REMEMBER = update(_takers).where(*TAKER, _takers.c.position < bindparam("last")).values(position=bindparam("last"))
_OWN = (_slots.c.holder == bindparam("of_annotator"), _slots.c.batch == bindparam("of_batch"))
_HELD = select(_slots).where(*_OWN, _slots.c.judgement.is_(None)).order_by(_slots.c.judgement, _slots.c.position)
_HELD = _HELD.limit(bindparam("most")).with_for_update()
_HOLD = update(_slots).where(_slots.c.seq.in_(bindparam("slots", expanding=True)))
_HOLD = _HOLD.values(holder=bindparam("of_annotator"), until=bindparam("til"))


def _held(connection: Connection, request: _Request, most: int) -> Sequence[Row[Any]]:
    values = {"of_batch": request.batch.id, "of_annotator": request.annotator, "most": most}
    return connection.execute(_HELD, values).all()


def _free(connection: Connection, request: _Request, most: int, *, behind: bool, wait: bool = False) -> list[Row[Any]]:
    """Slots that nobody holds, one of each unit, and none of a unit that the annotator has already.

    Those among which somebody else is choosing at this moment are passed over, or waited for.
    """
    batch = request.batch
    query = _free_slots(batch.rules.own, batch.rules.again, behind, bool(batch.rules.second_sees), wait)
    place = {"of_batch": batch.id, "of_annotator": request.annotator, "place": request.taker.position}
    first: dict[int, Row[Any]] = {}
    for row in connection.execute(query, place | {"moment": request.moment, "most": most * batch.asked}):
        first.setdefault(row.position, row)
    return list(first.values())[:most]


@cache
def _free_slots(own: bool, again: bool, behind: bool, has_seconds: bool, wait: bool) -> Select[Any]:
    slots, held, first, judgements = _slots, _slots.alias("held"), _slots.alias("first"), schema.judgements
    annotator: BindParameter[str] = bindparam("of_annotator")
    place: BindParameter[int] = bindparam("place")
    same = (held.c.batch == slots.c.batch, held.c.position == slots.c.position, held.c.holder == annotator)
    before = (judgements.c.pair == slots.c.item, judgements.c.annotator == annotator)
    void = (judgements.c.batch == slots.c.batch, judgements.c.meta["void"].as_string().is_not(None))
    assigned = slots.c.assigned
    conditions = [
        slots.c.batch == bindparam("of_batch"),
        slots.c.judgement.is_(None),
        slots.c.position.between(0, place) if behind else slots.c.position > place,
        or_(assigned.is_(None), assigned == annotator, assigned.startswith(PSEUDONYM_PREFIX, autoescape=True)),
        or_(slots.c.holder.is_(None), and_(slots.c.holder != annotator, slots.c.until < bindparam("moment"))),
        select(held.c.seq).where(*same).limit(1).scalar_subquery().is_(None),  # per row: never a join of all
        select(judgements.c.seq).where(*before, *void).limit(1).scalar_subquery().is_(None),  # voided: for others
    ]
    if not own:
        conditions.append(or_(slots.c.maker.is_(None), slots.c.maker != annotator))
    if not again:
        conditions.append(judged_before(slots, annotator).is_(None))
    if has_seconds:  # a second comes after a first, whose work may have been voided since
        answered = (first.c.batch == slots.c.batch, first.c.position == slots.c.position)
        exists = select(first.c.seq).where(*answered, first.c.judgement.is_not(None)).exists()
        conditions.append(or_(slots.c.number == 0, exists))
    # None of them has a judgement; but with it PostgreSQL recognises the order of the index.
    order = (slots.c.judgement, slots.c.position, slots.c.number)
    query = select(slots).where(*conditions).order_by(*order).limit(bindparam("most"))
    return query.with_for_update(skip_locked=not wait, of=slots)


def _hold(connection: Connection, slots: list[int], annotator: str, until: float) -> None:
    if slots:
        connection.execute(_HOLD, {"slots": slots, "of_annotator": annotator, "til": until})
