"""Processes that tests start: whatever is waited for has a time limit, and signals are those of an ordinary start."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["otherwords.cli.people.site", "otherwords.web.server", "tests.prepared_site", "tests.project.crash"]
)
SECONDS = 120.0  # far more than anything takes on a busy machine: so that what hangs fails


def long_form(kills: int) -> int:
    """How often a long form kills; ``OTHERWORDS_KILLS`` is the most, for a machine that has little time."""
    return min(kills, int(os.environ.get("OTHERWORDS_KILLS", kills)))


class Joinable(Protocol):
    """A thread or a process of ``multiprocessing``."""

    def join(self, timeout: float | None = None) -> None: ...

    def is_alive(self) -> bool: ...


def join_all(workers: Iterable[Joinable], seconds: float = SECONDS) -> None:
    """Wait for threads or processes to end; fail if one of them does not within the time limit."""
    for worker in workers:
        worker.join(seconds)
        assert not worker.is_alive(), f"{worker} did not end within {seconds:g} seconds"


def next_line(process: subprocess.Popen[str], seconds: float = SECONDS) -> str:
    """The next line that a process prints; one that prints nothing within the time limit is killed."""
    assert process.stdout is not None
    stream, lines = process.stdout, list[str]()
    reader = threading.Thread(target=lambda: lines.append(stream.readline()), daemon=True)
    reader.start()
    reader.join(seconds)
    if reader.is_alive():
        process.kill()
        raise AssertionError(f"{process.args!r} printed nothing within {seconds:g} seconds")
    return lines[0]


@contextlib.contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process that does not outlive the block.

    It obeys Ctrl-C even if the tests do not: a shell that runs them in the background has them ignore it, and children
    inherit that.
    """
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, **options)
    finally:
        signal.signal(signal.SIGINT, previous)
    with process:
        try:
            yield process
        finally:
            process.kill()
