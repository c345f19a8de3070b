"""What was decided about the people of a crowd, as lines of the audit trail: by the gate itself, or by a curator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, desc, insert, select

from otherwords.project import schema
from otherwords.project.project import now

PREFIX = "crowd "
PAUSED, RESUMED, KEPT, VOIDED, UNVOIDED, DEPLOYED = "paused", "resumed", "kept", "voided", "unvoided", "deployed"
_one = schema.events


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that was decided about somebody's work on a batch; without an actor it was the gate."""

    time: str
    actor: str | None
    action: str
    worker: str
    detail: dict[str, Any]


def note(
    connection: Connection, actor: str | None, action: str, batch: str, worker: str | None, **detail: Any
) -> dict[str, Any]:
    """Write down a decision; what was written of it."""
    told = {"batch": batch, **({"worker": worker} if worker is not None else {}), **detail}
    connection.execute(insert(_one).values(time=now(), actor=actor, action=PREFIX + action, detail=told))
    return told


def decisions(connection: Connection, batch: str) -> list[Decision]:
    """All that was decided about people of a batch, the first first."""
    rows = connection.execute(select(_one).where(*_of(batch)).order_by(_one.c.seq)).all()
    return [
        Decision(row.time, row.actor, row.action.removeprefix(PREFIX), row.detail["worker"], row.detail)
        for row in rows
        if "worker" in row.detail
    ]


def last_decision(connection: Connection, batch: str, worker: str, action: str) -> dict[str, Any] | None:
    """What was last decided so about somebody."""
    about = (*_of(batch, action), _one.c.detail["worker"].as_string() == worker)
    return connection.execute(select(_one.c.detail).where(*about).order_by(desc(_one.c.seq)).limit(1)).scalar()


def decided_before(connection: Connection, decision: str) -> dict[str, Any] | None:
    """The decision of an id: one that was sent twice is there once."""
    same = (_one.c.action.startswith(PREFIX), _one.c.detail["id"].as_string() == decision)
    return connection.execute(select(_one.c.detail).where(*same)).scalar()


def deployed(connection: Connection, batch: str) -> list[dict[str, Any]]:
    """What was put into a batch after its first pairs were judged."""
    return list(connection.execute(select(_one.c.detail).where(*_of(batch, DEPLOYED)).order_by(_one.c.seq)).scalars())


def _of(batch: str, action: str | None = None) -> tuple[ColumnElement[bool], ...]:
    acted = _one.c.action.startswith(PREFIX) if action is None else _one.c.action == PREFIX + action
    return (acted, _one.c.detail["batch"].as_string() == batch)
