"""Honouring a withdrawn consent: a document's words or an annotator's name are erased, a tombstone stays.

The ledger changes in one transaction. Then the tables are gone through, the search index is deleted and the database
is rewritten, so that what was erased is not left in its files either; should that be interrupted, withdrawing again
does the rest.
The files that were imported, and backups and exports made earlier, are outside the project and not changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import Connection, select

from otherwords.errors import ProjectError, UsageError
from otherwords.project import schema, search
from otherwords.project.erasing import erase_documents
from otherwords.project.erasing_tables import erase_in_tables
from otherwords.project.identities import PEOPLE
from otherwords.project.project import Project, now
from otherwords.project.pseudonyms import Pseudonyms, erase_annotator

Noun = Literal["document", "annotator"]
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
        what = "text" if self.noun == "document" else "name"
        yield f"the {what} is erased: {counts}" if counts else "nothing was left to erase"
        if self.releases:
            yield f"releases that hold it: {', '.join(self.releases)}; make new ones and take these back"
        yield OUTSIDE


def withdraw(project: Project, name: str, reason: str | None = None, noun: Noun | None = None) -> Withdrawn:
    """Erase a document's text or an annotator's identity; the caller holds the project's lock."""
    with project.ledger.erasing() as connection:
        chosen = noun or _noun(connection, project, name)
        ids: set[str] = set()
        if chosen == "document":
            counts, pairs = erase_documents(connection, [name], now(), reason)
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


def _noun(connection: Connection, project: Project, name: str) -> Noun:
    """What is called that; who withdrew before is still known, by tombstone."""
    one = schema.documents
    is_document = connection.execute(select(one.c.seq).where(one.c.id == name)).first() is not None
    mentions = (select(column).where(column == name).limit(1) for column in PEOPLE)
    is_annotator = any(connection.execute(each).first() for each in mentions)
    if is_document and is_annotator:
        raise UsageError(f"{name!r} is a document and an annotator; say which: --noun document or --noun annotator")
    if is_document:
        return "document"
    if is_annotator or Pseudonyms(connection).of(name):
        return "annotator"
    raise ProjectError(f"{project.folder}: no document and no annotator is called {name!r}")


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
