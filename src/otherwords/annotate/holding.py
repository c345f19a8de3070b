"""Holding: who works on a document pair or a group of posts, so that no two people do the same work.

A hold has an end. Until then nobody else is given the unit; afterwards whoever asks first may take it, and as long
as nobody has, the person who had it goes on as if nothing had happened. Who holds a unit is never told to others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection, Select, delete, or_, select, update

from otherwords.errors import Conflict
from otherwords.project import schema
from otherwords.project.ledger import insert_into

SECONDS = 1800.0
_holds = schema.holds


def hold(connection: Connection, scheme: str, item: str, holder: str, seconds: float = SECONDS) -> None:
    """Take a unit, or keep it for longer; somebody else's is refused."""
    if not take(connection, scheme, [item], holder, seconds):
        raise _taken(connection, scheme, item)


def take(connection: Connection, scheme: str, items: Sequence[str], holder: str, seconds: float = SECONDS) -> list[str]:
    """Take those of the units that can be had; which ones that are, in the order in which they were named."""
    if not items:
        return []
    moment = time.time()
    insert = insert_into(connection, _holds)
    statement = insert.on_conflict_do_update(
        index_elements=[_holds.c.scheme, _holds.c.item],
        set_={"holder": insert.excluded.holder, "until": insert.excluded.until},
        where=or_(_holds.c.holder == holder, _holds.c.until <= moment),
    ).returning(_holds.c.item)
    told = {"scheme": scheme, "holder": holder, "until": moment + seconds}
    rows = [told | {"item": item} for item in sorted(set(items))]  # all in one order: two who wait never wait in a ring
    had = set(connection.execute(statement, rows).scalars())
    return [item for item in items if item in had]


def renew(connection: Connection, scheme: str, item: str, holder: str, seconds: float = SECONDS) -> None:
    """Keep what one has, also when its time has run out and nobody took it; what one does not have is refused."""
    mine = (_holds.c.scheme == scheme, _holds.c.item == item, _holds.c.holder == holder)
    if not connection.execute(update(_holds).where(*mine).values(until=time.time() + seconds)).rowcount:
        raise _taken(connection, scheme, item)


def release(connection: Connection, scheme: str, item: str, holder: str) -> None:
    """Give a unit back; one that is not the holder's stays as it is."""
    mine = (_holds.c.scheme == scheme, _holds.c.item == item, _holds.c.holder == holder)
    connection.execute(delete(_holds).where(*mine))


def held_by_others(scheme: str, annotator: str, now: float) -> Select[tuple[str]]:
    """The units that somebody else holds, for a queue to leave out: ``where(id.not_in(held_by_others(…)))``."""
    others = (_holds.c.scheme == scheme, _holds.c.holder != annotator, _holds.c.until > now)
    return select(_holds.c.item).where(*others)


def held_by(scheme: str, annotator: str) -> Select[tuple[str]]:
    """The units that were given to somebody and to nobody else since, be the time run out or not."""
    return select(_holds.c.item).where(_holds.c.scheme == scheme, _holds.c.holder == annotator)


def holder_of(connection: Connection, scheme: str, item: str) -> str | None:
    """Who holds a unit; nobody when the time has run out."""
    held = (_holds.c.scheme == scheme, _holds.c.item == item, _holds.c.until > time.time())
    return connection.execute(select(_holds.c.holder).where(*held)).scalar()


def has(connection: Connection, scheme: str, item: str, holder: str) -> bool:
    """Whether a unit is among those that ``held_by`` tells."""
    return connection.execute(held_by(scheme, holder).where(_holds.c.item == item)).first() is not None


def _taken(connection: Connection, scheme: str, item: str) -> Conflict:
    held = (_holds.c.scheme == scheme, _holds.c.item == item)
    until = connection.execute(select(_holds.c.until).where(*held)).scalar()
    if until is None or until <= time.time():
        return Conflict("this is not yours to work on any more; open it again")
    return Conflict(
        f"somebody else works on this until {datetime.fromtimestamp(until, UTC):%H:%M} UTC; take another one"
    )
