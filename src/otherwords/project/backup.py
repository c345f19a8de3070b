"""Backups: a project as one archive, taken while others work, and a place to put it back.

The archive holds the rows of the ledger as one snapshot saw them, the settings, and the tables that finished
steps refer to; its manifest vouches for each by digest. What is in it belongs to no database: a backup of SQLite
can be restored into PostgreSQL and the other way round. The ledger's URL, which may hold a password, stays out.

Accounts and tokens are in it, as hashes. A restored project begins without sessions, invitations, failed logins
and holds: whoever gets at an archive, or sets an old one up again, opens no session with it and uses no link that
was taken back since, and who was at work then has gone home.
"""

from __future__ import annotations

import contextlib
import io
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection

from otherwords.errors import WriteError
from otherwords.project import schema
from otherwords.project.config import DEFAULT_LEDGER, NAME, with_ledger
from otherwords.project.project import Project
from otherwords.project.row_lines import (
    MANIFEST,
    Digesting,
    Entry,
    manifest_of,
    step_tables,
    table_rows,
    write_lines,
)
from otherwords.sources.files import replacing

LEDGER = "ledger"  # the folder of the archive that holds the rows
FLEETING = (schema.sessions, schema.invitations, schema.attempts, schema.holds)
BLOCK = 2**20


def backup(project: Project, target: str | Path) -> dict[str, int]:
    """Write an archive, which appears when it is whole; the rows of each table of the ledger."""
    path = Path(target)
    if not path.name.endswith((".tar", ".tar.gz", ".tar.zst")):
        raise WriteError(f"{path}: a backup is an archive; call it {path.name}.tar.gz")
    if path.exists():
        raise WriteError(f"{path}: is there already; a backup never takes the place of another")
    with contextlib.ExitStack() as stack:
        connection = stack.enter_context(project.ledger.reading())
        members = dict(_members(project, connection, path.parent, stack))
        files = {name: _entry(name, stream) for name, stream in members.items()}
        manifest = manifest_of(project, "backup", files, project.ledger.revision() or "")
        with replacing(path) as stream, tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as archive:
            _add(archive, MANIFEST, io.BytesIO(manifest), len(manifest))
            for name, member in members.items():
                _add(archive, name, member, files[name].bytes)
        path.chmod(0o600)  # it holds the digests of passwords
    return {Path(name).stem: entry.rows for name, entry in files.items() if entry.rows is not None}


def _members(
    project: Project, connection: Connection, beside: Path, stack: contextlib.ExitStack
) -> Iterator[tuple[str, BinaryIO]]:
    """What goes into the archive, in its order. Files are held open: one that is replaced meanwhile stays as it was."""
    try:
        settings = with_ledger((project.folder / NAME).read_text(encoding="utf-8"), DEFAULT_LEDGER)
        yield NAME, io.BytesIO(settings.encode())
        for table in schema.metadata.sorted_tables:
            if table in FLEETING:
                continue
            # A nameless file: should the machine stop, no copy of the rows is left lying about.
            dump: Any = stack.enter_context(tempfile.TemporaryFile(dir=beside))  # noqa: SIM115
            write_lines(table_rows(connection, table), Digesting(dump))
            yield f"{LEDGER}/{table.name}.jsonl", dump
        for name in step_tables(connection, project):
            yield name, stack.enter_context((project.folder / name).open("rb"))
    except OSError as problem:
        where = problem.filename or beside
        raise WriteError(f"{where}: the backup cannot be made: {problem.strerror or problem}") from None


def _entry(name: str, stream: BinaryIO) -> Entry:
    stream.seek(0)
    digesting = Digesting(stream)
    while digesting.read(BLOCK):
        pass
    stream.seek(0)
    return digesting.entry(rows=name.startswith(f"{LEDGER}/"))


def _add(archive: tarfile.TarFile, name: str, stream: BinaryIO, size: int) -> None:
    """A member without a date or an owner: the same project gives the same archive."""
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o644, 0
    archive.addfile(member, stream)
