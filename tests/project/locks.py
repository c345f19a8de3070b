"""Processes that hold the lock of a project."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.processes import SECONDS, next_line, started

HOLD = """
import sys
from pathlib import Path
from otherwords.project.lock import holding
with holding(Path(sys.argv[1]), wait="--wait" in sys.argv):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextlib.contextmanager
def locker(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A process that asks for the lock and prints a line when it has it; it lets go when its input ends."""
    command = [sys.executable, "-c", HOLD, str(folder), *options]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.communicate(timeout=SECONDS)


@contextlib.contextmanager
def hold_elsewhere(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock."""
    with locker(folder) as process:
        assert next_line(process) == "held\n"
        yield process
