"""Digests of texts, for ids that follow from content, keys of lookups and random order; and of files.

All texts are encoded in the same way; lone surrogates, which occur in damaged files, are allowed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path


def digest_bytes(*parts: str, size: int = 8, key: bytes = b"", person: bytes = b"") -> bytes:
    """The BLAKE2b digest of texts, joined by NUL."""
    return blake2b(encoded("\0".join(parts)), digest_size=size, key=key, person=person).digest()


def digest_hex(*parts: str, size: int = 8, key: bytes = b"") -> str:
    """The digest in hexadecimal digits."""
    return digest_bytes(*parts, size=size, key=key).hex()


def digest_number(*parts: str, size: int = 8) -> int:
    """The digest as an integer of ``8 * size`` bits."""
    return int.from_bytes(digest_bytes(*parts, size=size), "little")


def encoded(text: str) -> bytes:
    """A text as UTF-8, lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def keyed_id(noun: str, annotator: str, key: str) -> str:
    """The id of what an annotator sent under a key; ``noun`` is a prefix for people who read the ledger."""
    return f"{noun}-{digest_hex(annotator, key, size=12)}"


def digest_file(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest_folder(path: Path, digest: Callable[[Path], str] = digest_file) -> str:
    """The SHA-256 of the names and contents in a folder; ``digest`` is that of a file in it."""
    whole = hashlib.sha256()
    for file in sorted(file for file in path.rglob("*") if file.is_file()):
        whole.update(f"{file.relative_to(path)}\0{digest(file)}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()
