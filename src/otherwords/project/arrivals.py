"""Rows of an export on their way in: what is new is added, what is here is kept, what was withdrawn stays out.

An older export may hold the words of a document that was withdrawn since, a newer one may bring a withdrawal
that this project has not heard of. Both are honoured before anything is added.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import JSON, Column, Connection, Table, select, union

from otherwords.project import schema
from otherwords.project.erasing import BLANKS, bury, erase_documents, erase_pairs, is_blank, withdrawals, withdrawn
from otherwords.project.identities import NAMED, PEOPLE, Renaming, people_in
from otherwords.project.imports import Imported
from otherwords.project.ledger import insert_new
from otherwords.project.project import Project, now
from otherwords.project.pseudonyms import Pseudonyms, account_names, erase_annotator
from otherwords.project.rows import dicts
from otherwords.project.withdraw import clear_files

Row = dict[str, Any]
# What makes a row of a table itself.
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
    schema.guidelines: ("scheme", "version"),
    schema.remarks: ("id",),
    schema.batches: ("id",),
    schema.slots: ("batch", "position", "number"),
    schema.takers: ("batch", "annotator"),
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
        here = people_in(table, rows)
        for name in here:
            self._pseudonyms.of(name)
        if not (gone := self._pseudonyms.known()):  # also those of other tables: an id or a note may hold their names
            return rows
        renaming = Renaming(gone, here | set(account_names(connection)))
        return [row | renaming.changes(table, row) for row in rows]

    def _allowed(self, connection: Connection, table: Table, rows: list[Row]) -> list[Row]:
        if table is schema.slots:
            return _worth_judging(connection, rows)
        if table not in BLANKS:
            return rows
        times = withdrawals(connection, table, rows)
        kept, left_out = [], []
        for row in rows:
            if row["id"] not in times or is_blank(row):
                kept.append(row)
            elif table not in ERASED:
                kept.append(row | BLANKS[table](row, times[row["id"]]))
            else:
                left_out.append(row["id"])
        if table is schema.pairs:
            _bury_unknown(connection, {name: times[name] for name in left_out})
        return kept


def _bury_unknown(connection: Connection, times: dict[str, str]) -> None:
    """A pair that only comes to be left out has judgements and remarks that come after it."""
    one = schema.pairs
    here = set(connection.execute(select(one.c.id).where(one.c.id.in_(times))).scalars())
    for name in times.keys() - here:
        bury(connection, "pair", [name], times[name], None)


def _worth_judging(connection: Connection, rows: list[Row]) -> list[Row]:
    """Without the slots that ask for a judgement of what was withdrawn."""
    one = schema.batches
    named = select(one.c.id, one.c.unit).where(one.c.id.in_({row["batch"] for row in rows}))
    units = {row.id: row.unit for row in connection.execute(named)}
    about = [(units.get(row["batch"], "pair"), row["item"]) for row in rows]
    gone = withdrawn(connection, about)
    return [row for row, key in zip(rows, about, strict=True) if row.get("judgement") or key not in gone]


def honour(project: Project, told: Imported) -> None:
    """Erase here what the tombstones that came along ask for."""
    erased: set[str] = set()
    with project.ledger.erasing() as connection:
        for noun, text, erase in (
            ("document", schema.documents.c.text, erase_documents),
            ("pair", schema.pairs.c.text1, erase_pairs),
        ):
            for row in _standing(connection, noun, text):
                _, pairs = erase(connection, [row["target"]], row["time"], row["reason"])
                erased |= {row["target"], *pairs}
        names = _known_again(connection)
        for name in names:
            erase_annotator(connection, name, now(), None)
    if erased or names:
        clear_files(project, erased)
        told.marked["withdrawn where the export was made, and erased here"] = len(erased) + len(names)


def _standing(connection: Connection, noun: str, text: Column[Any]) -> list[Row]:
    """The tombstones of what still has its words."""
    one = schema.tombstones
    found = select(one).join(text.table, text.table.c.id == one.c.target).where(one.c.noun == noun, text != "")
    return dicts(connection.execute(found))


def _known_again(connection: Connection) -> list[str]:
    """The annotators here who withdrew elsewhere."""
    pseudonyms = Pseudonyms(connection)
    people = union(*(select(column) for column in PEOPLE))
    return [name for name in connection.execute(people).scalars().all() if name and pseudonyms.of(name)]


def _identity(table: Table, row: Row) -> bytes:
    return msgspec.json.encode([row[name] for name in IDENTITY[table]], order="sorted")


def _here(connection: Connection, table: Table, rows: list[Row]) -> dict[bytes, Row]:
    """The rows of a table that may be the same as some of these, by what makes them themselves."""
    columns = [table.c[name] for name in IDENTITY[table]]
    plain = [column for column in columns if not column.nullable and not isinstance(column.type, JSON)]
    wanted = [column.in_({row[column.name] for row in rows}) for column in plain]
    found = connection.execute(select(table).where(*wanted)).mappings()
    return {_identity(table, dict(row)): dict(row) for row in found}


def _same(one: Row, other: Row) -> bool:
    names = one.keys() & other.keys() - {"seq"}
    encoded = [msgspec.json.encode({name: row[name] for name in names}, order="sorted") for row in (one, other)]
    return encoded[0] == encoded[1]
