"""Digests of imported files, cached by size and time of change, so that planning reads no file twice."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from otherwords.digests import digest_file, digest_folder
from otherwords.project.project import TABLES
from otherwords.sources.io.files import atomic_write

NAME = "file-digests.json"


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
        return digest_folder(path, self._file) if path.is_dir() else self._file(path)

    def _file(self, path: Path) -> str:
        name, stat = str(path.absolute()), path.stat()
        size, changed, digest = self._known.get(name, (-1, -1, ""))
        if (size, changed) != (stat.st_size, stat.st_mtime_ns):
            digest = digest_file(path)
            self._known[name] = (stat.st_size, stat.st_mtime_ns, digest)
            self._changed = True
        return digest


def file_digest(path: Path) -> str:
    """SHA-256 of a file or a folder, without the cache."""
    return FileDigests(path).digest(path)
