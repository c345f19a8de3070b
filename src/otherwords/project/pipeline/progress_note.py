"""How far a running step is, in a small file that other processes read.

The ledger says which step runs. How far it is changes every moment, often while the step writes to the ledger: so it
stands beside the lock of the project, and counts only as long as somebody holds that.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from otherwords.engine import Progress
from otherwords.project.permissions import PRIVATE_FILE

NAME = ".progress.json"
SECONDS_BETWEEN = 0.5


class ProgressNote(msgspec.Struct, frozen=True):
    """How much of a step is done; ``total`` is None where nobody knows."""

    step: str
    done: int = 0
    total: int | None = None


def read_progress(folder: Path) -> ProgressNote | None:
    """How far the running step of a project is; None if nothing is known."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=ProgressNote)
    except (OSError, ValueError):
        return None


@contextlib.contextmanager
def noting(folder: Path, step: str, progress: Progress) -> Iterator[Progress]:
    """A progress that is noted as well, now and then, for the length of a step."""
    last = 0.0

    def noted(done: int, total: int | None) -> None:
        nonlocal last
        progress(done, total)
        moment = time.monotonic()
        if moment - last >= SECONDS_BETWEEN:
            last = moment
            _write(folder, ProgressNote(step, done, total))

    _write(folder, ProgressNote(step))
    try:
        yield noted
    finally:
        with contextlib.suppress(OSError):
            (folder / NAME).unlink(missing_ok=True)


def _write(folder: Path, note: ProgressNote) -> None:
    """Replace the file; a disk that is full is no reason to stop a step."""
    aside = folder / f"{NAME}.new"
    with contextlib.suppress(OSError):
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(msgspec.json.encode(note))
        aside.replace(folder / NAME)
