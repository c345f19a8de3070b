"""Secrets that the site hands out once: the ledger keeps only a digest of each, so who reads it cannot use them.

They are 32 random bytes, so that a plain SHA-256 is enough: there is nothing to guess.
"""

from __future__ import annotations

import hashlib
import secrets

_BYTES = 32


def new_secret(prefix: str = "") -> str:
    """A secret that fits into an address, a header or a cookie."""
    return prefix + secrets.token_urlsafe(_BYTES)


def digest_of(secret: str) -> str:
    """What the ledger knows of a secret; whatever a client sends has one, also what is not Unicode."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
