"""A run of a recipe that the site started: a process of its own, which goes on if the server is stopped.

It is ``otherwords run`` in a session of its own. Its output is in ``runs/run.log`` of the project. It inherits a lock
that the server took for it, so whoever asks, in whatever process, knows whether it is still there, and of two that are
started at once the second is refused. What it does is in the ledger.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from otherwords.errors import Conflict
from otherwords.project.lock import holder, is_held, is_locked, try_lock
from otherwords.project.permissions import PRIVATE_FILE, PRIVATE_FOLDER
from otherwords.project.project import Project, now
from otherwords.sources.io.files import atomic_write

RUNS, LOG, LOCK, NOTE = "runs", "run.log", ".lock", "run.json"
NICE = 10  # people who work on the site come first
LAST_BYTES, LAST_LINES = 20_000, 40  # of the log
PATIENCE = 3.0  # seconds in which a run that is stopped usually ends


class RunNote(msgspec.Struct, frozen=True, kw_only=True):
    """A run: who started it, what it runs, and how it ended; ``exit`` is None if the server was gone by then."""

    pid: int
    host: str
    by: str
    recipe: str | None
    step: str | None  # None: all up to the next one that waits
    started: str
    exit: int | None = None


def start_run(project: Project, by: str, recipe: str | None, path: Path | None, step: str | None) -> RunNote:
    """Start a run of a recipe, or of one step of it; refused while the project is in use."""
    folder = project.folder.resolve()
    place = folder / RUNS
    place.mkdir(PRIVATE_FOLDER, exist_ok=True)
    lock = os.open(place / LOCK, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    try:
        if not try_lock(lock):
            message = "a run has been started already; wait for it to end, or stop it"
            raise Conflict(message, code="run-exists")
        refuse_in_use(folder)
        (place / NOTE).unlink(missing_ok=True)  # of the last run: nobody is to stop that process in place of this one
        command = [sys.executable, "-m", "otherwords", "run", str(folder)]
        command += ["--recipe", str(path)] if path is not None else []
        command += ["--only", step] if step is not None else []
        process = _spawn(command, place / LOG, lock)
    finally:
        os.close(lock)  # the process has it still
    note = RunNote(pid=process.pid, host=socket.gethostname(), by=by, recipe=recipe, step=step, started=now())
    _write(place / NOTE, note)
    threading.Thread(target=_wait, args=(process, place / NOTE, note), name="run", daemon=True).start()
    return note


def refuse_in_use(folder: Path) -> None:
    """Refuse what needs the project for itself while another process holds it."""
    if is_held(folder):
        raise Conflict(f"the project is {holder(folder)}; wait for it to end", code="project-in-use")


def stop_run(project: Project) -> RunNote:
    """Stop the run that the site started; what it has done is kept, and the next run goes on from there."""
    note = last_site_run(project)
    if note is None or not is_site_running(project):
        raise Conflict("nothing is running that was started here", code="nothing-running")
    if note.host != socket.gethostname():
        raise Conflict(f"it runs on {note.host}; stop it there", code="run-elsewhere")
    with contextlib.suppress(ProcessLookupError):
        os.killpg(note.pid, signal.SIGTERM)
    end = time.monotonic() + PATIENCE
    while is_site_running(project) and time.monotonic() < end:
        time.sleep(0.05)
    return note


def is_site_running(project: Project) -> bool:
    """Whether a run is there that the site started."""
    return is_locked(project.folder / RUNS / LOCK)


def last_site_run(project: Project) -> RunNote | None:
    """The last run that the site started, whether it is still there or not."""
    try:
        return msgspec.json.decode((project.folder / RUNS / NOTE).read_bytes(), type=RunNote)
    except (OSError, ValueError):
        return None


def log_lines(project: Project) -> list[str]:
    """The last lines that the last run wrote."""
    try:
        with (project.folder / RUNS / LOG).open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - LAST_BYTES))
            return stream.read().decode(errors="replace").splitlines()[-LAST_LINES:]
    except OSError:
        return []


def _spawn(command: Sequence[str], log: Path, lock: int) -> subprocess.Popen[bytes]:
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
    with os.fdopen(descriptor, "wb") as output:
        process = subprocess.Popen(  # noqa: S603 - the program itself, with names that are checked
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=[lock],
        )
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    return process


def _wait(process: subprocess.Popen[bytes], path: Path, note: RunNote) -> None:
    """Note how a run ended, unless another has been started since."""
    code = process.wait()
    with contextlib.suppress(Exception):  # a project that was moved or deleted meanwhile
        lock = os.open(path.with_name(LOCK), os.O_RDWR)
        try:  # under the lock, so that nobody starts another run while its note is read and replaced
            if try_lock(lock) and msgspec.json.decode(path.read_bytes(), type=RunNote) == note:
                _write(path, msgspec.structs.replace(note, exit=code))
        finally:
            os.close(lock)


def _write(path: Path, note: RunNote) -> None:
    with atomic_write(path, PRIVATE_FILE) as stream:
        stream.write(msgspec.json.encode(note))
