"""What an account may be called. Two names that differ in case or in how an accent is encoded are the same name."""

from __future__ import annotations

import unicodedata

from sqlalchemy import Connection

from otherwords.errors import Refused
from otherwords.project.pseudonyms import PREFIX, Pseudonyms

MOST_CHARACTERS = 40
RESERVED = ("simulated",)  # the annotator of judgements that no person made
_SIGNS = "._-"


def key_of(name: str) -> str:
    """What two spellings of one name have in common."""
    return _composed(_composed(name).casefold())


def checked_name(name: str) -> str:
    """The name as it is kept, if it can be one."""
    composed = _composed(name)
    if not 1 <= len(composed) <= MOST_CHARACTERS:
        raise Refused(f"a name has 1 to {MOST_CHARACTERS} characters, this one has {len(composed)}")
    wrong = next((one for one in composed if not _is_allowed(one)), None)
    if wrong is not None:
        raise Refused(f"a name is made of letters, digits, dots, hyphens and underscores; {wrong!r} is none of them")
    if composed[0] == "." or _is_mark(composed[0]):
        raise Refused("a name begins with a letter, a digit, a hyphen or an underscore")
    if key_of(composed) in RESERVED or key_of(composed).startswith(PREFIX):
        raise Refused(f"the name {composed!r} is reserved; choose another")
    return composed


def refuse_withdrawn(connection: Connection, name: str) -> None:
    """The name of somebody who withdrew stays out of the ledger: it would tell who the pseudonym is."""
    known = Pseudonyms(connection)
    if any(known.of(spelling) for spelling in dict.fromkeys((name, key_of(name)))):
        raise Refused(f"the name {name!r} cannot be used in this project; choose another")


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _is_mark(one: str) -> bool:
    return unicodedata.category(one).startswith("M")


def _is_allowed(one: str) -> bool:
    """Marks too: in many scripts a name cannot be written without them."""
    category = unicodedata.category(one)
    return category[0] == "L" or category == "Nd" or category in ("Mn", "Mc") or one in _SIGNS
