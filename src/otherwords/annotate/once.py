"""Saying something twice counts once: whoever sends a thing gives it a key, and its id in the ledger follows from that.

A page that did not hear the answer sends the same thing with the same key again; the ledger, where ids are
unique, then has it already. Keys of different people never meet.
"""

from __future__ import annotations

from hashlib import blake2b


def id_of(noun: str, annotator: str, key: str) -> str:
    """The id of what an annotator sent under a key; ``noun`` is its prefix, for people who read the ledger."""
    said = "\0".join((annotator, key)).encode()
    return f"{noun}-{blake2b(said, digest_size=12).hexdigest()}"
