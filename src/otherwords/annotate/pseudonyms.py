"""Pseudonyms for exports: the same person has the same pseudonym in every export, and nobody can tell who it is.

A pseudonym is a keyed hash of a name. The key is random, created when it is first needed, and stays in the project's
folder: nobody who has an export can try names, and no two projects have the same pseudonyms. (Annotators who withdraw
are another matter, :mod:`otherwords.project.withdrawal.pseudonyms`: their names are gone from the ledger itself.)
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from sqlalchemy import Connection

from otherwords.digests import digest_hex
from otherwords.errors import ProjectError
from otherwords.project.project import SECRETS
from otherwords.project.withdrawal.identities import Renaming, all_people

KEY = "pseudonyms.key"
PREFIX = "a-"
KEY_BYTES = 32
DIGEST_BYTES = 4  # with a thousand people, two share a pseudonym in one project of ten thousand


def pseudonym_of(name: str, key: bytes, prefix: str = PREFIX) -> str:
    """The pseudonym of a name in exports."""
    return prefix + digest_hex(name, size=DIGEST_BYTES, key=key)


def pseudonyms(connection: Connection, key: bytes) -> Renaming | None:
    """Pseudonyms of everybody named in a ledger; None where nobody is."""
    names = all_people(connection)
    return Renaming({name: pseudonym_of(name, key) for name in names}, names) if names else None


def project_key(project: Path, name: str = KEY) -> bytes:
    """A secret key of a project, created if there is none; if several processes create one at once, one wins."""
    path = project / SECRETS / name
    try:
        if not path.exists():
            _create(path)
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except OSError as problem:
        raise ProjectError(f"{path}: {problem.strerror or problem}", code="file-unreadable") from None
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        reason = "is not a key; restore it from a backup, or delete it to get a new one"
        raise ProjectError(f"{path}: {reason}", code="bad-key-file")
    return key


def _create(path: Path) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            stream.write(secrets.token_hex(KEY_BYTES))
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        temporary.unlink()
