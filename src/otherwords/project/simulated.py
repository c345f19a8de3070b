"""Projects with simulated annotators, made to demonstrate, to test or to plan.

The ledger records it for good. The site, the report, the release and every exported judgement of such a project say
so. A project in which people have judged cannot become one.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from otherwords.errors import ProjectError
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.records import MODEL

ACTION = "simulated"
SIMULATED_REMARK = "the annotators are simulated: these figures say nothing about people"


def is_simulated(connection: Connection) -> bool:
    """Whether the annotators of a project are simulated."""
    marks = select(schema.events.c.seq).where(schema.events.c.action == ACTION).limit(1)
    return connection.execute(marks).first() is not None


def mark_simulated(connection: Connection) -> None:
    """Record that the annotators are simulated; refused where people have judged."""
    if is_simulated(connection):
        return
    judgements = schema.judgements
    by_people = select(judgements.c.seq).where(judgements.c.kind.not_in(("simulated", MODEL))).limit(1)
    if connection.execute(by_people).first() is not None:
        raise ProjectError(
            "people have judged in this project, and their judgements must not be mixed with simulated ones; "
            "simulate in a new project",
            code="judged-by-people",
        )
    connection.execute(insert(schema.events).values(time=now(), actor=None, action=ACTION, detail={}))
