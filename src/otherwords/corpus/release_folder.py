"""Where a release is put: filled aside, and in its place only when it is whole.

A folder in that place is left alone unless it is the same release. The ledger comes last, so a crash leaves nothing,
or a whole folder that running again finishes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from otherwords.corpus.release_papers import CHECKSUMS, FACTS, digest_of_file, read_facts
from otherwords.errors import DataError, WriteError


@contextlib.contextmanager
def filling(target: Path) -> Iterator[Path]:
    """A folder beside the place of a release; it is gone at the end, unless it was put there."""
    place = target.resolve()
    aside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        aside.mkdir(parents=True)
        yield aside
    except OSError as problem:
        raise WriteError(f"{target}: cannot be written: {problem.strerror or problem}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def there_already(target: Path, version: str) -> dict[str, Any] | None:
    """What is said by the release that stands there; None where nothing does."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return None
    if not (target / FACTS).is_file():
        raise WriteError(f"{target}: is not an empty folder; name a new one with --out")
    told = read_facts(target)
    if told["version"] != version:
        raise WriteError(f"{target}: holds version {told['version']}; name another folder with --out")
    return told


def refuse_other_content(target: Path, digest: str) -> None:
    """A release that stands there has to be this one."""
    listed = target / CHECKSUMS
    if target.exists() and any(target.iterdir()) and (not listed.is_file() or digest_of_file(listed) != digest):
        raise DataError(
            "holds a release with other content that the ledger does not know; delete it, or name another folder "
            "with --out",
            target,
        )


def put(aside: Path, target: Path) -> None:
    """Put a release in its place; one that is there is replaced."""
    place = target.resolve()
    old = aside.with_name(f"{aside.name}.old")
    if place.exists():
        place.replace(old)
    aside.replace(place)
    shutil.rmtree(old, ignore_errors=True)


def lay(files: Mapping[str, bytes], folder: Path) -> None:
    """Write small files into a release."""
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise WriteError(f"{name!r}: leads out of the release")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
