"""Whether the files of a release are those of its checksums: none changed, none missing, none added."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from otherwords.corpus.release_papers import CHECKSUMS, digest_of_file, files_of
from otherwords.errors import DataError

_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")
LARGEST_LIST = 16 * 2**20


def file_problems(folder: Path) -> Iterator[str]:
    """What is wrong with the files, one after the other."""
    listed, there = read_checksums(folder), set(files_of(folder))
    for name, digest in listed.items():
        if name not in there:
            yield f"{name}: is missing"
        elif (folder / name).is_symlink():
            yield f"{name}: is a link, not a file"
        elif digest_of_file(folder / name) != digest:
            yield f"{name}: was changed"
    for name in sorted(there - listed.keys()):
        yield f"{name}: was added"


def read_checksums(folder: Path) -> dict[str, str]:
    """The checksum of each file, by its path in the release; a path that leads out of it is refused."""
    path = folder / CHECKSUMS
    try:
        if path.stat().st_size > LARGEST_LIST:
            raise DataError("is larger than any list of checksums", path)
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as problem:
        raise DataError(problem.strerror or str(problem), path) from None
    except UnicodeDecodeError:
        raise DataError("is not a list of checksums", path) from None
    told: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        found = _LINE.fullmatch(line)
        if found is None:
            raise DataError("expected a SHA-256 and the name of a file", path, number)
        name = PurePosixPath(found[2])
        if name.is_absolute() or ".." in name.parts or "\\" in found[2] or "\0" in found[2]:
            raise DataError(f"{found[2]!r} leads out of the release", path, number)
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise DataError(f"{found[2]!r} leads out of the release by a link", path, number)
        told[str(name)] = found[1]
    return told
