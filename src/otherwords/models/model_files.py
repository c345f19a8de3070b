"""The files that models consist of: where they are, and whether they are the ones that are meant.

A model that comes in a package is checked against the hash of the file that it was tested with. A model that a user
names by path has the hash of its files in its signature, and is checked if the name says one (``sha256=``).
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from otherwords.digests import digest_file, digest_folder
from otherwords.errors import DataError, MissingExtra

SHOWN = 12  # digits of a hash in a signature


def packaged_file(package: str, file: str, sha256: str, *, extra: str, what: str, also: str = "") -> Path:
    """A file or folder of an installed package, after its hash has been checked."""
    try:
        path = Path(str(distribution(package).locate_file(file)))
    except PackageNotFoundError:
        raise MissingExtra(extra, what, also) from None
    if not path.exists():
        raise DataError(f"the package {package} lacks this file", path, code="model-missing")
    check_hash(path, sha256)
    return path


def check_hash(path: Path, sha256: str) -> None:
    """Refuse a file or folder whose hash does not begin with the expected digits."""
    found = model_hash(path)
    if not sha256 or not found.startswith(sha256.lower()):
        message = f"is not the model that is expected: its SHA-256 is {found[:SHOWN]}…, not {sha256[:SHOWN]}…"
        raise DataError(message, path, code="wrong-model-hash")


def model_hash(path: Path) -> str:
    """The SHA-256 of a file, or of the names and contents in a folder; read again only when something has changed."""
    try:
        if not path.is_dir():
            return _hash(path, path.stat().st_size, path.stat().st_mtime_ns)
        return digest_folder(path, lambda file: _hash(file, file.stat().st_size, file.stat().st_mtime_ns))
    except FileNotFoundError:
        raise DataError("there is no such model", path, code="model-missing") from None
    except OSError as problem:
        raise DataError(f"cannot be read: {problem.strerror}", path, code="model-missing") from None


@cache
def _hash(path: Path, size: int, changed: int) -> str:
    """The arguments are what tells one version of a file from another."""
    return digest_file(path)
