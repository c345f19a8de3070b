"""Backups: a project as one archive, written while others work.

The archive holds one snapshot of the ledger's rows, the settings, the project's own files (schemes, guidelines, recipe
and what it names), and the datasets of finished steps; its manifest has a digest of each. It does not depend on the
database: a backup of SQLite can be restored into PostgreSQL and the other way round. The ledger's URL, which may hold a
password, is left out.

Accounts and tokens are included, as hashes. Sessions, sign-ins on their way, invitations, failed logins and locks are
not: nobody can open a session with an archive, or use a link that was revoked since, and locks are outdated by then.
The keys of pseudonyms and hidden tests are included only under a passphrase.
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
from otherwords.project.config import CONFIG_FILE, DEFAULT_LEDGER, with_ledger_url
from otherwords.project.exchange import own_files, row_lines, sealed_keys
from otherwords.project.ledger import schema
from otherwords.project.permissions import PRIVATE_FILE
from otherwords.project.project import Project
from otherwords.sources.io.files import atomic_write

LEDGER = "ledger"  # the folder of the rows in the archive
NOT_KEPT = (schema.sessions, schema.sign_ins, schema.invitations, schema.attempts, schema.holds)


def backup(project: Project, target: str | Path, passphrase: str | None = None) -> dict[str, int]:
    """Write an archive, which appears when it is complete; the number of rows of each table."""
    path = Path(target)
    if not path.name.endswith((".tar", ".tar.gz", ".tar.zst")):
        raise WriteError(f"{path}: a backup is an archive; call it {path.name}.tar.gz", code="wrong-suffix")
    if path.exists():
        raise WriteError(f"{path}: is there already; a backup never takes the place of another", code="file-exists")
    with contextlib.ExitStack() as stack:
        connection = stack.enter_context(project.ledger.reading())
        members = dict(_members(project, connection, path.parent, stack))
        if passphrase is not None:
            members[sealed_keys.NAME] = io.BytesIO(sealed_keys.seal_keys(project.folder, passphrase))
        files: dict[str, row_lines.Entry] = {}
        for name, member in members.items():
            member.seek(0)
            files[name] = row_lines.read_entry(member, rows=name.startswith(f"{LEDGER}/"))
            member.seek(0)
        manifest = row_lines.encode_manifest(project, "backup", files, project.ledger.revision() or "")
        with (
            atomic_write(path, PRIVATE_FILE) as stream,  # it has the hashes of passwords
            tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as archive,
        ):
            _add(archive, row_lines.MANIFEST, io.BytesIO(manifest), len(manifest))
            for name, member in members.items():
                _add(archive, name, member, files[name].bytes)
    return {Path(name).stem: entry.rows for name, entry in files.items() if entry.rows is not None}


def _members(
    project: Project, connection: Connection, beside: Path, stack: contextlib.ExitStack
) -> Iterator[tuple[str, BinaryIO]]:
    """The files of the archive in order. They are kept open, so that one that is replaced meanwhile stays as it was."""
    try:
        settings = with_ledger_url((project.folder / CONFIG_FILE).read_text(encoding="utf-8"), DEFAULT_LEDGER)
        yield CONFIG_FILE, io.BytesIO(settings.encode())
        for table in schema.metadata.sorted_tables:
            if table in NOT_KEPT:
                continue
            # A file without a name: if the machine stops, no copy of the rows is left behind.
            dump: Any = stack.enter_context(tempfile.TemporaryFile(dir=beside))  # noqa: SIM115
            row_lines.write_lines(row_lines.table_rows(connection, table), row_lines.DigestStream(dump))
            yield f"{LEDGER}/{table.name}.jsonl", dump
        for name in own_files.own_files(connection, project):
            yield f"{own_files.FOLDER}/{name}", stack.enter_context((project.folder / name).open("rb"))
        for name in row_lines.dataset_files(connection, project):
            yield name, stack.enter_context((project.folder / name).open("rb"))
    except OSError as problem:
        where = problem.filename or beside
        message = f"{where}: the backup cannot be made: {problem.strerror or problem}"
        raise WriteError(message, code="file-unwritable") from None


def _add(archive: tarfile.TarFile, name: str, stream: BinaryIO, size: int) -> None:
    """Add a member without a date or an owner, so that the same project gives the same archive."""
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o644, 0
    archive.addfile(member, stream)
