"""Restore a backup into a new folder and an empty database, after every byte of it was checked.

An archive may come from anywhere. Only plain files that a backup can have and that agree with the manifest are
accepted: nothing in it can make a file larger than the archive is when it is unpacked. The archive is read once to
check it and once to extract its files, and then the ledger is filled in one transaction. A table that is not in the
archive, because a later version added it, stays empty; tables that backups leave out are not read.
"""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Connection, MetaData, Table, func, insert, select

from otherwords.errors import DataError, ProjectError
from otherwords.project.config import CONFIG_FILE, DEFAULT_LEDGER, read_config, with_ledger_url
from otherwords.project.exchange import own_files, row_lines, sealed_keys
from otherwords.project.exchange.backup import LEDGER, NOT_KEPT
from otherwords.project.ledger import Ledger, known_revisions, migrate
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.permissions import PRIVATE_FOLDER, write_private
from otherwords.project.project import TABLES
from otherwords.sources.io.files import atomic_folder, open_binary

MAX_MANIFEST = 64 * 2**20
MAX_SETTINGS = 2**20
MAX_BYTES = {CONFIG_FILE: MAX_SETTINGS, sealed_keys.NAME: sealed_keys.MAX_BYTES}  # of what is read at once
MAX_NAME = 64 * 2**10  # of the headers for long names, which tarfile reads at once
ROWS_PER_STATEMENT = 1000
UNREAD = frozenset(table.name for table in NOT_KEPT)
FileReader = Callable[[str, BinaryIO], None]


class PlainMember(tarfile.TarInfo):
    """The header of a file in a backup. A sparse file would unpack to any size, and long headers fill the memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> PlainMember:
        """Parse a header."""
        member = super().frombuf(buf, encoding, errors)
        if member.type not in tarfile.REGULAR_TYPES and member.size > MAX_NAME:
            raise tarfile.ReadError(f"a header of {member.size:,} bytes")
        return member

    @property
    def is_plain(self) -> bool:
        """Whether it is a file with as many bytes as the archive has of it."""
        return self.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and self.sparse is None


def restore(
    archive: str | Path, folder: str | Path, url: str | None = None, passphrase: str | None = None
) -> dict[str, int]:
    """Create a project from a backup, on SQLite or on another database; the number of rows of each table.

    Its sealed keys are opened with the passphrase. Without one they stay sealed, in a file of the new folder.
    """
    source, target = Path(archive), Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        message = f"{target}: is not empty; a backup is restored into a new folder"
        raise ProjectError(message, code="folder-not-empty")
    manifest = _verify(source)
    _check_room(manifest, target, source)
    with atomic_folder(target, PRIVATE_FOLDER) as aside:
        (aside / TABLES).mkdir()
        _read_archive(source, lambda name, stream: _extract(aside, name, stream, url or DEFAULT_LEDGER))
        if passphrase is not None:
            _open_keys(aside, passphrase, source)
        with Ledger.beginning(read_config(aside).ledger_url(aside.resolve())) as connection:
            _fill(connection, source, manifest)
    rows = {Path(name).stem: entry.rows for name, entry in manifest.files.items() if entry.rows is not None}
    return {table: count for table, count in rows.items() if table not in UNREAD}


def _verify(source: Path) -> row_lines.Manifest:
    """The manifest of a backup, after every file was compared with it."""
    entries = {}

    def check(name: str, stream: BinaryIO) -> None:
        entries[name] = row_lines.read_entry(stream, rows=name.startswith(f"{LEDGER}/"))

    manifest = _read_archive(source, check)
    for name, entry in manifest.files.items():
        if entries.get(name) != entry:
            raise DataError(f"{name} is missing or differs from the manifest", source, code="damaged-file")
    if manifest.schema not in known_revisions():
        raise DataError(
            f"made by a newer version of otherwords (schema {manifest.schema}); upgrade otherwords to restore it",
            source,
            code="newer-version",
        )
    return manifest


def _check_room(manifest: row_lines.Manifest, target: Path, source: Path) -> None:
    """Refuse what does not fit on the disk before anything is written."""
    needed = sum(entry.bytes for entry in manifest.files.values())
    existing = next(folder for folder in (target.resolve(), *target.resolve().parents) if folder.is_dir())
    free = shutil.disk_usage(existing).free
    if needed > free:
        reason = f"it needs {needed / 1e6:,.0f} MB, and {existing} has room for {free / 1e6:,.0f} MB"
        raise DataError(reason, source, code="no-room")


def _read_archive(source: Path, read_file: FileReader) -> row_lines.Manifest:
    """Call a function for each file of the archive; one that the manifest does not list is an error."""
    manifest: row_lines.Manifest | None = None
    seen: set[str] = set()
    with open_binary(source) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|", tarinfo=PlainMember) as archive:
                for member in archive:
                    plain = isinstance(member, PlainMember) and member.is_plain
                    content = archive.extractfile(member) if plain else None
                    if content is None or member.name in seen:
                        raise _foreign_file(member.name, source)
                    seen.add(member.name)
                    if manifest is None:
                        manifest = _read_manifest(source, member, content)
                    elif member.name in manifest.files and member.size == manifest.files[member.name].bytes:
                        read_file(member.name, content)  # type: ignore[arg-type]
                    else:
                        reason = f"{member.name!r} is not what the manifest says"
                        raise DataError(reason, source, code="damaged-file")
        except tarfile.TarError as problem:
            raise DataError(f"not a backup, or a damaged one: {problem}", source, code="not-a-backup") from None
    if manifest is None:
        raise DataError("not a backup: it is empty", source, code="not-a-backup")
    return manifest


def _foreign_file(name: str, source: Path) -> DataError:
    return DataError(f"{name!r} has no place in a backup", source, code="foreign-file")


def _read_manifest(source: Path, member: tarfile.TarInfo, content: Any) -> row_lines.Manifest:
    """The manifest, after every name in it was checked."""
    if member.name != row_lines.MANIFEST or member.size > MAX_MANIFEST:
        raise DataError(f"not a backup: it does not begin with {row_lines.MANIFEST}", source, code="not-a-backup")
    manifest = row_lines.read_manifest(content.read(), "backup", source)
    for name, entry in manifest.files.items():
        table = name.removeprefix(f"{LEDGER}/").removesuffix(".jsonl")
        is_table = name == f"{LEDGER}/{table}.jsonl" and table.isidentifier()
        known = name in MAX_BYTES or is_table or row_lines.is_dataset_file(name) or own_files.is_own_file(name)
        if not known:
            raise _foreign_file(name, source)
        if entry.bytes > MAX_BYTES.get(name, entry.bytes):
            raise DataError(f"{name} has {entry.bytes:,} bytes, which is too much", source, code="too-large")
    if CONFIG_FILE not in manifest.files:
        raise DataError(f"not a backup of a project: {CONFIG_FILE} is missing", source, code="missing-file")
    return manifest


def _extract(folder: Path, name: str, stream: BinaryIO, url: str) -> None:
    """Write a file of the archive, the settings with the URL of the new ledger."""
    if name.startswith(f"{LEDGER}/"):
        return
    path = folder / name.removeprefix(f"{own_files.FOLDER}/")
    path.parent.mkdir(parents=True, exist_ok=True)
    if name == CONFIG_FILE:
        try:
            settings = stream.read().decode()
        except UnicodeDecodeError:
            raise DataError("is not UTF-8", name, code="wrong-encoding") from None
        write_private(path, with_ledger_url(settings, url))
        return
    with path.open("wb") as target:
        while block := stream.read(row_lines.BLOCK):
            target.write(block)


def _open_keys(folder: Path, passphrase: str, source: Path) -> None:
    """Replace the sealed keys of a restored folder by the keys."""
    sealed = folder / sealed_keys.NAME
    if not sealed.is_file():
        reason = "it has no keys to open with a passphrase; leave the passphrase out"
        raise DataError(reason, source, code="no-sealed-keys")
    sealed_keys.write_keys(folder, sealed_keys.open_keys(sealed.read_bytes(), passphrase, source))
    sealed.unlink()


def _fill(connection: Connection, source: Path, manifest: row_lines.Manifest) -> None:
    """Create the schema of the backup, insert the rows, and upgrade both."""
    migrate(connection, manifest.schema)
    old_schema = MetaData()
    old_schema.reflect(connection)

    def insert_rows(name: str, stream: BinaryIO) -> None:
        if name.startswith(f"{LEDGER}/"):
            stem = Path(name).stem
            if stem not in old_schema.tables:
                raise DataError(f"schema {manifest.schema} has no table {stem!r}", source, code="no-such-table")
            if stem not in UNREAD:
                _insert(connection, old_schema.tables[stem], stream, f"{source}: {name}")

    _read_archive(source, insert_rows)
    migrate(connection)


def _insert(connection: Connection, table: Table, stream: BinaryIO, where: str) -> None:
    rows = map(msgspec.structs.asdict, row_lines.read_lines(stream, row_lines.row_type(table), where))
    for block in in_blocks(rows, ROWS_PER_STATEMENT):
        connection.execute(insert(table), block)
    if connection.dialect.name == "postgresql" and "seq" in table.c:
        last = connection.execute(select(func.max(table.c.seq))).scalar()
        if last is not None:  # rows with explicit numbers do not advance the counter
            counter = func.pg_get_serial_sequence(table.name, "seq")
            connection.execute(select(func.setval(counter, last)))
