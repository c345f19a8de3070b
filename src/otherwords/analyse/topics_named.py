"""The topic of each group of a project, as people judged it by the scheme ``topic``.

A consensus that stands is the topic; without one it is what most people said. After a tie a group has none.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from otherwords.align.topics import given_topics
from otherwords.annotate.standing import stands
from otherwords.project import schema

SCHEME, UNIT = "topic", "group"
NO_TOPIC = "x"
KINDS = ("individual", "vote", "consensus")


def named_topics(connection: Connection) -> dict[str, str]:
    """Topics by group; ``NO_TOPIC`` where people say that there is none."""
    said = schema.judgements
    about = (said.c.unit == UNIT, said.c.scheme == SCHEME, said.c.kind.in_(KINDS), stands())
    statement = select(said.c.pair, said.c.value, said.c.kind == "consensus").where(*about).order_by(said.c.seq)
    agreed: dict[str, str] = {}
    alone: list[tuple[str, str]] = []
    for group, value, consensus in connection.execute(statement):
        if not isinstance(value, str):
            continue
        if consensus:
            agreed[group] = value
        else:
            alone.append((group, value))
    told = {**given_topics(alone), **agreed}
    return {group: topic for group, topic in told.items() if topic is not None}
