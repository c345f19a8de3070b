"""The secret keys of a project in a backup: sealed with a passphrase, so that the archive alone opens nothing.

From the keys follow the pseudonyms of releases and the places of hidden tests. A project that is restored without them
has other pseudonyms than before, and pages that people have open name tasks that are not there.

scrypt (RFC 7914) makes a stream of bytes from the passphrase and a salt that is used once. The keys are added to it bit
by bit, as in a one-time pad, and the rest of the stream is the key of an HMAC over the result, so that a wrong
passphrase and a changed archive are noticed before anything is written.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from unicodedata import normalize

import msgspec

from otherwords.errors import DataError, ProjectError, UsageError
from otherwords.project.permissions import PRIVATE_FOLDER, write_private
from otherwords.project.project import SECRETS

NAME = "keys.sealed"
SUFFIX = ".key"
MAX_BYTES = 64 * 2**10
SALT_BYTES, TAG_KEY_BYTES = 16, 32
FEWEST_CHARACTERS = 12
_COST = {"n": 2**16, "r": 8, "p": 1, "maxmem": 2**27}  # 64 MB and a third of a second a guess


class SealedKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file in the archive, every value in hexadecimal."""

    salt: str
    sealed: str
    tag: str


def key_names(project: Path) -> list[str]:
    """The names of the keys that a project has."""
    return sorted(path.name for path in (project / SECRETS).glob(f"*{SUFFIX}"))


def seal_keys(project: Path, passphrase: str) -> bytes:
    """The keys of a project as a file that only the passphrase opens."""
    if len(passphrase) < FEWEST_CHARACTERS:
        message = f"the passphrase has {len(passphrase)} characters; at least {FEWEST_CHARACTERS} are needed"
        raise UsageError(message, code="passphrase-too-short")
    try:
        keys = {name: (project / SECRETS / name).read_text(encoding="ascii") for name in key_names(project)}
    except (OSError, ValueError) as problem:
        raise ProjectError(f"{project / SECRETS}: a key cannot be read: {problem}", code="bad-key-file") from None
    plain, salt = msgspec.json.encode(keys), os.urandom(SALT_BYTES)
    sealed, tag_key = _combine(plain, passphrase, salt)
    tag = hmac.digest(tag_key, salt + sealed, hashlib.sha256)
    return msgspec.json.encode(SealedKeys(salt.hex(), sealed.hex(), tag.hex())) + b"\n"


def open_keys(content: bytes, passphrase: str, where: object) -> dict[str, str]:
    """The keys of a sealed file by name; ``where`` is for messages."""
    try:
        file = msgspec.json.decode(content, type=SealedKeys)
        salt, sealed, tag = map(bytes.fromhex, (file.salt, file.sealed, file.tag))
    except ValueError as problem:
        raise DataError(f"{NAME} cannot be read: {problem}", str(where), code="bad-key-file") from None
    plain, tag_key = _combine(sealed, passphrase, salt)
    if not secrets.compare_digest(hmac.digest(tag_key, salt + sealed, hashlib.sha256), tag):
        reason = "the passphrase does not open the keys; without one, the project is restored without them"
        raise DataError(reason, str(where), code="wrong-passphrase")
    return msgspec.json.decode(plain, type=dict[str, str])


def write_keys(project: Path, keys: dict[str, str]) -> None:
    """Put opened keys into a project's folder."""
    (project / SECRETS).mkdir(PRIVATE_FOLDER, exist_ok=True)
    for name, key in keys.items():
        if Path(name).name == name and name.endswith(SUFFIX):
            write_private(project / SECRETS / name, key)


def _combine(content: bytes, passphrase: str, salt: bytes) -> tuple[bytes, bytes]:
    """The content sealed or opened, which is the same, and the key of its tag."""
    secret = normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    stream = hashlib.scrypt(secret, salt=salt, dklen=TAG_KEY_BYTES + len(content), **_COST)
    pad = stream[TAG_KEY_BYTES:]
    return bytes(a ^ b for a, b in zip(content, pad, strict=True)), stream[:TAG_KEY_BYTES]
