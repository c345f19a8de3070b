"""Locks: who works on a document pair or a group of posts, so that no two people do the same work.

A lock expires. Until then nobody else gets the unit; afterwards whoever asks first may take it, and as long as nobody
has, the person who had it goes on as if nothing had happened. Who holds a unit is never shown to others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, Select, delete, or_, select, update

from otherwords.errors import Conflict
from otherwords.project.ledger import insert_into, schema

SECONDS = 1800.0
_holds = schema.holds


def hold(connection: Connection, scheme: str, item: str, holder: str, seconds: float = SECONDS) -> None:
    """Take a unit, or keep it for longer; a unit that somebody else holds is refused."""
    if not take(connection, scheme, [item], holder, seconds):
        raise _taken(connection, scheme, item)


def take(connection: Connection, scheme: str, items: Sequence[str], holder: str, seconds: float = SECONDS) -> list[str]:
    """Take those of the units that are free; returns them in the order of ``items``."""
    if not items:
        return []
    moment = time.time()
    insert = insert_into(connection, _holds)
    statement = insert.on_conflict_do_update(
        index_elements=[_holds.c.scheme, _holds.c.item],
        set_={"holder": insert.excluded.holder, "until": insert.excluded.until},
        where=or_(_holds.c.holder == holder, _holds.c.until <= moment),
    ).returning(_holds.c.item)
    lock = {"scheme": scheme, "holder": holder, "until": moment + seconds}
    rows = [lock | {"item": item} for item in sorted(set(items))]  # always in the same order, against deadlocks
    taken = set(connection.execute(statement, rows).scalars())
    return [item for item in items if item in taken]


def renew(connection: Connection, scheme: str, item: str, holder: str, seconds: float = SECONDS) -> None:
    """Keep a unit for longer, even an expired one that nobody took; a unit that one does not hold is refused."""
    longer = update(_holds).where(*_own(scheme, item, holder)).values(until=time.time() + seconds)
    if not connection.execute(longer).rowcount:
        raise _taken(connection, scheme, item)


def release(connection: Connection, scheme: str, item: str, holder: str) -> None:
    """Give a unit back; one that somebody else holds stays as it is."""
    connection.execute(delete(_holds).where(*_own(scheme, item, holder)))


def _own(scheme: str, item: str, holder: str) -> tuple[ColumnElement[bool], ...]:
    return (_holds.c.scheme == scheme, _holds.c.item == item, _holds.c.holder == holder)


def held_by_others(scheme: str, annotator: str, now: float) -> Select[tuple[str]]:
    """The units that others hold, for a queue to leave out: ``where(id.not_in(held_by_others(…)))``."""
    others = (_holds.c.scheme == scheme, _holds.c.holder != annotator, _holds.c.until > now)
    return select(_holds.c.item).where(*others)


def held_by(scheme: str, annotator: str) -> Select[tuple[str]]:
    """The units that somebody took and nobody else has taken since, expired or not."""
    return select(_holds.c.item).where(_holds.c.scheme == scheme, _holds.c.holder == annotator)


def holder_of(connection: Connection, scheme: str, item: str) -> str | None:
    """Who holds a unit; None if the lock has expired."""
    held = (_holds.c.scheme == scheme, _holds.c.item == item, _holds.c.until > time.time())
    return connection.execute(select(_holds.c.holder).where(*held)).scalar()


def has(connection: Connection, scheme: str, item: str, holder: str) -> bool:
    """Whether a unit is in ``held_by``."""
    return connection.execute(held_by(scheme, holder).where(_holds.c.item == item)).first() is not None


def _taken(connection: Connection, scheme: str, item: str) -> Conflict:
    held = (_holds.c.scheme == scheme, _holds.c.item == item)
    until = connection.execute(select(_holds.c.until).where(*held)).scalar()
    if until is None or until <= time.time():
        return Conflict("this is not yours to work on any more; open it again", code="not-held")
    clock = f"{datetime.fromtimestamp(until, UTC):%H:%M} UTC"
    return Conflict(f"somebody else works on this until {clock}; take another one", code="held-by-somebody-else")
