"""What the fields of a filter suggest: names that a corpus has, found without going through all of it.

Sources have an index, and one step in it leads to the next name. The rest is what the first and the last pairs have;
whoever knows of another one types it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, desc, func, select

from otherwords import labels
from otherwords.annotate import schemes
from otherwords.errors import OtherwordsError
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.rows import PRESENT

DEFAULT_SCHEME = "turku"
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


def offered_labels(connection: Connection, project: Project) -> list[str]:
    """The labels of the schemes in use: the project's own, and those of its batches of pairs."""
    of = schema.batches
    made = select(of.c.scheme).where(of.c.unit == "pair").group_by(of.c.scheme).order_by(func.min(of.c.seq))
    names = [None, *connection.execute(made).scalars()]
    return list(dict.fromkeys(label for name in names for label in labels_of_scheme(project, name)))


def labels_of_scheme(project: Project, name: str | None = None) -> list[str]:
    """What one can look for, of the project's scheme or another; nothing where its file is gone or broken."""
    name = name or project.config.scheme or DEFAULT_SCHEME
    if name == DEFAULT_SCHEME:
        return [str(one) for one in labels.all_labels()]
    try:
        return schemes.scheme(name, project.folder).labels()
    except OtherwordsError:
        return []


def offered_types(project: Project) -> list[str]:
    """The types of paraphrase that the schemes of a project know, shipped or its own."""
    return list(dict.fromkeys(tag for name in schemes.names(project.folder) for tag in _types(name, project)))


def _types(name: str, project: Project) -> list[str]:
    try:
        questions = schemes.scheme(name, project.folder).questions
    except OtherwordsError:
        return []
    return [str(one.get("tag", "")) for question in questions for one in question.types]


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
