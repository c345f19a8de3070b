"""What the fields of a filter suggest: names that a corpus has, found without going through all of it.

Sources have an index, and one step in it leads to the next name. The rest is what the first and the last pairs have;
whoever knows of another one types it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, desc, func, select

from otherwords.project import schema
from otherwords.project.rows import PRESENT

MOST_SOURCES = 100
ROWS_AT_EACH_END = 200


@dataclass(frozen=True, slots=True)
class Choices:
    """Names to choose from."""

    source: list[str]
    method: list[str]
    lang: list[str]
    measure: list[str]


def choices(connection: Connection) -> Choices:
    """The names that a corpus has, or most of them."""
    one = schema.pairs
    some = select(one.c.source, one.c.method, one.c.lang, one.c.scores).where(PRESENT).limit(ROWS_AT_EACH_END)
    ends = [connection.execute(some.order_by(end)).all() for end in (one.c.seq, desc(one.c.seq))]
    found = choices_of(row for rows in ends for row in rows)
    return Choices(_sources(connection), found.method, found.lang, found.measure)


def choices_of(rows: Iterable[Any]) -> Choices:
    """The names that some rows have."""
    told: dict[str, set[str]] = {"source": set(), "method": set(), "lang": set(), "measure": set()}
    for row in rows:
        for name in ("source", "method", "lang"):
            if getattr(row, name) is not None:
                told[name].add(getattr(row, name))
        told["measure"].update(row.scores or {})
    return Choices(**{name: sorted(values) for name, values in told.items()})


def _sources(connection: Connection) -> list[str]:
    one = schema.pairs.c.source
    found: list[str] = []
    while len(found) < MOST_SOURCES:
        following = connection.execute(select(func.min(one)).where(one > found[-1]) if found else select(func.min(one)))
        name = following.scalar()
        if name is None:
            break
        found.append(name)
    return found
