"""Folders that are dear to fill and that tests only read: filled once in a run, whichever process needs one first.

A fixture of a session or a module is made anew in every process of the run, and modules are shared out between them.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory, name: str, fill: Callable[[Path], None]) -> Path:
    """The folder of that name, which all processes of this run share; the others wait while one of them fills it."""
    place = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent  # that of a worker is inside that of the run
    folder, filled = place / name, place / f"{name}.filled"
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not filled.exists():
            shutil.rmtree(folder, ignore_errors=True)  # another process may have failed in the middle
            folder.mkdir()
            fill(folder)
            filled.touch()
    return folder
