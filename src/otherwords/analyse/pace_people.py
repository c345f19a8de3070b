"""What people are called in findings: a01, a02 …, so that no finding that goes into a report has a name in it.

Who has judged most is a01; of those who have judged equally much the order says nothing about their names.
"""

from __future__ import annotations

from hashlib import blake2b

from sqlalchemy import Connection, func, select

from otherwords.annotate.standing import stands
from otherwords.project import schema

BY_PEOPLE = ("individual", "vote")
LETTER, DIGITS = "a", 2


def called(connection: Connection) -> dict[str, str]:
    """What everybody is called whose judgements stand, by name; who has judged most first."""
    said = schema.judgements
    theirs = (said.c.annotator.is_not(None), said.c.kind.in_(BY_PEOPLE), stands())
    counts = select(said.c.annotator, func.count()).where(*theirs).group_by(said.c.annotator)
    people = {row[0]: int(row[1]) for row in connection.execute(counts)}
    order = sorted(people, key=lambda name: (-people[name], blake2b(name.encode()).digest()))
    digits = max(DIGITS, len(str(len(order))))
    return {name: f"{LETTER}{place:0{digits}}" for place, name in enumerate(order, 1)}
