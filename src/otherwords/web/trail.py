"""Reading the audit trail of accounts, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, or_, select

from otherwords.project import schema
from otherwords.web.audit import PREFIX

MOST_AT_ONCE = 500
_one = schema.events


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was done to an account; without an actor it was the command line, or nobody who is known."""

    seq: int
    time: str
    actor: str | None
    action: str
    account: str | None
    detail: dict[str, Any]


def trail(connection: Connection, count: int, before: int | None = None, name: str | None = None) -> list[Event]:
    """What was done before an event, by or to somebody where a name is given."""
    wanted = select(_one).where(_one.c.action.startswith(PREFIX)).order_by(_one.c.seq.desc())
    if before is not None:
        wanted = wanted.where(_one.c.seq < before)
    if name is not None:
        wanted = wanted.where(or_(_one.c.actor == name, _one.c.detail["account"].as_string() == name))
    return [_event(row) for row in connection.execute(wanted.limit(count))]


def whole_trail(connection: Connection, name: str | None = None) -> Iterator[Event]:
    """All of it, a piece at a time."""
    before = None
    while events := trail(connection, MOST_AT_ONCE, before, name):
        yield from events
        before = events[-1].seq


def _event(row: Any) -> Event:
    detail = {key: value for key, value in row.detail.items() if key != "account"}
    return Event(row.seq, row.time, row.actor, row.action.removeprefix(PREFIX), row.detail.get("account"), detail)
