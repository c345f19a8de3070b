"""The audit trail of accounts: who did what to whom, never with a secret or an address."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert

from otherwords.project import schema
from otherwords.project.project import now

PREFIX = "account "


def note(connection: Connection, actor: str | None, action: str, **detail: Any) -> None:
    """Write down a change; without an actor it was the command line, or nobody who is known."""
    row = {"time": now(), "actor": actor, "action": PREFIX + action, "detail": detail}
    connection.execute(insert(schema.events).values(**row))
