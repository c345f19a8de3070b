"""Passwords, which people choose, and secrets, which the site hands out once; the ledger stores neither of them.

Passwords are stored as argon2id hashes. That is slow on purpose, so nothing here takes a connection: hash outside a
transaction. A hash takes 64 MB and every core for a moment, so at most two are made at once. In a server they have
their own threads: people who log in wait for each other without keeping anybody from working, and if too many wait,
the next one is asked to come back.

Secrets are 32 random bytes, so that a plain SHA-256 is enough: there is nothing to guess, and reading the ledger gives
no access.
"""

from __future__ import annotations

import functools
import hashlib
import secrets
import threading
import unicodedata
from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from otherwords.digests import encoded
from otherwords.errors import Refused, TooMany

T = TypeVar("T")
FEWEST_CHARACTERS = 10
MOST_BYTES = 1024
FEWEST_DIFFERENT = 4
AT_ONCE = 2
MOST_WAITING = 200
SECONDS_TO_COME_BACK = 5
OBVIOUS = {  # also with digits and signs after them
    *("0123456789", "1234567890", "12345678910", "9876543210", "abcdefghij"),
    *("1q2w3e4r5t", "1qaz2wsx3edc", "zaq12wsxcde3"),
    *("qwerty", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qazwsxedc", "qazwsxedcrfv"),
    *("password", "passwordpassword", "passw0rd", "p@ssw0rd", "passwort", "letmein", "letmeinplease", "changeme"),
    *("welcome", "iloveyou", "sunshine", "football", "baseball", "superman", "trustno", "correcthorsebatterystaple"),
    *("admin", "adminadmin", "administrator", "annotator", "annotation", "curator", "paraphrase", "otherwords"),
}
_ENDINGS = "0123456789!?.*#$_-"
_hasher = PasswordHasher()
_hashing = threading.BoundedSemaphore(AT_ONCE)
_limiter: RunVar[CapacityLimiter] = RunVar("hashing")
_BYTES = 32


async def run_hashing(work: Callable[[], T]) -> T:
    """The result of work that hashes a password, done in one of the threads for that."""
    limiter = _limiter.get(None)
    if limiter is None:
        limiter = CapacityLimiter(AT_ONCE)
        _limiter.set(limiter)
    if limiter.statistics().tasks_waiting >= MOST_WAITING:
        reason = "many people are logging in at this moment; try again in a few seconds"
        raise TooMany(reason, SECONDS_TO_COME_BACK, code="server-busy")
    return await to_thread.run_sync(work, limiter=limiter)


def hash_password(password: str, name: str) -> str:
    """The hash of a new password for the account of that name, if it is good enough."""
    check_password(password, name)
    return _hash(password)


def check_password(password: str, name: str) -> None:
    """Refuse a password that somebody would guess within a few tries."""
    composed = unicodedata.normalize("NFC", password)
    if len(composed) < FEWEST_CHARACTERS:
        reason = f"a password has at least {FEWEST_CHARACTERS} characters; a few unusual words are good ones"
        raise Refused(reason, "password", code="password-too-short")
    if len(_bytes(password)) > MOST_BYTES:
        raise Refused(f"a password has at most {MOST_BYTES:,} bytes", "password", code="password-too-long")
    if composed.casefold() == unicodedata.normalize("NFC", name).casefold():
        raise Refused("the password is the name; choose another", "password", code="weak-password")
    folded = composed.casefold()
    if len(set(folded)) < FEWEST_DIFFERENT or folded in OBVIOUS or folded.rstrip(_ENDINGS) in OBVIOUS:
        reason = "the password is one of the first that somebody would try; choose another"
        raise Refused(reason, "password", code="weak-password")


def matches(stored: str | None, password: str) -> bool:
    """Whether a password fits a hash; without a hash the answer is no, and takes as long."""
    dummy = _dummy()  # made by the first caller, so that an unknown name never takes longer than a known one
    encoded = _bytes(password)
    try:
        with _hashing:
            _hasher.verify(stored or dummy, encoded if len(encoded) <= MOST_BYTES else b"")
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


def rehash_if_outdated(stored: str, password: str) -> str | None:
    """A new hash of a correct password, if the old one was made with outdated parameters."""
    return _hash(password) if _hasher.check_needs_rehash(stored) else None


def _hash(password: str) -> str:
    with _hashing:
        return _hasher.hash(_bytes(password))


_dummy = functools.cache(lambda: _hash(secrets.token_urlsafe()))


def _bytes(password: str) -> bytes:
    """Composed, as in RFC 8265, so that it does not matter how a keyboard types an accent."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def new_secret(prefix: str = "") -> str:
    """A secret that fits into an address, a header or a cookie."""
    return prefix + secrets.token_urlsafe(_BYTES)


def digest_of(secret: str) -> str:
    """The digest of a secret; whatever a client sends has one, even if it is not valid Unicode."""
    return hashlib.sha256(encoded(secret)).hexdigest()
