"""Secrets that the site hands out once: the ledger stores only their digests, so that reading it gives no access.

They are 32 random bytes, so that a plain SHA-256 is enough: there is nothing to guess.
"""

from __future__ import annotations

import hashlib
import secrets

from otherwords.digests import encoded

_BYTES = 32


def new_secret(prefix: str = "") -> str:
    """A secret that fits into an address, a header or a cookie."""
    return prefix + secrets.token_urlsafe(_BYTES)


def digest_of(secret: str) -> str:
    """The digest of a secret; whatever a client sends has one, even if it is not valid Unicode."""
    return hashlib.sha256(encoded(secret)).hexdigest()
