"""Passwords as argon2id hashes. Slow on purpose, so nothing here takes a connection: hash outside a transaction.

A hash takes 64 MB and every core for a moment, so at most two are made at once; whoever else logs in waits for them.
"""

from __future__ import annotations

import functools
import secrets
import threading
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from otherwords.errors import Refused

FEWEST_CHARACTERS = 10
MOST_BYTES = 1024
FEWEST_DIFFERENT = 4
OBVIOUS = {  # also with digits and signs after them
    *(
        "0123456789",
        "1234567890",
        "12345678910",
        "9876543210",
        "abcdefghij",
        "1q2w3e4r5t",
        "1qaz2wsx3edc",
        "zaq12wsxcde3",
    ),
    *("qwerty", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qazwsxedc", "qazwsxedcrfv"),
    *("password", "passwordpassword", "passw0rd", "p@ssw0rd", "passwort", "letmein", "letmeinplease", "changeme"),
    *("welcome", "iloveyou", "sunshine", "football", "baseball", "superman", "trustno", "correcthorsebatterystaple"),
    *("admin", "adminadmin", "administrator", "annotator", "annotation", "curator", "paraphrase", "otherwords"),
}
_AFTER_THEM = "0123456789!?.*#$_-"
_hasher = PasswordHasher()
_at_once = threading.BoundedSemaphore(2)


def hashed(password: str, name: str) -> str:
    """The hash of a new password of the account with that name, if it is good enough."""
    checked_password(password, name)
    return _hash(password)


def checked_password(password: str, name: str) -> None:
    """Refuse what somebody would guess within their first few tries."""
    composed = unicodedata.normalize("NFC", password)
    if len(composed) < FEWEST_CHARACTERS:
        raise Refused(f"a password has at least {FEWEST_CHARACTERS} characters; a few unusual words are good ones")
    if len(_bytes(password)) > MOST_BYTES:
        raise Refused(f"a password has at most {MOST_BYTES:,} bytes")
    if composed.casefold() == unicodedata.normalize("NFC", name).casefold():
        raise Refused("the password is the name; choose another")
    if _is_obvious(composed.casefold()):
        raise Refused("the password is one of the first that somebody would try; choose another")


def _is_obvious(password: str) -> bool:
    return len(set(password)) < FEWEST_DIFFERENT or password in OBVIOUS or password.rstrip(_AFTER_THEM) in OBVIOUS


def matches(stored: str | None, password: str) -> bool:
    """Whether a password is the one of a hash; where there is no hash that takes as long and the answer is no."""
    dummy = _dummy()  # made by whoever comes first, so that an unknown name never takes longer than a known one
    given = _bytes(password)
    try:
        with _at_once:
            _hasher.verify(stored or dummy, given if len(given) <= MOST_BYTES else b"")
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


def renewed(stored: str, password: str) -> str | None:
    """A new hash of a password that was right, if the old one was made with parameters of an earlier time."""
    return _hash(password) if _hasher.check_needs_rehash(stored) else None


def _hash(password: str) -> str:
    with _at_once:
        return _hasher.hash(_bytes(password))


@functools.cache
def _dummy() -> str:
    return _hash(secrets.token_urlsafe())


def _bytes(password: str) -> bytes:
    """As RFC 8265 has it: composed, so that it does not matter which keyboard typed an accent."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
