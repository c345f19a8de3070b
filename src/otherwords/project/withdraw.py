"""Honouring a withdrawn consent: the words of a document or a pair, or an annotator's name, are erased.

A tombstone stays. A pair that should not be in the corpus, such as one with an e-mail address, goes the same way.

The ledger changes in one transaction. Then the tables are gone through, the search index is deleted and the database
is rewritten, so that what was erased is not left in its files either; should that be interrupted, withdrawing again
does the rest.
The files that were imported, and backups and exports made earlier, are outside the project and not changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, select

from otherwords.errors import ProjectError, UsageError
from otherwords.project import schema, search
from otherwords.project.erasing import erase_documents, erase_pairs
from otherwords.project.erasing_tables import erase_in_tables
from otherwords.project.identities import PEOPLE
from otherwords.project.project import Project, now
from otherwords.project.pseudonyms import Pseudonyms, erase_annotator

Noun = Literal["document", "pair", "annotator"]
_AN: dict[Noun, str] = {"document": "a", "pair": "a", "annotator": "an"}
OUTSIDE = (
    "backups and exports made earlier, and the files that were imported, are not changed: delete them or make them anew"
)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What a withdrawal erased, and which releases it concerns."""

    noun: Noun
    erased: dict[str, int] = field(default_factory=dict)
    releases: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """What happened, in sentences."""
        counts = ", ".join(f"{rows:,} {name.replace('_', ' ')}" for name, rows in self.erased.items() if rows)
        what = "name" if self.noun == "annotator" else "text"
        yield f"the {what} is erased: {counts}" if counts else "nothing was left to erase"
        if self.releases:
            yield f"releases that hold it: {', '.join(self.releases)}; make new ones and take these back"
        yield OUTSIDE


def withdraw(project: Project, name: str, reason: str | None = None, noun: Noun | None = None) -> Withdrawn:
    """Erase the text of a document or a pair or an annotator's identity; the caller holds the project's lock."""
    chosen = noun or noun_of(project, name)
    with project.ledger.erasing() as connection:
        ids: set[str] = set()
        if chosen != "annotator":
            erase = erase_documents if chosen == "document" else erase_pairs
            counts, pairs = erase(connection, [name], now(), reason)
            releases = _releases(connection, pairs)
            ids = {name, *pairs}
        else:
            releases = _releases(connection, _judged_by(connection, name))
            counts = erase_annotator(connection, name, now(), reason)
    return Withdrawn(chosen, counts | {"rows_of_tables": clear_files(project, ids)}, releases)


def clear_files(project: Project, ids: set[str]) -> int:
    """Take out of the project's files what was erased in the ledger; how many rows of tables that were."""
    rows = erase_in_tables(project.tables, ids) if ids else 0
    search.forget(project)
    project.ledger.scrub()
    return rows


def noun_of(project: Project, name: str) -> Noun:
    """What is called that; who withdrew before is still known, by tombstone."""
    with project.ledger.reading() as connection:
        nouns = _nouns(connection, name)
        if not nouns and Pseudonyms(connection).of(name):
            return "annotator"
    if not nouns:
        raise ProjectError(f"{project.folder}: no document, no pair and no annotator is called {name!r}")
    if len(nouns) > 1:
        what, which = " and ".join(f"{_AN[noun]} {noun}" for noun in nouns), " or ".join(f"--noun {n}" for n in nouns)
        raise UsageError(f"{name!r} is {what}; say which: {which}")
    return nouns[0]


def _nouns(connection: Connection, name: str) -> list[Noun]:
    """All that is called that."""
    called: dict[Noun, Sequence[Any]] = {"document": [schema.documents.c.id], "pair": [schema.pairs.c.id]}
    called["annotator"] = PEOPLE
    return [
        noun
        for noun, columns in called.items()
        if any(connection.execute(select(one).where(one == name).limit(1)).first() for one in columns)
    ]


def _judged_by(connection: Connection, name: str) -> list[str]:
    one = schema.judgements
    found = connection.execute(select(one.c.pair).where(one.c.annotator == name, one.c.unit == "pair").distinct())
    return list(found.scalars())


def _releases(connection: Connection, pairs: list[str]) -> list[str]:
    one = schema.released_pairs
    versions = connection.execute(select(schema.releases.c.version).order_by(schema.releases.c.time)).scalars().all()
    wanted = set(pairs)
    affected = []
    for version in versions:
        held = connection.execute(select(one.c.pair).where(one.c.version == version)).scalars()
        if not wanted.isdisjoint(held):
            affected.append(version)
    return affected
