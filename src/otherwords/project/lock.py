"""The lock of a project: one writer at a time; a second one learns who holds it.

It is a lock of the operating system, so it is released when the process that held it ends, however it ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from otherwords.errors import ProjectError
from otherwords.project.permissions import PRIVATE_FILE

NAME = ".lock"
SECONDS_OF_LOOKS = 0.2  # whoever looks whether a lock is held has it for a moment, in which it is tried again
SECONDS_BETWEEN_TRIES = 0.01
_ours: dict[Path, int] = {}  # the locks that this process holds, with the thread that took each


@contextlib.contextmanager
def holding(folder: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold the lock of a project for the length of the block; wait for it, or fail and say who has it.

    A thread that holds the lock already may take it again, as a step does that runs another step.
    """
    path = folder.resolve() / NAME
    if _ours.get(path) == threading.get_ident():
        yield
        return
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    except OSError as problem:
        raise ProjectError(f"{folder}: cannot be written to: {problem.strerror}", code="folder-unwritable") from None
    try:
        if wait:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        elif not try_lock(descriptor):
            message = f"{folder}: {holder(folder)}; wait for it to end, or add --wait"
            raise ProjectError(message, code="project-in-use")
        own_entry = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "command": " ".join(["otherwords", *sys.argv[1:]]),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with contextlib.suppress(OSError):  # on a full disk, who comes second does not learn who it is
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps(own_entry).encode(), 0)
        _ours[path] = threading.get_ident()
        try:
            yield
        finally:
            del _ours[path]
    finally:
        os.close(descriptor)


def holder(folder: Path) -> str:
    """Who holds the lock, as the rest of a sentence."""
    try:
        entry = json.loads((folder / NAME).read_text(encoding="utf-8"))
        since = entry["since"][:16].replace("T", " ")
        return f"in use by process {entry['pid']} on {entry['host']} since {since} UTC ({entry['command']})"
    except (OSError, ValueError, KeyError):
        return "in use by another process"


def is_held(folder: Path) -> bool:
    """Whether a process is writing to the project right now."""
    return is_locked(folder / NAME)


def try_lock(descriptor: int) -> bool:
    """Take a lock, unless somebody holds it for longer than a look at it takes."""
    end = time.monotonic() + SECONDS_OF_LOOKS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                return False
            time.sleep(SECONDS_BETWEEN_TRIES)
        else:
            return True


def is_locked(path: Path) -> bool:
    """Whether somebody holds a lock. Any number of processes may look at it at once."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
