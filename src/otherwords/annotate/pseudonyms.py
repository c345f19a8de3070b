"""Pseudonyms for exports: who is who stays the same from one export to the next, and is not told.

A pseudonym is a keyed hash of a name. The key is random, made when it is first needed, and stays in the project's own
folder: nobody who has an export can try names, and no two projects have the same pseudonyms. (Annotators who withdraw
are another matter, :mod:`otherwords.project.pseudonyms`: their names are gone from the ledger itself.)
"""

from __future__ import annotations

import contextlib
import os
import secrets
from hashlib import blake2b
from pathlib import Path

from sqlalchemy import Connection, select

from otherwords.errors import ProjectError
from otherwords.project.identities import PEOPLE, Renaming

FOLDER, KEY = "secrets", "pseudonyms.key"
PREFIX = "a-"
KEY_BYTES = 32
DIGEST_BYTES = 4  # of a thousand people, two have the same one in one project of ten thousand


def pseudonym_of(name: str, key: bytes) -> str:
    """What a name is in exports."""
    return PREFIX + blake2b(name.encode(), key=key, digest_size=DIGEST_BYTES).hexdigest()


def pseudonyms(connection: Connection, key: bytes) -> Renaming | None:
    """What replaces the names of all who ever had to do with a project; nothing, where nobody had."""
    names: set[str] = set()
    for column in PEOPLE:
        names.update(filter(None, connection.execute(select(column).distinct()).scalars()))
    return Renaming({name: pseudonym_of(name, key) for name in names}, names) if names else None


def key_of(project: Path, name: str = KEY) -> bytes:
    """A key of a project, made anew where there is none; of several who make one at once, one wins."""
    path = project / FOLDER / name
    try:
        if not path.exists():
            _make(path)
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except OSError as problem:
        raise ProjectError(f"{path}: {problem.strerror or problem}") from None
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ProjectError(f"{path}: is not a key; put it back from a copy, or delete it and have a new one")
    return key


def _make(path: Path) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            stream.write(secrets.token_hex(KEY_BYTES))
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(aside, path)
    finally:
        aside.unlink()
