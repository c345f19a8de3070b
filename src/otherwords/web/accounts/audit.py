"""The audit trail of accounts: who did what to whom, never with a secret or an address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, insert, or_, select

from otherwords.project.ledger import schema
from otherwords.project.project import now

PREFIX = "account "
Action = Literal[
    "added",
    "closed",
    "identity linked",
    "identity unlinked",
    "invitation cancelled",
    "invited",
    "joined",
    "joined batch",
    "logged in",
    "logged out everywhere",
    "login failed",
    "login failed from one address",
    "password change failed",
    "password changed",
    "password reset",
    "reopened",
    "reset link made",
    "role changed",
    "run started",
    "run stopped",
    "setup link made",
    "token made",
    "token revoked",
]
ON_A_PAGE = 500  # of the whole trail, as it is read
_events = schema.events


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was done to an account; ``actor`` is None for the command line and for unknown people."""

    seq: int
    time: str
    actor: str | None
    action: str
    account: str | None
    detail: dict[str, object]


def note(connection: Connection, actor: str | None, action: Action, **detail: object) -> None:
    """Record a change; ``actor`` is None for the command line and for unknown people."""
    row = {"time": now(), "actor": actor, "action": PREFIX + action, "detail": detail}
    connection.execute(insert(_events).values(**row))


def trail(connection: Connection, count: int, before: int | None = None, name: str | None = None) -> list[Event]:
    """Events, the newest first: those before an event, and only those by or about somebody if a name is given."""
    statement = select(_events).where(_events.c.action.startswith(PREFIX)).order_by(_events.c.seq.desc())
    if before is not None:
        statement = statement.where(_events.c.seq < before)
    if name is not None:
        statement = statement.where(or_(_events.c.actor == name, _events.c.detail["account"].as_string() == name))
    events = []
    for row in connection.execute(statement.limit(count)):
        detail = {key: value for key, value in row.detail.items() if key != "account"}
        action = row.action.removeprefix(PREFIX)
        events.append(Event(row.seq, row.time, row.actor, action, row.detail.get("account"), detail))
    return events


def whole_trail(connection: Connection, name: str | None = None) -> Iterator[Event]:
    """All events, the newest first, read page by page."""
    before = None
    while events := trail(connection, ON_A_PAGE, before, name):
        yield from events
        before = events[-1].seq
