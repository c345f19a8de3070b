"""Rows of an export on their way in: what is new is added, what is here is kept, what was withdrawn stays out.

An older export may hold the words of a document that was withdrawn since, a newer one may bring a withdrawal
that this project has not heard of. Both are honoured before anything is added.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, Table, select

from otherwords.project import schema
from otherwords.project.erasing import BLANKS, WITHDRAWN, erase_documents, withdrawals
from otherwords.project.erasing_tables import erase_in_tables
from otherwords.project.imports import Imported
from otherwords.project.ledger import insert_new
from otherwords.project.project import Project, now
from otherwords.project.pseudonyms import NAMED, Pseudonyms, erase_annotator, under_pseudonym

Row = dict[str, Any]
# What makes a row of a table itself; the column that tells most comes first.
IDENTITY = {
    schema.documents: ("id",),
    schema.document_pairs: ("id",),
    schema.pairs: ("id",),
    schema.judgements: ("id",),
    schema.tombstones: ("target", "noun"),
    schema.steps: ("key", "name", "started"),
    schema.events: ("time", "actor", "action", "detail"),
    schema.imports: ("id",),
    schema.releases: ("version",),
    schema.released_pairs: ("pair", "version"),
}
ERASED = (schema.documents, schema.pairs)  # of these an erased row comes in only if its words are gone already


class Arrivals:
    """The rows of one export on their way into a project."""

    def __init__(self, project: Project, told: Imported) -> None:
        self._project, self._told = project, told
        self._pseudonyms: Pseudonyms | None = None

    def add(self, table: Table, rows: list[Row]) -> None:
        """Add what is new among some rows, in one transaction."""
        with self._project.ledger.writing() as connection:
            kept = self._allowed(connection, table, self._renamed(connection, table, rows))
            here = _here(connection, table, kept)
            new: dict[bytes, Row] = {}
            for row in kept:
                identity = _identity(table, row)
                known = here.get(identity) or new.get(identity)
                if known is None:
                    new[identity] = row
                elif not _same(known, row):
                    noun = table.name.replace("_", " ")
                    reason = f"{noun}: one of that id, with other content, is here already and was kept"
                    self._told.skipped[reason] = self._told.skipped.get(reason, 0) + 1
            added = insert_new(connection, table, list(new.values()))
        self._told.read += len(rows)
        self._told.withdrawn += len(rows) - len(kept)
        self._told.added += added
        self._told.known += len(kept) - added

    def _renamed(self, connection: Connection, table: Table, rows: list[Row]) -> list[Row]:
        """Whoever withdrew comes back under the pseudonym only."""
        if table not in NAMED:
            return rows
        if self._pseudonyms is None:
            self._pseudonyms = Pseudonyms(connection)
        names = {row["annotator" if table is schema.judgements else "actor"] for row in rows} - {None}
        gone = {name: known for name in names if (known := self._pseudonyms.of(name))}
        for name, pseudonym in gone.items():
            rows = [row | under_pseudonym({one: row[one] for one in NAMED[table]}, name, pseudonym) for row in rows]
        return rows

    def _allowed(self, connection: Connection, table: Table, rows: list[Row]) -> list[Row]:
        if table not in BLANKS:
            return rows
        times = withdrawals(connection, table, rows)
        if not times:
            return rows
        kept = []
        for row in rows:
            if row["id"] not in times or row["meta"].keys() == {WITHDRAWN}:
                kept.append(row)
            elif table not in ERASED:
                kept.append(row | BLANKS[table](row, times[row["id"]]))
        return kept


def honour(project: Project, told: Imported) -> None:
    """Erase here what the tombstones that came along ask for."""
    one, documents = schema.tombstones, schema.documents
    with project.ledger.erasing() as connection:
        standing = select(one).join(documents, documents.c.id == one.c.target).where(one.c.noun == "document")
        erased: set[str] = set()
        for row in connection.execute(standing.where(documents.c.text != "")).mappings().all():
            _, pairs = erase_documents(connection, [row["target"]], row["time"], row["reason"])
            erased |= {row["target"], *pairs}
        names = _known_again(connection)
        for name in names:
            erase_annotator(connection, name, now(), None)
    if erased or names:
        erase_in_tables(project.tables, erased)
        project.ledger.scrub()
        told.marked["withdrawn where the export was made, and erased here"] = len(erased) + len(names)


def _known_again(connection: Connection) -> list[str]:
    """The annotators here who withdrew elsewhere."""
    pseudonyms = Pseudonyms(connection)
    people = select(schema.judgements.c.annotator).union(select(schema.events.c.actor))
    return [name for name in connection.execute(people).scalars().all() if name and pseudonyms.of(name)]


def _identity(table: Table, row: Row) -> bytes:
    return msgspec.json.encode([row[name] for name in IDENTITY[table]], order="sorted")


def _here(connection: Connection, table: Table, rows: list[Row]) -> dict[bytes, Row]:
    """The rows of a table that may be the same as some of these, by what makes them themselves."""
    first = table.c[IDENTITY[table][0]]
    wanted = {row[first.name] for row in rows}
    found = connection.execute(select(table).where(first.in_(wanted))).mappings()
    return {_identity(table, dict(row)): dict(row) for row in found}


def _same(one: Row, other: Row) -> bool:
    names = one.keys() & other.keys() - {"seq"}
    encoded = [msgspec.json.encode({name: row[name] for name in names}, order="sorted") for row in (one, other)]
    return encoded[0] == encoded[1]
