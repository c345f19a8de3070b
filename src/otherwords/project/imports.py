"""Texts into a project: each file once, each document once, however often an import is begun.

A document's id comes from its content, so a file that is imported again, or an import that was killed and
is run again, adds nothing twice. What was withdrawn stays out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, select, update

from otherwords.errors import DataError
from otherwords.project import schema
from otherwords.project.erasing import withdrawals
from otherwords.project.ledger import insert_new
from otherwords.project.project import Project, now
from otherwords.project.rows import TABLES, row_of
from otherwords.records import Document, Judgement, Pair, Record

ROWS_A_TRANSACTION = 500
FEW = 5  # ids that are named


@dataclass(slots=True)
class Imported:
    """What became of one file."""

    path: str
    read: int = 0
    added: int = 0
    known: int = 0
    withdrawn: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    marked: dict[str, int] = field(default_factory=dict)
    again: bool = False
    licence: str | None = None  # what was said of documents that do not say theirs
    relicensed: dict[str, int] = field(default_factory=dict)  # documents that were here under another one, or none
    relabelled: list[str] = field(default_factory=list)  # pairs that are here with another label, which they keep

    def counts(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("read", "added", "known", "withdrawn", "skipped", "marked")}

    def lines(self) -> Iterator[str]:
        """What happened, in sentences."""
        if self.again:
            yield f"{self.path}: was imported before; nothing to add"
            return
        yield f"{self.path}: {self.read:,} read, {self.added:,} added"
        if self.known:
            yield f"  here already: {self.known:,}"
        if self.relabelled:
            first = ", ".join(self.relabelled[:FEW]) + ("…" if len(self.relabelled) > FEW else "")
            which = f"{len(self.relabelled):,} ({first})"
            yield f"  here with another label, which they keep: {which}; judge them to change it"
        for was, count in sorted(self.relicensed.items()):
            yield f"  licence set to {self.licence}: {count:,} × {f'was {was}' if was else 'had none'}"
        if self.withdrawn:
            yield f"  withdrawn, and therefore left out: {self.withdrawn:,}"
        for reason, count in sorted(self.marked.items(), key=lambda one: (-one[1], one[0])):
            yield f"  noted: {count:,} × {reason}"
        for reason, count in sorted(self.skipped.items(), key=lambda one: (-one[1], one[0])):
            yield f"  refused: {count:,} × {reason}"


def file_digest(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents in a folder."""
    digest = hashlib.sha256()
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    for file in files:
        if path.is_dir():
            digest.update(str(file.relative_to(path)).encode() + b"\0")
        with file.open("rb") as stream:
            while block := stream.read(2**20):
                digest.update(block)
    return digest.hexdigest()


def add_records(project: Project, records: Iterable[Record], import_id: str, told: Imported) -> None:
    """Put documents, pairs or judgements into the ledger, some hundred at a time."""
    stream = iter(records)
    while batch := list(islice(stream, ROWS_A_TRANSACTION)):
        kind = type(batch[0])
        with project.ledger.writing() as connection:
            found = [_row(record, import_id) for record in batch]
            gone = withdrawals(connection, TABLES[kind], found)
            rows = [row for row in found if row["id"] not in gone]
            added = insert_new(connection, TABLES[kind], rows)
            if kind is Pair and added < len(rows):
                _compare_with_those_here(connection, rows, told)
            if kind is Document and added < len(rows) and told.licence:
                _relicense(connection, rows, told)
        told.read += len(batch)
        told.withdrawn += len(batch) - len(rows)
        told.added += added
        told.known += len(rows) - added


def _row(record: Record, import_id: str) -> dict[str, Any]:
    """The row of a record, with where it came from; a judgement has no column for that."""
    if isinstance(record, Judgement):
        return row_of(msgspec.structs.replace(record, meta=record.meta | {"import": import_id}))
    return row_of(record, import_id=import_id)


def _compare_with_those_here(connection: Connection, rows: list[dict[str, Any]], told: Imported) -> None:
    """Two pairs with one id and different texts would be one too few; another label is told."""
    table = schema.pairs
    columns = (table.c.text1, table.c.text2, table.c.label)
    asked = select(table.c.id, *columns).where(table.c.id.in_([row["id"] for row in rows]))
    known = {name: tuple(said) for name, *said in connection.execute(asked)}
    for row in rows:
        *texts, label = known[row["id"]]
        if texts != [row["text1"], row["text2"]]:
            raise DataError(
                f"pair {row['id']}: the project has another pair with this id; give it a new one", told.path
            )
        if row["label"] is not None and row["label"] != label:
            told.relabelled.append(row["id"])


def _relicense(connection: Connection, rows: list[dict[str, Any]], told: Imported) -> None:
    """Documents that are here get the licence that was said now; one that says its own keeps that."""
    table = schema.documents
    said = [row["id"] for row in rows if row["licence"] == told.licence]
    asked = select(table.c.id, table.c.licence).where(
        table.c.id.in_(said), table.c.licence.is_distinct_from(told.licence)
    )
    others = {row.id: row.licence for row in connection.execute(asked)}
    connection.execute(update(table).where(table.c.id.in_(list(others))).values(licence=told.licence))
    for was in others.values():
        told.relicensed[was or ""] = told.relicensed.get(was or "", 0) + 1


def begin(project: Project, kind: str, path: Path, wishes: dict[str, Any]) -> tuple[str, Imported | None]:
    """Note that a file is being imported; if that was done before, what it gave, whatever its licence was then."""
    sha256 = file_digest(path)
    lasting = {name: value for name, value in wishes.items() if name != "licence"}
    told = msgspec.json.encode({"kind": kind, "wishes": lasting, "sha256": sha256}, order="sorted")
    import_id = hashlib.sha256(told).hexdigest()[:16]
    table = schema.imports
    with project.ledger.writing() as connection:
        before = connection.execute(select(table).where(table.c.id == import_id)).mappings().first()
        if before is not None and before["state"] == "done":
            licence = before["wishes"].get("licence")
            return import_id, Imported(str(path), **before["counts"], again=True, licence=licence)
        if before is None:
            row = {"id": import_id, "kind": kind, "path": str(path.absolute()), "sha256": sha256, "wishes": wishes}
            connection.execute(table.insert().values(**row, state="running", counts={}, started=now()))
    return import_id, None


def finish(
    project: Project, import_id: str, wishes: dict[str, Any], told: Imported, before: Imported | None = None
) -> None:
    """Note that a file was imported to its end; what it added when it was read before stays its own."""
    table, counts = schema.imports, told.counts()
    if before is not None:
        counts |= {"added": before.added + told.added, "known": max(0, told.known - before.added)}
    with project.ledger.writing() as connection:
        values = {"state": "done", "wishes": wishes, "counts": counts, "finished": now()}
        connection.execute(update(table).where(table.c.id == import_id).values(**values))
