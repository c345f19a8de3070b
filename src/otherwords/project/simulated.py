"""A project in which nobody judged: made-up annotators stand in for people, to show, to test or to plan.

That is noted in its ledger once and for good. Whatever is made of such a project says so: its site, its report, its
release, and every judgement that leaves it. Where people have judged, nothing can be simulated any more.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from otherwords.errors import ProjectError
from otherwords.project import schema
from otherwords.project.project import now

ACTION = "simulated"
REMARK = "the annotators are simulated: these figures say nothing about people"


def is_simulated(connection: Connection) -> bool:
    """Whether the judgements of a project are made up."""
    noted = select(schema.events.c.seq).where(schema.events.c.action == ACTION).limit(1)
    return connection.execute(noted).first() is not None


def mark_simulated(connection: Connection) -> None:
    """Note that from now on nobody judges here; refused where people have."""
    if is_simulated(connection):
        return
    said = schema.judgements
    if connection.execute(select(said.c.seq).where(said.c.kind != "simulated").limit(1)).first() is not None:
        raise ProjectError(
            "people have judged in this project, and what they said must not be mixed with what is made up; "
            "simulate in a new one"
        )
    connection.execute(insert(schema.events).values(time=now(), actor=None, action=ACTION, detail={}))
