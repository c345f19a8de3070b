"""What is published, and by which calls: made without the network, so that it can be shown before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from otherwords.corpus.release.metadata_files import CHECKSUMS, files_of
from otherwords.project.about import About
from otherwords.project.file_digests import file_digest


@dataclass(frozen=True, slots=True)
class ReleasedFile:
    """A file of a release."""

    path: str  # in the release
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class SoundRelease:
    """A release that was verified, and all its files."""

    folder: Path
    name: str
    version: str
    date: str
    licence: str
    about: About
    files: Sequence[ReleasedFile]


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A request that will be made: what it is for, and how many bytes of the release it sends."""

    method: str
    url: str
    purpose: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class PublishPlan:
    """Every file and every call, in order; which files a service has already is known only when it is asked."""

    target: str
    version: str
    files: Sequence[ReleasedFile]
    calls: Sequence[PlannedCall]


@dataclass(frozen=True, slots=True)
class PublishResult:
    """What was published, or would be."""

    plan: PublishPlan
    sent: bool = False  # False after a dry run
    address: str | None = None  # where it can be found
    uploaded: Sequence[str] = ()  # the files that were sent; the others were there
    deleted: Sequence[str] = ()  # the files of an earlier version that went
    again: bool = False  # whether this version was there already


def list_files(folder: Path) -> list[ReleasedFile]:
    """All files of a release, the checksums among them."""
    return [
        ReleasedFile(name, (folder / name).stat().st_size, file_digest(folder / name))
        for name in [*files_of(folder), CHECKSUMS]
    ]
