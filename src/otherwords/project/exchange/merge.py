"""Merge the rows of an export into a project: new rows are added, existing ones kept, withdrawn ones left out.

An older export may hold the words of a document that was withdrawn since; a newer one may bring a withdrawal that is
unknown here. Both are honoured before anything is added.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import JSON, Connection, Table, select, union

from otherwords.project.importing.records import ImportResult
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import Row, row_dicts
from otherwords.project.project import Project, now
from otherwords.project.withdrawal.erase_rows import (
    BLANKS,
    bury,
    erase_documents,
    erase_pairs,
    is_blank,
    withdrawals,
    withdrawn,
)
from otherwords.project.withdrawal.identities import PEOPLE
from otherwords.project.withdrawal.pseudonyms import PSEUDONYM_PREFIX, Pseudonyms, erase_annotator
from otherwords.project.withdrawal.withdraw import erase_in_files, releases_with

# The columns that identify a row of a table.
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
    schema.left_out: ("id",),
    schema.introductions: ("batch", "version"),
    schema.consents: ("batch", "annotator", "version"),
    schema.completion_codes: ("code",),
}
ERASED = (schema.documents, schema.pairs)  # withdrawn rows of these are added only if they are blank


class MergedRecords:
    """Adds the rows of an export to a project."""

    def __init__(self, project: Project, result: ImportResult) -> None:
        self._project, self._result = project, result
        self._pseudonyms: Pseudonyms | None = None

    def add(self, table: Table, rows: list[Row]) -> None:
        """Add the new ones of some rows, in one transaction."""
        with self._project.ledger.writing() as connection:
            self._pseudonyms = self._pseudonyms or Pseudonyms(connection)
            kept = self._without_withdrawn(connection, table, self._pseudonyms.in_rows(connection, table, rows))
            existing = _existing(connection, table, kept)
            new: dict[bytes, Row] = {}
            for row in kept:
                identity = _identity(table, row)
                known = existing.get(identity) or new.get(identity)
                if known is None:
                    new[identity] = row
                    continue
                names = known.keys() & row.keys() - {"seq"}
                ours, theirs = ({name: version[name] for name in names} for version in (known, row))
                if msgspec.json.encode(ours, order="sorted") != msgspec.json.encode(theirs, order="sorted"):
                    noun = table.name.replace("_", " ")
                    reason = f"{noun}: one of that id, with other content, is here already and was kept"
                    self._result.skipped[reason] = self._result.skipped.get(reason, 0) + 1
            added = insert_new(connection, table, list(new.values()))
        self._result.read += len(rows)
        self._result.withdrawn += len(rows) - len(kept)
        self._result.added += added
        self._result.known += len(kept) - added

    def _without_withdrawn(self, connection: Connection, table: Table, rows: list[Row]) -> list[Row]:
        """The rows without withdrawn ones, or with their words blanked where the table keeps such rows."""
        if table is schema.slots:
            return _slots_to_keep(connection, rows)
        if table is schema.completion_codes:  # where they were paid, a code names whoever withdrew
            return [row for row in rows if not row["annotator"].startswith(PSEUDONYM_PREFIX)]
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
        if table is schema.pairs:  # unknown ones get tombstones, since their judgements and remarks are read later
            here = select(table.c.id).where(table.c.id.in_(left_out))
            for pair in set(left_out).difference(connection.execute(here).scalars()):
                bury(connection, "pair", [pair], times[pair], None)
        return kept


def _slots_to_keep(connection: Connection, rows: list[Row]) -> list[Row]:
    """The slots without open ones of withdrawn items."""
    batches = schema.batches
    named = select(batches.c.id, batches.c.unit).where(batches.c.id.in_({row["batch"] for row in rows}))
    units = {row.id: row.unit for row in connection.execute(named)}
    items = [(units.get(row["batch"], "pair"), row["item"]) for row in rows]
    erased = withdrawn(connection, items)
    return [row for row, item in zip(rows, items, strict=True) if row.get("judgement") or item not in erased]


def honour(project: Project, result: ImportResult) -> None:
    """Erase here what the tombstones of the export ask for."""
    erased: set[str] = set()
    tombstones = schema.tombstones
    with project.ledger.erasing() as connection:
        for noun, text, erase in (
            ("document", schema.documents.c.text, erase_documents),
            ("pair", schema.pairs.c.text1, erase_pairs),
        ):
            # The tombstones of rows that still have their words.
            pending = select(tombstones).join(text.table, text.table.c.id == tombstones.c.target)
            for row in row_dicts(connection.execute(pending.where(tombstones.c.noun == noun, text != ""))):
                _, pairs = erase(connection, [row["target"]], row["time"], row["reason"])
                erased |= {row["target"], *pairs}
        releases = releases_with(connection, erased)
        # Annotators who are named here and withdrew elsewhere.
        people, pseudonyms = union(*(select(column) for column in PEOPLE)), Pseudonyms(connection)
        names = [name for name in connection.execute(people).scalars().all() if name and pseudonyms.find(name)]
        for name in names:
            erase_annotator(connection, name, now(), None)
    if erased or names:
        erase_in_files(project, erased, releases)
        result.marked["withdrawn where the export was made, and erased here"] = len(erased) + len(names)


def _identity(table: Table, row: Row) -> bytes:
    return msgspec.json.encode([row[name] for name in IDENTITY[table]], order="sorted")


def _existing(connection: Connection, table: Table, rows: list[Row]) -> dict[bytes, Row]:
    """The rows of a table that may be the same as some of these, by identity."""
    columns = [table.c[name] for name in IDENTITY[table]]
    plain = [column for column in columns if not column.nullable and not isinstance(column.type, JSON)]
    wanted = [column.in_({row[column.name] for row in rows}) for column in plain]
    return {_identity(table, row): row for row in row_dicts(connection.execute(select(table).where(*wanted)))}
