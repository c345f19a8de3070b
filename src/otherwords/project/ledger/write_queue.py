"""A fair queue for the writers of a SQLite file.

SQLite makes a writer that finds it busy sleep and retry, and some are always unlucky. The operating system's lock on a
file beside it wakes them in the order in which they came. That lock decides only about the order; safety comes from
SQLite's own lock, so where the file cannot be created writers go on without it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import make_url

SUFFIX = ".queue"
_MODE = 0o644
_thread = threading.local()


def queue_of(url: str) -> Path | None:
    """The queue file of a ledger; None for a server and for a database in memory."""
    parsed = make_url(url)
    name = parsed.database or ":memory:"
    if parsed.get_backend_name() != "sqlite" or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(f"{os.path.realpath(name)}{SUFFIX}")


@contextlib.contextmanager
def taking_turns(queue: Path | None) -> Iterator[None]:
    """Wait for this writer's turn, among all threads and processes, and keep it for the length of the block."""
    held: set[Path] = _thread.__dict__.setdefault("held", set())
    descriptor = None
    # A thread that begins a second transaction would wait here for itself; SQLite gives up after a while.
    if queue is not None and queue not in held:
        with contextlib.suppress(OSError):  # for reading: it may belong to another user who writes to the same ledger
            descriptor = os.open(queue, os.O_RDONLY | os.O_CREAT, _MODE)
    if queue is None or descriptor is None:
        yield
        return
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        held.add(queue)
        yield
    finally:
        held.discard(queue)
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)  # a process that was forked meanwhile still holds the descriptor
        os.close(descriptor)
