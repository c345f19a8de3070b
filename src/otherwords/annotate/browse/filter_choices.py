"""What the fields of a filter suggest: names that a corpus has, found without reading all of it.

Sources have an index, and one step in it leads to the next name. The other names are those of the first and the last
pairs; whoever knows another one types it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, desc, func, select

from otherwords import labels
from otherwords.annotate import schemes
from otherwords.errors import OtherwordsError
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.project import Project

DEFAULT_SCHEME = "turku"
MAX_SOURCES = 100
ROWS_AT_EACH_END = 200


@dataclass(frozen=True, slots=True)
class Choices:
    """Names to choose from."""

    source: list[str]
    method: list[str]
    lang: list[str]
    measure: list[str]


def load_choices(connection: Connection) -> Choices:
    """The names that a corpus has, or most of them."""
    pairs = schema.pairs
    some = select(pairs.c.source, pairs.c.method, pairs.c.lang, pairs.c.scores).where(PRESENT).limit(ROWS_AT_EACH_END)
    ends = [connection.execute(some.order_by(end)).all() for end in (pairs.c.seq, desc(pairs.c.seq))]
    sources: list[str] = []
    first = following = select(func.min(pairs.c.source))
    while len(sources) < MAX_SOURCES and (name := connection.execute(following).scalar()) is not None:
        sources.append(name)
        following = first.where(pairs.c.source > name)
    return replace(choices_in_rows(row for rows in ends for row in rows), source=sources)


def offered_groups(connection: Connection) -> list[str]:
    """Groups of the first and the last pairs."""
    pairs = schema.pairs
    some = select(pairs.c.group).where(PRESENT, pairs.c.group.is_not(None), pairs.c.group != "")
    ends = [some.order_by(end).limit(ROWS_AT_EACH_END) for end in (pairs.c.seq, desc(pairs.c.seq))]
    return sorted({name for end in ends for name in connection.execute(end).scalars()})


def offered_labels(connection: Connection, project: Project) -> list[str]:
    """The labels of the schemes in use: the project's own, and those of its batches of pairs."""
    batches = schema.batches
    used = select(batches.c.scheme).where(batches.c.unit == "pair").group_by(batches.c.scheme)
    names = [None, *connection.execute(used.order_by(func.min(batches.c.seq))).scalars()]
    return list(dict.fromkeys(label for name in names for label in labels_of_scheme(project, name)))


def labels_of_scheme(project: Project, name: str | None = None) -> list[str]:
    """The labels of the project's scheme or another; none if its file is missing or broken."""
    name = name or project.config.scheme or DEFAULT_SCHEME
    if name == DEFAULT_SCHEME:
        return [str(label) for label in labels.all_labels()]
    try:
        return schemes.load_scheme(name, project.folder).labels()
    except OtherwordsError:
        return []


def offered_types(project: Project) -> list[str]:
    """The types of paraphrase of all schemes, shipped or the project's own."""
    types: dict[str, None] = {}
    for name in schemes.scheme_names(project.folder):
        with contextlib.suppress(OtherwordsError):  # a scheme whose file is broken
            questions = schemes.load_scheme(name, project.folder).questions
            types |= {str(entry.get("tag", "")): None for question in questions for entry in question.types}
    return list(types)


def choices_in_rows(rows: Iterable[Any]) -> Choices:
    """The names that some rows have."""
    found: dict[str, set[str]] = {"source": set(), "method": set(), "lang": set(), "measure": set()}
    for row in rows:
        for name in ("source", "method", "lang"):
            if getattr(row, name) is not None:
                found[name].add(getattr(row, name))
        found["measure"].update(row.scores or {})
    return Choices(**{name: sorted(values) for name, values in found.items()})
