"""Decisions about the people of a crowd, as lines of the audit trail: made by the gate, or by a curator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, desc, insert, select

from otherwords.project.ledger import schema
from otherwords.project.project import now

PREFIX = "crowd "
PAUSED, RESUMED, KEPT, VOIDED, UNVOIDED, DEPLOYED = "paused", "resumed", "kept", "voided", "unvoided", "deployed"
_events = schema.events


@dataclass(frozen=True, slots=True)
class CrowdDecision:
    """A decision about somebody's work on a batch; without an actor it was the gate's."""

    time: str
    actor: str | None
    action: str
    worker: str
    detail: dict[str, Any]


def record(
    connection: Connection, actor: str | None, action: str, batch: str, worker: str | None, **detail: object
) -> dict[str, object]:
    """Add a decision to the audit trail; returns its detail."""
    whole = {"batch": batch, **({"worker": worker} if worker is not None else {}), **detail}
    connection.execute(insert(_events).values(time=now(), actor=actor, action=PREFIX + action, detail=whole))
    return whole


def worker_decisions(connection: Connection, batch: str) -> list[CrowdDecision]:
    """All decisions about people of a batch, the oldest first."""
    rows = connection.execute(select(_events).where(*_about(batch)).order_by(_events.c.seq)).all()
    decisions = [(row, row.action.removeprefix(PREFIX)) for row in rows if "worker" in row.detail]
    return [CrowdDecision(row.time, row.actor, action, row.detail["worker"], row.detail) for row, action in decisions]


def resumed_after(connection: Connection, batch: str, worker: str) -> int:
    """The number of the newest judgement when a curator last let somebody go on; 0 if nobody did."""
    about = (*_about(batch, RESUMED), _events.c.detail["worker"].as_string() == worker)
    latest = select(_events.c.detail).where(*about).order_by(desc(_events.c.seq)).limit(1)
    detail = connection.execute(latest).scalar()
    return int(detail["after"]) if detail is not None else 0


def deployed_groups(connection: Connection, batch: str) -> set[str]:
    """The groups of a batch for which it was decided how many pairs are added."""
    details = connection.execute(select(_events.c.detail).where(*_about(batch, DEPLOYED))).scalars()
    return {group["group"] for detail in details for group in detail["groups"]}


def _about(batch: str, action: str | None = None) -> tuple[ColumnElement[bool], ...]:
    column = _events.c.action
    same = column.startswith(PREFIX) if action is None else column == PREFIX + action
    return (same, _events.c.detail["batch"].as_string() == batch)
