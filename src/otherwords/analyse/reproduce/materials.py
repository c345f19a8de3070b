"""What is in the folder or file that somebody names: which files are of the paper, which are missing, which are others.

Every file is recognised by its content (the sniffers of :mod:`otherwords.sources`), then by its name where a release
names its parts so. Nothing is read twice: what items compute is kept by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from otherwords.analyse.reproduce.item import Paper, Recognised
from otherwords.digests import digest_file
from otherwords.errors import DataError, OtherwordsError
from otherwords.sources.reading import recognise
from otherwords.sources.source import ReadLog, Source

T = TypeVar("T")
MOST_FILES = 2000  # in a folder that is no corpus, searching would not end
OTHER_FORMAT = "nothing of this paper"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file in the folder."""

    path: Path
    name: str  # relative to the folder
    role: str | None
    about: str
    rows: int | None = None
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Materials:
    """The files of a paper that are here."""

    files: list[FoundFile]
    synonyms: str | None = None
    _kept: dict[Hashable, Any] = field(default_factory=dict)

    def in_roles(self, *roles: str) -> list[FoundFile]:
        """The files in these roles, in their order."""
        return [file for role in roles for file in self.files if file.role == role]

    def keep(self, name: Hashable, make: Callable[[], T]) -> T:
        """What was computed under a name, or is now."""
        if name not in self._kept:
            self._kept[name] = make()
        kept: T = self._kept[name]
        return kept


def look_into(data: Path, paper: Paper, synonyms: str | None = None) -> Materials:
    """All files of a folder, or one file, as the paper sees them."""
    if not data.exists():
        raise DataError("does not exist; name a file or a folder with released data", data, code="missing-file")
    paths = [data] if data.is_file() else _files(data)
    folder = data.parent if data.is_file() else data
    found = [_look_at(path, str(path.relative_to(folder)), paper) for path in paths]
    return Materials(_without_repeats(found), synonyms)


def _files(folder: Path) -> list[Path]:
    """All files in a folder and in those that it links to, each folder once; hidden ones are left out."""
    found: list[Path] = []
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        here = os.path.realpath(place)
        folders[:] = [] if here in seen else sorted(name for name in folders if name[0] != ".")
        found += [] if here in seen else [Path(place, name) for name in names if name[0] != "."]
        seen.add(here)
    files = sorted(path for path in found if path.is_file())
    if len(files) > MOST_FILES:
        message = f"holds {len(files):,} files, more than {MOST_FILES:,}; name the folder of the released data"
        raise DataError(message, folder, code="too-many-files")
    return files


def _look_at(path: Path, name: str, paper: Paper) -> FoundFile:
    try:
        format = recognise(Source(path, ReadLog())).name
    except OtherwordsError:
        return FoundFile(path, name, None, OTHER_FORMAT)
    seen = paper.recognise(path, format) or Recognised(None, f"{OTHER_FORMAT} (read as {format})")
    digest = digest_file(path) if seen.role else ""
    return FoundFile(path, name, seen.role, seen.about, seen.rows, digest)


def _without_repeats(files: list[FoundFile]) -> list[FoundFile]:
    """The same files; of two with the same bytes only the first has a role."""
    first: dict[str, str] = {}
    kept = []
    for file in files:
        if file.role and file.sha256 in first:
            about = f"the same bytes as {first[file.sha256]}"
            kept.append(FoundFile(file.path, file.name, None, about, file.rows, file.sha256))
            continue
        if file.role:
            first[file.sha256] = file.name
        kept.append(file)
    return kept
