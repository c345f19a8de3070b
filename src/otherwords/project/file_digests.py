"""Digests of imported files, cached by size and time of change, so that planning reads no file twice."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from otherwords.project.project import TABLES
from otherwords.sources.io.files import atomic_write

NAME = "file-digests.json"
BLOCK = 2**20


class FileDigests:
    """The digests that a project has cached; new ones are written when the block ends."""

    def __init__(self, project: Path) -> None:
        self._path = project / TABLES / NAME
        self._known: dict[str, tuple[int, int, str]] = {}
        self._changed = False

    def __enter__(self) -> FileDigests:
        try:
            self._known = msgspec.json.decode(self._path.read_bytes(), type=dict[str, tuple[int, int, str]])
        except (OSError, ValueError):  # a damaged cache is computed again
            self._known = {}
        return self

    def __exit__(self, *problem: object) -> None:
        if self._changed and self._path.parent.is_dir() and os.access(self._path.parent, os.W_OK):
            with atomic_write(self._path) as stream:
                stream.write(msgspec.json.encode(self._known))

    def digest(self, path: Path) -> str:
        """SHA-256 of a file, or of the names and contents in a folder."""
        if not path.is_dir():
            return self._file(path)
        digest = hashlib.sha256()
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            digest.update(f"{file.relative_to(path)}\0{self._file(file)}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _file(self, path: Path) -> str:
        name, stat = str(path.absolute()), path.stat()
        size, changed, digest = self._known.get(name, (-1, -1, ""))
        if (size, changed) != (stat.st_size, stat.st_mtime_ns):
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            self._known[name] = (stat.st_size, stat.st_mtime_ns, digest)
            self._changed = True
        return digest


def file_digest(path: Path) -> str:
    """SHA-256 of a file or a folder, without the cache."""
    return FileDigests(path).digest(path)
