"""Where people reach the site. Links that are sent to people begin with it, whatever a request says about its host."""

from __future__ import annotations

import contextlib
from pathlib import Path
from urllib.parse import urlsplit

from otherwords.errors import UsageError, WriteError
from otherwords.project.permissions import PRIVATE_FILE
from otherwords.sources.io.files import atomic_write

DEFAULT_ADDRESS = "http://127.0.0.1:8080"  # where serve listens by default
LAST = ".address"  # in the folder of a project: the address of its site when it was last served


def keep_address(folder: Path, address: str) -> None:
    """Keep the address of a site that is being served, so that links made by other commands begin with it."""
    with contextlib.suppress(WriteError), atomic_write(folder / LAST, PRIVATE_FILE) as stream:  # it can be named, too
        stream.write(address.encode())


def last_address(folder: Path) -> str | None:
    """The address of the site when it was last served; None if it never was."""
    try:
        return check_address((folder / LAST).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, UsageError):
        return None


def site_address(folder: Path, address: str | None = None) -> str:
    """The address with which the links to a project's site begin: the one that was chosen, or where it was last served.

    The address is without a slash at its end.
    """
    return (address or last_address(folder) or DEFAULT_ADDRESS).rstrip("/")


def check_address(address: str) -> str:
    """The address without a slash at its end, if links can begin with it."""
    try:
        parts = urlsplit(address)
        plain = parts.scheme in ("http", "https") and parts.hostname and not (parts.username or parts.password)
        whole = parts.path in ("", "/") and not parts.query and not parts.fragment and parts.port != 0
    except ValueError:
        plain = whole = False
    if not plain or not whole or not address.isascii() or not address.isprintable() or " " in address:
        message = f"not the address of a site: {address!r}; expected something like https://corpus.example.org"
        raise UsageError(message, code="bad-address")
    return address.rstrip("/")
