"""Who may read a project: the person it belongs to, and nobody else on the machine.

The ledger has hashes of passwords and everybody's judgements, and the settings may have a password. Files are created
closed, so that there is no moment in which others could open them; what is open, because an older version or a copy
made it so, is closed when the project is opened.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def create_private(path: Path) -> None:
    """Create an empty file that only its owner may read; one that exists stays as it is."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, PRIVATE_FILE))


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read."""
    create_private(path)
    close_to_others(path)
    path.write_text(text, encoding="utf-8")


def close_to_others(*paths: Path) -> None:
    """Take the permissions of everybody but the owner from files and folders that exist.

    Whoever is not the owner, or reads from a disk that cannot be written to, may go on with what is there.
    """
    for path in paths:
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS)
