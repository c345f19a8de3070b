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
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update

from otherwords.annotate.batches.batch import Batch, HiddenTests, item_count, load_batch
from otherwords.annotate.batches.slots import TAKER, lock_slots, lock_taker, lock_takers, remember_holders
from otherwords.annotate.crowd.hidden_tests import BATCHES_WITH_TESTS, deal, next_tests, release_tasks
from otherwords.annotate.crowd.introduction import consent_needed, needs_consent, require_consent
from otherwords.annotate.crowd.practice import require_practice
from otherwords.annotate.crowd.slot_handles import SlotHandles, require_handles, slot_number
from otherwords.annotate.work.free_slots import Request, free_slots
from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project.ledger import insert_new, schema

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


def reserve(
    connection: Connection, batch: Batch | str, annotator: str, most: int = 1, handles: SlotHandles | None = None
) -> list[Reservation]:
    """Reserve up to so many units of a batch, including those held already; a batch with tests needs handles."""
    batch = load_batch(connection, batch) if isinstance(batch, str) else batch
    reserved = reserve_all(connection, batch, {annotator: most}, handles)[annotator]
    if isinstance(reserved, Refused):
        raise reserved
    return reserved


def reserve_all(
    connection: Connection, batch: Batch, wanted: Mapping[str, int], handles: SlotHandles | None = None
) -> dict[str, list[Reservation] | Refused]:
    """The same for several people at once, by name, in as few statements as possible; or why somebody gets nothing."""
    moment, takers = time.time(), _admitted(connection, batch, list(wanted))
    requests = [
        Request(batch, name, min(wanted[name], MOST_AT_ONCE), moment, taker)
        for name, taker in takers.items()
        if not isinstance(taker, Refused)
    ]
    if batch.rules.tests is not None:
        given = {
            request.annotator: _mix_in_tests(connection, request, require_handles(handles), batch.rules.tests)
            for request in requests
        }
    else:
        given = _give(connection, batch, requests)
    until = moment + batch.rules.hold_seconds
    _hold(connection, [(row.seq, name) for name, rows in given.items() for row in rows], until)
    reserved: dict[str, list[Reservation] | Refused] = {
        name: taker for name, taker in takers.items() if isinstance(taker, Refused)
    }
    for name, rows in given.items():
        reserved[name] = [Reservation(row.seq, batch.id, row.position, row.item, until) for row in rows]
    return reserved


def _admitted(connection: Connection, batch: Batch, names: Sequence[str]) -> dict[str, Row[Any] | Refused]:
    """How far people have come, locked; or why somebody may not go on. Nothing is written for these."""
    takers = lock_takers(connection, batch.id, names)
    admitted: dict[str, Row[Any] | Refused] = {}
    for name in names:
        try:
            require_member(batch, name)
            taker = takers[name] if name in takers else _begin(connection, batch, name)
            require_active(taker.state)
            require_consent(taker, batch.id)
            admitted[name] = taker
        except Refused as problem:
            admitted[name] = problem
    return admitted


def _begin(connection: Connection, batch: Batch, annotator: str) -> Row[Any]:
    """Note that somebody begins with a batch."""
    if needs_consent(connection, batch.id, annotator):
        raise consent_needed(batch.id)
    require_practice(connection, batch, annotator)  # who is a taker has passed it
    insert_new(connection, _takers, [{"batch": batch.id, "annotator": annotator, "position": -1, "done": 0}])
    taker = lock_taker(connection, batch.id, annotator)
    assert taker is not None
    return taker


def _give(connection: Connection, batch: Batch, requests: Sequence[Request]) -> dict[str, list[Row[Any]]]:
    """Units for everybody in a batch without tests: what they hold, then free ones, none of them twice."""
    given: dict[str, list[Row[Any]]] = {request.annotator: [] for request in requests}
    for row in _held(connection, batch, list(given)):
        given[row.holder].append(row)
    free: list[Row[Any]] = []
    last: dict[str, int] = {}
    for request in requests:
        rows = given[request.annotator][: request.most]
        new = _free_units(connection, request, request.most - len(rows), len(rows), {row.seq for row in free})
        given[request.annotator] = rows + new
        last[request.annotator] = max((row.position for row in new), default=-1)
        free += new
    ahead = {request.annotator for request in requests if last[request.annotator] > request.taker.position}
    _remember(connection, batch, {name: position for name, position in last.items() if name in ahead})
    holders = {row.seq: name for name, rows in given.items() for row in rows}
    remember_holders(connection, [row for row in free if row.holder not in (None, holders[row.seq])])
    return given


def _free_units(
    connection: Connection, request: Request, most: int, held: int, taken: Collection[int] = ()
) -> list[Row[Any]]:
    """Units that nobody holds: those after the last one reserved, then those before it that have become free.

    ``taken`` are slots that somebody else is given in the same transaction.
    """
    if most <= 0 or request.batch.state != "open":
        return []
    rows = free_slots(connection, request, most, taken, behind=False)
    if len(rows) < most and request.taker.done + held + len(rows) < item_count(connection, request.batch.id):
        rows += free_slots(connection, request, most - len(rows), taken, behind=True)
        if (
            not rows
        ):  # others may be choosing among the last ones: without anything in hand, it is safe to wait for them
            rows = free_slots(connection, request, most, taken, behind=False, wait=True)
            rows = rows or free_slots(connection, request, most, taken, behind=True, wait=True)
    return rows


def _remember(connection: Connection, batch: Batch, last: Mapping[str, int]) -> None:
    """Remember the last unit that each of these people got, after which the next ones come."""
    if last:
        rows = [{"of_batch": batch.id, "of_annotator": name, "last": position} for name, position in last.items()]
        connection.execute(_REMEMBER, rows)


def _mix_in_tests(connection: Connection, request: Request, handles: SlotHandles, tests: HiddenTests) -> list[Row[Any]]:
    """Units with tests among them, in an order that reveals nothing.

    Both are looked up whichever comes next, so that the time that it takes tells nothing either.
    """
    batch, annotator, most = request.batch, request.annotator, request.most
    deal(connection, batch, annotator, handles)
    rows = _still_held(connection, request)
    if batch.state == "open" and len(rows) < most:
        held_pairs = sum(row.position >= 0 for row in rows)
        ordinary = _free_units(connection, request, most - held_pairs, -request.taker.tests)
        wanted = _tasks_to_add(most, len(rows), held_pairs + len(ordinary))
        waiting_tests = next_tests(connection, batch, annotator, wanted)
        begun = request.taker.done + len(rows)
        taken = _draw(request, range(begun, begun + wanted), handles, tests.every, waiting_tests, ordinary)
        # Even if it is a test, which has no place: it costs as many statements as a pair.
        _remember(connection, batch, {annotator: max((row.position for row in taken), default=-1)})
        could_have_come = ordinary[:wanted]  # whatever was drawn
        remember_holders(connection, [row for row in could_have_come if row.holder not in (None, annotator)])
        rows += taken
    return sorted(rows, key=lambda row: handles.handle(row.seq))


def _tasks_to_add(most: int, held: int, pairs_left: int) -> int:
    """How many tasks somebody gets who holds some, and for whom so many ordinary pairs are left, held or free.

    Nobody ever holds more tasks than there are ordinary pairs left for them: the number of tasks would tell how many
    of them are tests. So each task is a test by the same chance until no pair is left, and then nothing comes.
    """
    return max(0, min(most, pairs_left) - held)


def _draw(
    request: Request,
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


def _still_held(connection: Connection, request: Request) -> list[Row[Any]]:
    """What somebody holds in a batch with tests; what has run out is released."""
    held = _held(connection, request.batch, [request.annotator])[:MOST_AT_ONCE]
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
        _hold(connection, [(number, annotator)], until)
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
_HELD = select(_slots).where(
    _slots.c.holder.in_(bindparam("of_annotators", expanding=True)),
    _slots.c.batch == bindparam("of_batch"),
    _slots.c.judgement.is_(None),
)
# By a sum, so that SQLite looks for the few slots that are held instead of following the index of all in their order.
_HELD = _HELD.order_by(_slots.c.position + 0, _slots.c.number).with_for_update()
_HOLD = update(_slots).where(_slots.c.seq == bindparam("slot"))
_HOLD = _HOLD.values(holder=bindparam("of_annotator"), until=bindparam("til"))


def _held(connection: Connection, batch: Batch, names: list[str]) -> Sequence[Row[Any]]:
    """What people hold of a batch and have not answered, in its order."""
    return connection.execute(_HELD, {"of_batch": batch.id, "of_annotators": names}).all() if names else []


def _hold(connection: Connection, slots: Iterable[tuple[int, str]], until: float) -> None:
    """Give slots to people."""
    rows = [{"slot": slot, "of_annotator": name, "til": until} for slot, name in slots]
    if rows:
        connection.execute(_HOLD, rows)
