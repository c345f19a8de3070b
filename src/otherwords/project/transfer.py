"""A whole project as files that people exchange: written from one snapshot, read back without loss.

The four nouns go out as JSON Lines in the field's own shape, each line with its provenance beside its fields; the
rest of the ledger as plain rows; the tables of finished steps as they are. An export that comes back adds what
is not there yet, honours the withdrawals on both sides, and changes nothing that is there.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Table

from otherwords.errors import DataError, WriteError
from otherwords.project import schema
from otherwords.project.arrivals import Arrivals, honour
from otherwords.project.imports import Imported
from otherwords.project.project import Project
from otherwords.project.row_lines import (
    MANIFEST,
    Digesting,
    Entry,
    Manifest,
    is_step_table,
    manifest_of,
    read_lines,
    read_manifest,
    row_type,
    step_tables,
    table_rows,
    write_lines,
)
from otherwords.project.rows import TABLES, records, row_of
from otherwords.records import Document, DocumentPair, Judgement, Pair, Record
from otherwords.sources.folders import replacing_folder

SEQ = ("seq",)
ROWS_A_TRANSACTION = 2000
BLOCK = 2**20


class ImportedDocument(Document, frozen=True, gc=False):
    """A document and the import it came with."""

    import_id: str | None = None


class AlignedPair(DocumentPair, frozen=True, gc=False):
    """A document pair and the step that made it."""

    step: str | None = None
    step_key: str | None = None


class AcquiredPair(Pair, frozen=True, gc=False):
    """A pair and the import or the step it came with; one that was taken back says so."""

    import_id: str | None = None
    step: str | None = None
    step_key: str | None = None
    state: str | None = None


# In the order in which they are read: what decides about others comes before them.
PLAIN_FIRST = (schema.imports, schema.tombstones)
NOUNS: dict[Table, type[Record]] = {
    TABLES[Document]: ImportedDocument,
    TABLES[DocumentPair]: AlignedPair,
    TABLES[Pair]: AcquiredPair,
    TABLES[Judgement]: Judgement,
}
PLAIN_LAST = (schema.steps, schema.releases, schema.released_pairs)
SITE = (schema.guidelines, schema.remarks, schema.batches, schema.slots, schema.takers)
# Events last: by then the names of everybody who did something are known. Accounts, sessions, tokens, invitations
# and attempts stay where they are, since they are secrets, and holds, since they say who is at work right now.
ALL = (*PLAIN_FIRST, *NOUNS, *PLAIN_LAST, *SITE, schema.events)
BEFORE_THE_SITE = "0001"  # the schema of exports that have no file of its tables


def export(project: Project, folder: str | Path) -> dict[str, int]:
    """Write everything into a new folder, which appears when it is whole; the rows of each file."""
    target = Path(folder)
    files: dict[str, Entry] = {}
    with replacing_folder(target) as aside, project.ledger.reading() as connection:
        for table in ALL:
            name = f"{table.name}.jsonl"
            with (aside / name).open("wb") as stream:
                digesting = Digesting(stream)
                write_lines(_values(connection, table), digesting)
            files[name] = digesting.entry(rows=True)
        for name in step_tables(connection, project):
            files[name] = _copied(project.folder / name, aside / name)
        revision = project.ledger.revision() or ""
        (aside / MANIFEST).write_bytes(manifest_of(project, "export", files, revision))
    return {name: entry.rows for name, entry in files.items() if entry.rows is not None}


def _values(connection: Connection, table: Table) -> Iterator[Any]:
    if table not in NOUNS:
        return table_rows(connection, table, without=SEQ)
    return records(connection, NOUNS[table])


def _copied(source: Path, target: Path) -> Entry:
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as reading, target.open("wb") as writing:
        digesting = Digesting(writing)
        while block := reading.read(BLOCK):
            digesting.write(block)
    return digesting.entry(rows=False)


def import_export(project: Project, folder: str | Path) -> Imported:
    """Bring in what :func:`export` wrote; the caller holds the project's lock. Again, it adds nothing."""
    source = Path(folder)
    manifest = _verified(source)
    told = Imported(str(folder))
    arrivals = Arrivals(project, told)
    for table in _tables_of(manifest):
        name = f"{table.name}.jsonl"
        with (source / name).open("rb") as stream:
            rows = _rows(table, stream, source / name)
            while batch := list(islice(rows, ROWS_A_TRANSACTION)):
                arrivals.add(table, batch)
        if table is schema.tombstones:
            honour(project, told)
    for name in manifest.files:
        if name.endswith(".parquet"):
            _bring(source / name, project.folder / name)
    told.again = not (told.added or told.withdrawn or told.skipped or told.marked)
    return told


def _rows(table: Table, stream: Any, path: Path) -> Iterator[dict[str, Any]]:
    shape = row_type(table, without=SEQ)
    if table not in NOUNS:
        yield from map(msgspec.structs.asdict, read_lines(stream, shape, path))
        return
    for number, record in enumerate(read_lines(stream, NOUNS[table], path), 1):
        row = row_of(record)
        try:
            msgspec.convert(row, shape)
        except msgspec.ValidationError as problem:
            raise DataError(f"cannot be kept: {problem}", path, number) from None
        yield row


def _verified(folder: Path) -> Manifest:
    """The manifest of an export in which every file is as it was written."""
    path = folder / MANIFEST
    try:
        manifest = read_manifest(path.read_bytes(), "export", folder)
    except OSError as problem:
        raise DataError(f"not an export: {MANIFEST}: {problem.strerror}", folder) from None
    wanted = {f"{table.name}.jsonl" for table in _tables_of(manifest)}
    for name in sorted(wanted - manifest.files.keys()):
        raise DataError(f"{MANIFEST} does not list {name}", folder)
    for name, entry in manifest.files.items():
        if name not in wanted and not is_step_table(name):
            raise DataError(f"{MANIFEST} lists {name!r}, which is no file of an export", folder)
        if _entry(folder / name, entry.rows is not None) != entry:
            raise DataError(
                "is not what the manifest says; it was changed or damaged since it was written", folder / name
            )
    return manifest


def _tables_of(manifest: Manifest) -> list[Table]:
    """The tables that an export has, in their order."""
    return [table for table in ALL if manifest.schema != BEFORE_THE_SITE or table not in SITE]


def _entry(path: Path, rows: bool) -> Entry:
    try:
        with path.open("rb") as stream:
            digesting = Digesting(stream)
            while digesting.read(BLOCK):
                pass
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path) from None
    return digesting.entry(rows=rows)


def _bring(source: Path, target: Path) -> None:
    """Put a table in its place, unless one is there: a step's table is named by all that it depends on."""
    if target.exists():
        return
    aside = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, aside)
        aside.replace(target)
    except OSError as problem:
        raise WriteError(f"{target}: cannot be written: {problem.strerror or problem}") from None
    finally:
        aside.unlink(missing_ok=True)
