"""Putting a backup back: into an empty place only, after every byte of it was checked.

In goes an archive from anywhere, out comes a project. Names, sizes and digests in it are believed only where they
agree with the manifest, and of names only those that a backup can have. The archive is gone through twice: once
to check it, once to fill the ledger, in a single transaction. A table of which the archive has no file is empty
in the project, as those are that came after the archive; of what no backup keeps nothing is read.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Connection, MetaData, Table, func, insert, select

from otherwords.errors import DataError, ProjectError
from otherwords.project.backup import BLOCK, FLEETING, LEDGER
from otherwords.project.config import DEFAULT_LEDGER, NAME, read_config, with_ledger
from otherwords.project.ledger import Ledger
from otherwords.project.migrating import known_revisions, migrate
from otherwords.project.project import TABLES
from otherwords.project.row_lines import (
    MANIFEST,
    Digesting,
    Manifest,
    is_step_table,
    read_lines,
    read_manifest,
    row_type,
)
from otherwords.sources.files import open_binary
from otherwords.sources.folders import replacing_folder

MAX_MANIFEST = 64 * 2**20
ROWS_A_STATEMENT = 1000
UNREAD = frozenset(table.name for table in FLEETING)
Take = Callable[[str, BinaryIO], None]


def restore(archive: str | Path, folder: str | Path, url: str | None = None) -> dict[str, int]:
    """Make a project of a backup, on SQLite or on the database named; the rows of each table of its ledger."""
    source, target = Path(archive), Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ProjectError(f"{target}: is not empty; a backup is restored into a new folder")
    manifest = _checked(source)
    with replacing_folder(target) as aside:
        (aside / TABLES).mkdir()
        _go_through(source, lambda name, stream: _put_file(aside, name, stream, url or DEFAULT_LEDGER))
        with Ledger.beginning(read_config(aside).ledger_url(aside.resolve())) as connection:
            _fill(connection, source, manifest)
    rows = {Path(name).stem: entry.rows for name, entry in manifest.files.items() if entry.rows is not None}
    return {table: count for table, count in rows.items() if table not in UNREAD}


def _checked(source: Path) -> Manifest:
    """The manifest of a backup in which every file is as it was written, and no other is there."""
    entries = {}

    def check(name: str, stream: BinaryIO) -> None:
        digesting = Digesting(stream)
        while digesting.read(BLOCK):
            pass
        entries[name] = digesting.entry(rows=name.startswith(f"{LEDGER}/"))

    manifest = _go_through(source, check)
    for name, entry in manifest.files.items():
        if entries.get(name) != entry:
            raise DataError(f"{name} is missing or damaged; the manifest says otherwise", source)
    if manifest.schema not in known_revisions():
        raise DataError(
            f"made by a newer version of otherwords (schema {manifest.schema}); upgrade otherwords to restore it",
            source,
        )
    return manifest


def _go_through(source: Path, take: Take) -> Manifest:
    """Hand over each file of the archive; one that has no business there ends it."""
    manifest: Manifest | None = None
    seen: set[str] = set()
    with open_binary(source) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                for member in archive:
                    content = archive.extractfile(member) if member.isreg() else None
                    if content is None or member.name in seen:
                        raise DataError(f"{member.name!r} has no place in a backup", source)
                    seen.add(member.name)
                    if manifest is None:
                        manifest = _manifest(source, member, content)
                    elif member.name in manifest.files and member.size == manifest.files[member.name].bytes:
                        take(member.name, content)  # type: ignore[arg-type]
                    else:
                        raise DataError(f"{member.name!r} is not what the manifest says", source)
        except tarfile.TarError as problem:
            raise DataError(f"not a backup, or a damaged one: {problem}", source) from None
    if manifest is None:
        raise DataError("not a backup: it is empty", source)
    return manifest


def _manifest(source: Path, member: tarfile.TarInfo, content: Any) -> Manifest:
    if member.name != MANIFEST or member.size > MAX_MANIFEST:
        raise DataError(f"not a backup: it does not begin with {MANIFEST}", source)
    manifest = read_manifest(content.read(), "backup", source)
    for name in manifest.files:
        table = name.removeprefix(f"{LEDGER}/").removesuffix(".jsonl")
        if (
            name != NAME
            and not is_step_table(name)
            and not (name == f"{LEDGER}/{table}.jsonl" and table.isidentifier())
        ):
            raise DataError(f"{name!r} has no place in a backup", source)
    if NAME not in manifest.files:
        raise DataError(f"not a backup of a project: {NAME} is missing", source)
    return manifest


def _put_file(folder: Path, name: str, stream: BinaryIO, url: str) -> None:
    if name.startswith(f"{LEDGER}/"):
        return
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if name == NAME:
        try:
            settings = stream.read().decode()
        except UnicodeDecodeError:
            raise DataError("is not UTF-8", name) from None
        path.write_text(with_ledger(settings, url), encoding="utf-8")
        return
    with path.open("wb") as target:
        while block := stream.read(BLOCK):
            target.write(block)


def _fill(connection: Connection, source: Path, manifest: Manifest) -> None:
    """Build the schema as it was, put the rows in, and bring both up to date."""
    migrate(connection, manifest.schema)
    then = MetaData()
    then.reflect(connection)

    def put_rows(name: str, stream: BinaryIO) -> None:
        if name.startswith(f"{LEDGER}/"):
            stem = Path(name).stem
            if stem not in then.tables:
                raise DataError(f"schema {manifest.schema} has no table {stem!r}", source)
            if stem not in UNREAD:
                _insert(connection, then.tables[stem], stream, f"{source}: {name}")

    _go_through(source, put_rows)
    migrate(connection)


def _insert(connection: Connection, table: Table, stream: BinaryIO, where: str) -> None:
    rows = map(msgspec.structs.asdict, read_lines(stream, row_type(table), where))
    while batch := list(islice(rows, ROWS_A_STATEMENT)):
        connection.execute(insert(table), batch)
    if connection.dialect.name == "postgresql" and "seq" in table.c:
        last = connection.execute(select(func.max(table.c.seq))).scalar()
        if last is not None:  # rows that came with their numbers do not move the counter
            counter = func.pg_get_serial_sequence(table.name, "seq")
            connection.execute(select(func.setval(counter, last)))
