"""The folder of a release: filled beside its place, and moved there when it is complete.

A folder in that place is left alone unless it is the same release. The ledger is written last, so a crash leaves
nothing, or a complete folder that running the command again records.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from otherwords.corpus.release.metadata_files import CHECKSUMS, ReleaseFacts, read_facts
from otherwords.errors import DataError, WriteError
from otherwords.project.file_digests import file_digest
from otherwords.sources.reading import RELEASE_FILE


@contextlib.contextmanager
def temporary_folder(target: Path) -> Iterator[Path]:
    """A folder beside the place of a release; it is deleted at the end, unless it was moved."""
    place = target.resolve()
    folder = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        folder.mkdir(parents=True)
        yield folder
    except OSError as problem:
        message = f"{target}: cannot be written: {problem.strerror or problem}"
        raise WriteError(message, code="file-unwritable") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def existing_release(target: Path, version: str) -> ReleaseFacts | None:
    """What a release in this place says about itself; None if there is nothing."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return None
    if not (target / RELEASE_FILE).is_file():
        raise WriteError(f"{target}: is not an empty folder; name a new one with --out", code="folder-not-empty")
    facts = read_facts(target)
    if facts.version != version:
        message = f"{target}: holds version {facts.version}; name another folder with --out"
        raise WriteError(message, code="other-version")
    return facts


def refuse_other_content(target: Path, digest: str) -> None:
    """A release that is in this place already has to be the same."""
    checksums = target / CHECKSUMS
    if target.exists() and any(target.iterdir()) and (not checksums.is_file() or file_digest(checksums) != digest):
        message = (
            "holds a release with other content that the ledger does not know; delete it, or name another folder "
            "with --out"
        )
        raise DataError(message, target, code="unknown-release")


def move_into_place(folder: Path, target: Path) -> None:
    """Put a release in its place; one that is there is replaced."""
    place = target.resolve()
    old = folder.with_name(f"{folder.name}.old")
    if place.exists():
        place.replace(old)
    folder.replace(place)
    shutil.rmtree(old, ignore_errors=True)


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write small files into a release."""
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise WriteError(f"{name!r}: leads out of the release", code="path-outside")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
