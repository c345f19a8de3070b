"""How much people have done of a task of a recipe: what went in, what came out, and of which kinds."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import ColumnElement, Connection, func, select

from otherwords.annotate import schemes
from otherwords.annotate.batches import EXTRACTED, batch_of_row
from otherwords.annotate.disagreements import Settled, cases, settled
from otherwords.annotate.extracted import METHOD
from otherwords.annotate.queues import ACCEPTED, EMPTY, FINISHED, REJECTED, TRIAGED
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.rows import PRESENT, dicts
from otherwords.project.work import Result

Done = Callable[[Connection, Project, list[str]], Result]
_documents = schema.document_pairs


def triaged(connection: Connection, project: Project, batches: list[str]) -> Result:
    """Document pairs that somebody said yes or no to, and those that went on."""
    states = _states(connection, _documents.c.method.in_(TRIAGED))
    accepted, rejected = sum(states.get(name, 0) for name in (ACCEPTED, FINISHED, EMPTY)), states.get(REJECTED, 0)
    return Result(accepted + rejected, accepted, {REJECTED: rejected})


def extracted(connection: Connection, project: Project, batches: list[str]) -> Result:
    """Document pairs that are finished, and the pairs that people found in them."""
    states, one = _states(connection), schema.pairs
    found = select(func.count()).select_from(one).where(one.c.method == METHOD, PRESENT)
    finished, empty = states.get(FINISHED, 0), states.get(EMPTY, 0)
    return Result(finished + empty, connection.execute(found).scalar_one(), {EMPTY: empty})


def judged(connection: Connection, project: Project, batches: list[str]) -> Result:
    """Pairs of batches, and the judgements that were given of them."""
    slot = schema.slots
    there = (slot.c.batch.in_(batches or [EXTRACTED]), slot.c.position >= 0)
    places = select(slot.c.batch, slot.c.position).where(*there).distinct().subquery()
    pairs = connection.execute(select(func.count()).select_from(places)).scalar_one()
    given = select(func.count()).select_from(slot).where(*there, slot.c.judgement.is_not(None))
    return Result(pairs, connection.execute(given).scalar_one())


def adjudicated(connection: Connection, project: Project, batches: list[str]) -> Result:
    """Disagreements in batches, and what the team decided."""
    told = settled_in(connection, project, batches)
    return Result(sum(one.disagreeing for one in told), sum(one.decided for one in told))


def settled_in(connection: Connection, project: Project, batches: list[str]) -> list[Settled]:
    """How far the adjudication of each of these batches is; one that was not made is passed over."""
    of = schema.batches
    found = [batch_of_row(row) for row in dicts(connection.execute(select(of).where(of.c.id.in_(batches))))]
    return [settled(cases(connection, one, schemes.scheme(one.scheme, project.folder))) for one in found]


def _states(connection: Connection, *conditions: ColumnElement[bool]) -> dict[str | None, int]:
    """How many document pairs are in which state."""
    state = _documents.c.status
    rows = connection.execute(select(state, func.count()).where(*conditions).group_by(state))
    return {row[0]: row[1] for row in rows}
