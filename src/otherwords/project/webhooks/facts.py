"""What webhooks say of a project, read off its ledger: ids and counts, never a text, a remark or a person's name.

Nothing that happens in a project waits for a webhook: facts are found afterwards, each under an id that follows from
it, so that looking twice finds it once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from otherwords.digests import digest_hex
from otherwords.project.ledger import schema

# Actions of the audit trail, as the rooms below write them.
BATCH_CLOSED, WORKER_PAUSED = "batch closed", "crowd paused"
LOOK_BACK = 1000  # lines: another process may have been given an earlier number and have finished later
_events, _slots, _batches, _takers = schema.events, schema.slots, schema.batches, schema.takers
_releases, _released, _steps = schema.releases, schema.released_pairs, schema.steps


@dataclass(frozen=True, slots=True)
class WebhookFact:
    """Something that another program may want to know."""

    id: str
    event: str
    data: dict[str, str | int | None]


def find_facts(connection: Connection, events: Collection[str], after: int = 0) -> list[WebhookFact]:
    """All facts of some kinds; of the audit trail, those near and after a line."""
    finders = (_of_the_trail(connection, after), _finished_batches(connection), _made_releases(connection))
    found = [fact for finder in (*finders, _waiting_steps(connection)) for fact in finder]
    return [fact for fact in found if fact.event in events]


def last_line(connection: Connection) -> int:
    """The number of the newest line of the audit trail."""
    return connection.execute(select(func.max(_events.c.seq))).scalar() or 0


def _of_the_trail(connection: Connection, after: int) -> Iterator[WebhookFact]:
    lines = (_events.c.seq > after - LOOK_BACK, _events.c.action.in_((BATCH_CLOSED, WORKER_PAUSED)))
    for row in connection.execute(select(_events).where(*lines).order_by(_events.c.seq)).all():
        batch = row.detail.get("batch")
        if row.action == BATCH_CLOSED:
            yield _fact("batch.closed", (str(row.seq), row.time), {"batch": batch})
            continue
        paused = (_takers.c.batch == batch, _takers.c.state == "paused")
        count = connection.execute(select(func.count()).select_from(_takers).where(*paused)).scalar_one()
        yield _fact("worker.paused", (str(row.seq), row.time), {"batch": batch, "paused": count})


def _finished_batches(connection: Connection) -> Iterator[WebhookFact]:
    """Batches of which every judgement that was asked for is in; one that has grown since can be finished again."""
    ordinary = (_slots.c.batch == _batches.c.id, _slots.c.position >= 0)
    missing = select(_slots.c.seq).where(*ordinary, _slots.c.judgement.is_(None)).correlate(_batches)
    there = select(_slots.c.seq).where(*ordinary).correlate(_batches)
    finished = select(_batches.c.id, _batches.c.time).where(~missing.exists(), there.exists())
    for row in connection.execute(finished.order_by(_batches.c.seq)).all():
        last = connection.execute(select(func.max(_slots.c.position)).where(_slots.c.batch == row.id)).scalar_one()
        done = select(func.sum(_takers.c.done - _takers.c.tests)).where(_takers.c.batch == row.id)
        data = {"batch": row.id, "items": last + 1, "judgements": int(connection.execute(done).scalar() or 0)}
        yield _fact("batch.finished", (row.id, row.time, str(last)), data)


def _made_releases(connection: Connection) -> Iterator[WebhookFact]:
    pairs = select(func.count()).where(_released.c.version == _releases.c.version).correlate(_releases)
    for row in connection.execute(
        select(_releases.c.version, _releases.c.time, pairs.scalar_subquery().label("pairs"))
    ):
        yield _fact("release.made", (row.version, row.time), {"version": row.version, "pairs": row.pairs})


def _waiting_steps(connection: Connection) -> Iterator[WebhookFact]:
    waiting = select(_steps.c.name, _steps.c.kind, _steps.c.key).where(_steps.c.state == "waiting").distinct()
    for row in connection.execute(waiting.order_by(_steps.c.name)):
        yield _fact("step.waiting", (row.name, row.key), {"step": row.name, "kind": row.kind})


def _fact(event: str, identity: tuple[str, ...], data: dict[str, str | int | None]) -> WebhookFact:
    return WebhookFact(f"e-{digest_hex(event, *identity, size=12)}", event, data)
