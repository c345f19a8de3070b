"""Writers of one SQLite file take turns. SQLite lets whoever finds it busy try again after a pause, and some are always
unlucky; the operating system's lock on a file beside it wakes them in the order in which they came.

The lock decides about the order only: what is safe is safe because of SQLite's own lock. So where there is no such
file to be had, the work goes on without one.
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
_mine = threading.local()


def queue_of(url: str) -> Path | None:
    """The file in front of a ledger; none where that is not a file of its own, or has a server to see to it."""
    parsed = make_url(url)
    name = parsed.database or ":memory:"
    if parsed.get_backend_name() != "sqlite" or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(f"{os.path.realpath(name)}{SUFFIX}")


@contextlib.contextmanager
def taking_turns(queue: Path | None) -> Iterator[None]:
    """Wait until it is this writer's turn, among all threads and processes, and hold it for the length of the block."""
    held: set[Path] = _mine.__dict__.setdefault("held", set())
    # Who writes while writing would wait for themselves here, for ever; SQLite gives up after a while and says so.
    descriptor = None if queue is None or queue in held else _opened(queue)
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
            fcntl.flock(descriptor, fcntl.LOCK_UN)  # closing is not enough if a process was forked meanwhile
        os.close(descriptor)


def _opened(queue: Path) -> int | None:
    """Opened for reading: whoever may write to the ledger need not be who made this file."""
    try:
        return os.open(queue, os.O_RDONLY | os.O_CREAT, _MODE)
    except OSError:
        return None
