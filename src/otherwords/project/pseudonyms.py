"""Annotators who withdrew: their names are gone, and who comes with such a name again gets the same pseudonym.

A tombstone holds the pseudonym and a slow, salted hash of the name, so that a name can be recognised by somebody
who has it and not be read by somebody who has the ledger.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

import msgspec
from sqlalchemy import JSON, ColumnElement, Connection, String, cast, or_, select, update

from otherwords.project import schema
from otherwords.project.erasing import bury

PREFIX = "withdrawn-"
_COST = {"n": 2**14, "r": 8, "p": 1}  # scrypt as RFC 7914 §2 names it for interactive use; 16 MB, some 50 ms


class Pseudonyms:
    """The pseudonyms of a project, by the names that they stand for."""

    def __init__(self, connection: Connection) -> None:
        one = schema.tombstones
        targets = connection.execute(select(one.c.target).where(one.c.noun == "annotator").order_by(one.c.seq))
        self._known: dict[tuple[str, str], str] = {}
        for target in targets.scalars():
            pseudonym, salt, digest = target.split(":")
            self._known[salt, digest] = pseudonym
        self._salts = list(dict.fromkeys(salt for salt, _ in self._known))
        self._names: dict[str, str | None] = {}

    def of(self, name: str) -> str | None:
        """The pseudonym of an annotator who withdrew; None for anybody else."""
        if name not in self._names:
            found = (self._known.get((salt, _digest(name, salt))) for salt in self._salts)
            self._names[name] = next(filter(None, found), None)
        return self._names[name]

    def new(self, name: str) -> tuple[str, str]:
        """A pseudonym for a name and the tombstone's target; one salt serves a whole project."""
        pseudonym = f"{PREFIX}{secrets.token_hex(4)}"
        salt = self._salts[0] if self._salts else secrets.token_hex(16)
        self._names[name] = pseudonym
        return pseudonym, f"{pseudonym}:{salt}:{_digest(name, salt)}"


def _digest(name: str, salt: str) -> str:
    return hashlib.scrypt(name.encode(), salt=bytes.fromhex(salt), dklen=16, **_COST).hex()


def under_pseudonym(row: dict[str, Any], name: str, pseudonym: str) -> dict[str, Any]:
    """A row of judgements or events with the name replaced, also in ids that formats make of names (``p1:anna``)."""
    return {column: _replaced(value, name, pseudonym) for column, value in row.items()}


def _replaced(value: Any, name: str, pseudonym: str) -> Any:
    if isinstance(value, str):
        return re.sub(rf"(?<![^:]){re.escape(name)}(?![^:])", pseudonym, value)
    if isinstance(value, dict):
        return {_replaced(key, name, pseudonym): _replaced(one, name, pseudonym) for key, one in value.items()}
    return [_replaced(one, name, pseudonym) for one in value] if isinstance(value, list | tuple) else value


_JUDGEMENT = ("id", "annotator", "supersedes", "meta")
_EVENT = ("actor", "detail")
NAMED = {schema.judgements: _JUDGEMENT, schema.events: _EVENT}


def _mentions(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    spelled = msgspec.json.encode(name).decode()[1:-1] if isinstance(column.type, JSON) else name
    return cast(column, String).contains(spelled, autoescape=True)


def erase_annotator(connection: Connection, name: str, time: str, reason: str | None) -> dict[str, int]:
    """Replace a name by a pseudonym wherever it stands as an identity, and put up its tombstone."""
    known = Pseudonyms(connection)
    pseudonym = known.of(name)
    if pseudonym is None:
        pseudonym, target = known.new(name)
        bury(connection, "annotator", [target], time, reason)
    told: dict[str, int] = {}
    for table, columns in NAMED.items():
        told[table.name] = 0
        mentions = or_(*(_mentions(table.c[column], name) for column in columns))
        for row in connection.execute(select(table).where(mentions)).mappings().all():
            before = {column: row[column] for column in columns}
            after = under_pseudonym(before, name, pseudonym)
            if after != before:
                connection.execute(update(table).where(table.c.seq == row["seq"]).values(**after))
                told[table.name] += 1
    return told
