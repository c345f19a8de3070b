"""What is waiting for somebody: the batches that they may work on, and how much of each is left for them.

A home page asks this all day, of batches with a hundred thousand slots. So no batch is counted: what is left follows
from what takers have done and from the last position, and only near the end, where that would be wrong by what others
hold or by what is one's own, a few slots are looked at one by one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, desc, func, or_, select

from otherwords.annotate import holding, seeds
from otherwords.annotate.batches import Batch, batch_of_row
from otherwords.annotate.decisions import decided
from otherwords.annotate.earlier import earlier_judges, judged_before
from otherwords.annotate.post_groups import url_groups
from otherwords.errors import NotFound
from otherwords.project import schema
from otherwords.project.project import Project

LOOKED_AT = 200  # slots of a batch
MOST_COUNTED = 1000  # groups of posts


@dataclass(frozen=True, slots=True)
class Left:
    """A batch that somebody may go on with."""

    batch: Batch
    left: int
    done: int  # by this person


def batches_for(connection: Connection, annotator: str) -> list[Left]:
    """Open batches with something left for somebody: the one that they worked on last, others they began, the rest."""
    one, slot, taker = schema.batches, schema.slots, schema.takers
    size = select(func.max(slot.c.position)).where(slot.c.batch == one.c.id).scalar_subquery()
    done: dict[str, dict[str, int]] = {}
    for name, who, count in connection.execute(select(taker.c.batch, taker.c.annotator, taker.c.done - taker.c.tests)):
        done.setdefault(name, {})[who] = count
    found = []
    opened = select(one, size.label("last")).where(one.c.state == "open").order_by(one.c.seq)
    for row in connection.execute(opened).mappings().all():
        of = batch_of_row(dict(row))
        if row["last"] is None or (of.rules.people and annotator not in of.rules.people):
            continue
        by = done.get(of.id, {})
        if left := _left(connection, of, annotator, row["last"] + 1, by):
            found.append(Left(of, left, by.get(annotator, 0)))
    last = _last_batch(connection, annotator)
    return sorted(found, key=lambda one: (one.batch.id != last, one.done == 0))


def _left(connection: Connection, of: Batch, annotator: str, items: int, done: dict[str, int]) -> int:
    """How many units of a batch are left for somebody; of many it is what they can be at most."""
    slot = schema.slots
    mine = slot.c.assigned == annotator if of.rules.assigned else slot.c.assigned.is_(None)
    unanswered = (slot.c.batch == of.id, slot.c.judgement.is_(None), slot.c.position >= 0, mine)
    rows = connection.execute(select(slot).where(*unanswered).limit(LOOKED_AT)).mappings().all()
    free = _free_for(connection, of, annotator, rows)
    if len(rows) < LOOKED_AT or (not free and not _any_free(connection, of, annotator, *unanswered)):
        return free
    if of.rules.assigned:
        return connection.execute(select(func.count()).select_from(slot).where(*unanswered)).scalar_one()
    return max(1, min(items - done.get(annotator, 0), items * of.asked - sum(done.values())))


def _free_for(connection: Connection, of: Batch, annotator: str, rows: Sequence[Any]) -> int:
    """How many of the units of these slots somebody could have: held by nobody else, not judged, not their own."""
    moment = time.time()
    items = [] if of.rules.again else [row["item"] for row in rows]
    earlier = earlier_judges(connection, of.id, items)
    places = {
        row["position"]
        for row in rows
        if (row["holder"] in (None, annotator) or (row["until"] or 0) < moment)
        and (of.rules.own or row["maker"] != annotator)
        and annotator not in earlier.get(row["item"], ())
    }
    if of.asked == 1 or not places:
        return len(places)
    slot = schema.slots
    answered = (slot.c.batch == of.id, slot.c.position.in_(places), slot.c.judgement.is_not(None))
    had = connection.execute(select(slot.c.position).where(*answered, slot.c.holder == annotator)).scalars()
    return len(places - set(had))


def _any_free(connection: Connection, of: Batch, annotator: str, *unanswered: Any) -> bool:
    """Whether anything of a large batch is left for somebody who could have none of the slots looked at."""
    slot, mine = schema.slots, schema.slots.alias("mine")
    same = (mine.c.batch == slot.c.batch, mine.c.position == slot.c.position, mine.c.holder == annotator)
    free = or_(slot.c.holder.is_(None), slot.c.until < time.time())
    theirs = [] if of.rules.own else [or_(slot.c.maker.is_(None), slot.c.maker != annotator)]
    theirs += [] if of.rules.again else [judged_before(slot, annotator).is_(None)]
    some = select(slot.c.seq).where(*unanswered, free, *theirs, ~select(mine.c.seq).where(*same).exists()).limit(1)
    return connection.execute(some).first() is not None


def _last_batch(connection: Connection, annotator: str) -> str | None:
    """The batch of somebody's latest judgement."""
    said = schema.judgements
    latest = select(said.c.batch).where(said.c.annotator == annotator).order_by(desc(said.c.seq)).limit(1)
    return connection.execute(latest).scalar()


def seeds_waiting(connection: Connection, project: Project, annotator: str) -> int:
    """How many groups of posts wait for their seed sentence, counted as far as a thousand."""
    try:
        groups = url_groups(connection, project)
    except NotFound:  # its page says what to do about a table that is missing
        return 0
    if groups is None:
        return 0
    held = set(connection.execute(holding.held_by_others(seeds.SCHEME, annotator, time.time())).scalars())
    names, waiting = iter(groups.places), 0
    while waiting < MOST_COUNTED and (some := list(islice(names, seeds.GROUPS_A_QUERY))):
        waiting += len(set(some) - held - decided(connection, "group", some, seeds.SCHEME))
    return min(waiting, MOST_COUNTED)
