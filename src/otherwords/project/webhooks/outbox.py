"""The outbox: what waits to be sent, what was sent, and what could not be.

A fact goes into the outbox in a transaction of its own and stays there until it is acknowledged, or until it was tried
often enough. Before each try the next one is put off, so that two processes that look at the same moment do not both
send it, and one that dies in the middle leaves it for later.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, select, update

from otherwords.project.ledger import insert_new, schema
from otherwords.project.project import now
from otherwords.project.webhooks.facts import find_facts, last_line
from otherwords.project.webhooks.settings import EVENTS, TEST, WebhookSettings

WAITING, DELIVERED, FAILED = "waiting", "delivered", "failed"
BEFORE = "before"  # facts from before there were webhooks, which are never sent
MARK = "mark"  # the id of the row that says up to where the audit trail was read
FIRST_PAUSE, LONGEST_PAUSE, FACTOR = 30.0, 6 * 3600.0, 4.0  # seconds after a failure
LEASE = 120.0  # seconds in which nobody else tries
AT_ONCE = 20
_deliveries = schema.webhook_deliveries


@dataclass(frozen=True, slots=True)
class WebhookDelivery:
    """Something that another program is to hear, and how that went."""

    id: str
    event: str
    data: dict[str, Any]
    created: str
    state: str = WAITING
    tries: int = 0
    due: float = 0.0
    finished: str | None = None
    problem: str | None = None


_COLUMNS = [_deliveries.c[name] for name in WebhookDelivery.__slots__]


def collect(connection: Connection, settings: WebhookSettings) -> int:
    """Put new facts into the outbox; how many. The first time, what has happened before is only remembered."""
    mark = connection.execute(select(_deliveries.c.data).where(_deliveries.c.id == MARK)).scalar()
    line = last_line(connection)
    facts = find_facts(connection, EVENTS, 0 if mark is None else mark["line"])
    rows = []
    for fact in facts:
        is_sent = mark is not None and fact.event in settings.events
        rows.append(_row(fact.id, fact.event, fact.data, WAITING if is_sent else BEFORE))
    if mark is None:
        rows.append(_row(MARK, MARK, {"line": line}, BEFORE))
    elif mark["line"] != line:
        connection.execute(update(_deliveries).where(_deliveries.c.id == MARK).values(data={"line": line}))
    added = insert_new(connection, _deliveries, rows)
    return added if mark is not None else 0


def add_test(connection: Connection) -> WebhookDelivery:
    """Put an event into the outbox that says nothing."""
    name = f"e-{uuid4().hex}"
    claimed = {"due": time.time() + LEASE, "tries": 1}  # whoever asked for it sends it
    insert_new(connection, _deliveries, [_row(name, TEST, {}, WAITING) | claimed])
    return delivery_of(connection, name)


def claim_due(connection: Connection, moment: float) -> list[WebhookDelivery]:
    """What is due now, each put off for a while so that nobody else sends it meanwhile."""
    is_due = (_deliveries.c.state == WAITING, _deliveries.c.due <= moment)
    names = select(_deliveries.c.id).where(*is_due).order_by(_deliveries.c.seq).limit(AT_ONCE)
    claimed = []
    for name in connection.execute(names).scalars().all():
        put_off = {"due": moment + LEASE, "tries": _deliveries.c.tries + 1}
        if connection.execute(update(_deliveries).where(_deliveries.c.id == name, *is_due).values(**put_off)).rowcount:
            claimed.append(delivery_of(connection, name))
    return claimed


def settle(connection: Connection, delivery: WebhookDelivery, problem: str | None, moment: float, most: int) -> None:
    """Record how a try went: delivered, to be tried again later, or given up."""
    if problem is None:
        change: dict[str, Any] = {"state": DELIVERED, "finished": now(), "problem": None}
    elif delivery.tries >= most:
        change = {"state": FAILED, "finished": now(), "problem": problem}
    else:
        change = {"due": moment + pause_after(delivery.tries), "problem": problem}
    still = (_deliveries.c.id == delivery.id, _deliveries.c.state == WAITING)
    connection.execute(update(_deliveries).where(*still).values(**change))


def pause_after(tries: int) -> float:
    """Seconds until the next try."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * FACTOR ** (tries - 1))


def try_again(connection: Connection) -> int:
    """Let everything be tried anew that was given up; how many."""
    again = {"state": WAITING, "tries": 0, "due": 0.0, "finished": None}
    return connection.execute(update(_deliveries).where(_deliveries.c.state == FAILED).values(**again)).rowcount


def delivery_of(connection: Connection, name: str) -> WebhookDelivery:
    return WebhookDelivery(*connection.execute(select(*_COLUMNS).where(_deliveries.c.id == name)).one())


def list_deliveries(connection: Connection, most: int = 100) -> list[WebhookDelivery]:
    """The last things that were to be sent, the newest first."""
    sent = select(*_COLUMNS).where(_deliveries.c.state != BEFORE).order_by(_deliveries.c.seq.desc())
    return [WebhookDelivery(*row) for row in connection.execute(sent.limit(most))]


def _row(name: str, event: str, data: dict[str, Any], state: str) -> dict[str, Any]:
    return {"id": name, "event": event, "data": data, "created": now(), "state": state, "tries": 0, "due": 0.0}
