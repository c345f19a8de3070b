"""What is waiting for somebody: the batches that they may work on, and how much of each is left for them.

A home page asks this all day, of batches with a hundred thousand slots. So no batch is counted: what is left follows
from what each taker has done and from the last position, and only near the end, where that would be wrong by what
others hold or by what is one's own, a few slots are looked at one by one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, desc, func, or_, select

from otherwords.annotate.batches.batch import Batch, batch_of_row
from otherwords.annotate.documents import locks, seeds
from otherwords.annotate.documents.decisions import decided_items
from otherwords.annotate.documents.post_groups import url_groups
from otherwords.annotate.judges import judged_before, judges_of
from otherwords.errors import NotFound
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_dicts
from otherwords.project.project import Project

LOOKED_AT = 200  # slots of a batch
MOST_COUNTED = 1000  # groups of posts
_slots, _batches, _takers = schema.slots, schema.batches, schema.takers


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch that somebody may go on with."""

    batch: Batch
    left: int
    done: int  # by this person


def open_batches_for(connection: Connection, annotator: str) -> list[OpenBatch]:
    """Open batches with something left for somebody: the one that they worked on last, others they began, the rest."""
    done: dict[str, dict[str, int]] = {}
    counts = select(_takers.c.batch, _takers.c.annotator, _takers.c.done - _takers.c.tests)
    for name, taker, count in connection.execute(counts):
        done.setdefault(name, {})[taker] = count
    paused = paused_batches(connection, annotator)
    last_position = select(func.max(_slots.c.position)).where(_slots.c.batch == _batches.c.id).scalar_subquery()
    query = select(_batches, last_position.label("last")).where(_batches.c.state == "open").order_by(_batches.c.seq)
    waiting = []
    for row in row_dicts(connection.execute(query)):
        batch = batch_of_row(row)
        if row["last"] is None or (batch.rules.people and annotator not in batch.rules.people) or batch.id in paused:
            continue
        by_taker = done.get(batch.id, {})
        if left := _left(connection, batch, annotator, row["last"] + 1, by_taker):
            waiting.append(OpenBatch(batch, left, by_taker.get(annotator, 0)))
    columns = schema.judgements.c
    last_judgement = select(columns.batch).where(columns.annotator == annotator).order_by(desc(columns.seq)).limit(1)
    latest = connection.execute(last_judgement).scalar()
    return sorted(waiting, key=lambda open_batch: (open_batch.batch.id != latest, open_batch.done == 0))


def paused_batches(connection: Connection, annotator: str) -> list[str]:
    """The open batches in which the gate or a curator has stopped somebody, the first one first."""
    stopped = (_takers.c.annotator == annotator, _takers.c.state == "paused", _batches.c.state == "open")
    query = select(_batches.c.id).join(_takers, _takers.c.batch == _batches.c.id).where(*stopped)
    return list(connection.execute(query.order_by(_batches.c.seq)).scalars())


def _left(connection: Connection, batch: Batch, annotator: str, items: int, done: Mapping[str, int]) -> int:
    """How many units of a batch are left for somebody; for a large batch an upper bound."""
    rules = batch.rules
    for_them = _slots.c.assigned == annotator if rules.assigned else _slots.c.assigned.is_(None)
    unanswered = (_slots.c.batch == batch.id, _slots.c.judgement.is_(None), _slots.c.position >= 0, for_them)
    rows = connection.execute(select(_slots).where(*unanswered).limit(LOOKED_AT)).all()
    free = max(_count_free(connection, batch, annotator, rows), _count_held(connection, batch, annotator))
    if len(rows) < LOOKED_AT or (not free and not _any_free(connection, batch, annotator, *unanswered)):
        return free
    if rules.assigned:
        return connection.execute(select(func.count()).select_from(_slots).where(*unanswered)).scalar_one()
    return max(1, min(items - done.get(annotator, 0), items * batch.asked - sum(done.values())))


def count_with_others(connection: Connection, batch: Batch, annotator: str) -> int:
    """How many units others hold at the moment that somebody would get if they were given back; up to a limit."""
    rules = batch.rules
    if batch.state != "open" or (rules.people and annotator not in rules.people):
        return 0
    for_them = _slots.c.assigned == annotator if rules.assigned else _slots.c.assigned.is_(None)
    waiting = (_slots.c.batch == batch.id, _slots.c.judgement.is_(None), _slots.c.position >= 0, for_them)
    held = (_slots.c.holder.is_not(None), _slots.c.holder != annotator, _slots.c.until >= time.time())
    rows = connection.execute(select(_slots).where(*waiting, *held).limit(LOOKED_AT)).all()
    return _count_allowed(connection, batch, annotator, rows)


def _count_free(connection: Connection, batch: Batch, annotator: str, rows: Sequence[Row[Any]]) -> int:
    """How many units of these slots somebody could have: held by nobody else, not judged, not their own."""
    moment = time.time()
    free = [row for row in rows if row.holder in (None, annotator) or (row.until or 0) < moment]
    return _count_allowed(connection, batch, annotator, free)


def _count_allowed(connection: Connection, batch: Batch, annotator: str, rows: Sequence[Row[Any]]) -> int:
    """How many units of these slots the rules of a batch let somebody judge who has not done so yet."""
    rules = batch.rules
    earlier = judges_of(connection, [] if rules.again else [row.item for row in rows], batch.id)
    positions = {
        row.position
        for row in rows
        if (rules.own or row.maker != annotator) and annotator not in earlier.get(row.item, ())
    }
    if batch.asked == 1 or not positions:
        return len(positions)
    answered = (_slots.c.batch == batch.id, _slots.c.position.in_(positions), _slots.c.judgement.is_not(None))
    own = connection.execute(select(_slots.c.position).where(*answered, _slots.c.holder == annotator)).scalars()
    return len(positions - set(own))


def _count_held(connection: Connection, batch: Batch, annotator: str) -> int:
    """How many tasks somebody holds in a batch with tests; a last one that is a test must not look like none."""
    if batch.rules.tests is None:
        return 0
    held = (_slots.c.holder == annotator, _slots.c.batch == batch.id, _slots.c.judgement.is_(None))
    unexpired = select(func.count()).select_from(_slots).where(*held, _slots.c.until >= time.time())
    return connection.execute(unexpired).scalar_one()


def _any_free(connection: Connection, batch: Batch, annotator: str, *unanswered: ColumnElement[bool]) -> bool:
    """Whether anything of a large batch is left for somebody who could have none of the slots looked at."""
    own = _slots.alias("own")
    same_unit = (own.c.batch == _slots.c.batch, own.c.position == _slots.c.position, own.c.holder == annotator)
    free = [or_(_slots.c.holder.is_(None), _slots.c.until < time.time())]
    free.append(~select(own.c.seq).where(*same_unit).exists())
    if not batch.rules.own:
        free.append(or_(_slots.c.maker.is_(None), _slots.c.maker != annotator))
    if not batch.rules.again:
        free.append(~judged_before(_slots, annotator).exists())
    return connection.execute(select(_slots.c.seq).where(*unanswered, *free).limit(1)).first() is not None


def count_waiting_seeds(connection: Connection, project: Project, annotator: str) -> int:
    """How many groups of posts wait for their seed sentence, counted up to a thousand."""
    try:
        groups = url_groups(connection, project)
    except NotFound:  # its page says what to do about a table that is missing
        return 0
    if groups is None:
        return 0
    held = set(connection.execute(locks.held_by_others(seeds.SCHEME, annotator, time.time())).scalars())
    names, waiting = iter(groups.places), 0
    while waiting < MOST_COUNTED and (block := list(islice(names, seeds.GROUPS_PER_QUERY))):
        waiting += len(set(block) - held - decided_items(connection, "group", block, seeds.SCHEME))
    return min(waiting, MOST_COUNTED)
