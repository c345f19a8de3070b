"""How much was judged by how many people and when: the numbers of a methods section, from a ledger.

People are those who judged on their own, as in :mod:`pace_people`: what a team agreed on is nobody's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from otherwords.analyse.pace_people import BY_PEOPLE
from otherwords.annotate.standing import stands
from otherwords.project import schema


@dataclass(frozen=True, slots=True)
class People:
    """What people said about pairs, as far as it stands."""

    judgements: int = 0
    annotators: int = 0
    first: str | None = None  # days
    last: str | None = None


def people_of(connection: Connection) -> People:
    """Count them."""
    one = schema.judgements
    asked = select(
        func.count(), func.count(one.c.annotator.distinct()), func.min(one.c.time), func.max(one.c.time)
    ).where(one.c.annotator.is_not(None), one.c.kind.in_(BY_PEOPLE), stands())
    judgements, annotators, first, last = connection.execute(asked.select_from(one)).one()
    return People(judgements, annotators, *(time[:10] if time else None for time in (first, last)))
