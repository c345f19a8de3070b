"""One writer at a time: who works on a project holds its lock, and who comes second is told who that is.

The lock is the operating system's, so it is gone with the process that held it, however that ended.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from otherwords.errors import ProjectError

NAME = ".lock"
_ours: dict[Path, int] = {}  # the locks that this process holds, and which thread does


@contextlib.contextmanager
def holding(folder: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold the lock of a project for the length of the block; wait for it, or say who has it.

    Who holds it already goes on: a step that asks for another is one piece of work.
    """
    path = folder.resolve() / NAME
    if _ours.get(path) == threading.get_ident():
        yield
        return
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as problem:
        raise ProjectError(f"{folder}: cannot be written to: {problem.strerror}") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise ProjectError(f"{folder}: {holder(folder)}; wait for it to end, or add --wait") from None
        me = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "command": " ".join(["otherwords", *sys.argv[1:]]),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(me).encode(), 0)
        _ours[path] = threading.get_ident()
        try:
            yield
        finally:
            del _ours[path]
    finally:
        os.close(descriptor)


def holder(folder: Path) -> str:
    """Who holds the lock, as a sentence."""
    try:
        told = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return f"in use by process {told['pid']} on {told['host']} since {told['since']} ({told['command']})"
    except (OSError, ValueError, KeyError):
        return "in use by another process"


def is_held(folder: Path) -> bool:
    """Whether somebody works on the project right now."""
    try:
        descriptor = os.open(folder / NAME, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
