"""Annotators who withdrew: their names are gone, and who comes with such a name again gets the same pseudonym.

A tombstone holds the pseudonym and a slow, salted hash of the name, so that a name can be recognised by somebody
who has it and not be read by somebody who has the ledger.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter

from sqlalchemy import Connection, Table, and_, delete, or_, select, update
from sqlalchemy.sql import ColumnElement

from otherwords.project import schema
from otherwords.project.erasing import bury
from otherwords.project.identities import NAMED, Renaming

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

    def known(self) -> dict[str, str]:
        """Who was asked for and withdrew, with the pseudonym."""
        return {name: pseudonym for name, pseudonym in self._names.items() if pseudonym}

    def new(self, name: str) -> tuple[str, str]:
        """A pseudonym for a name and the tombstone's target; one salt serves a whole project."""
        pseudonym = f"{PREFIX}{secrets.token_hex(4)}"
        salt = self._salts[0] if self._salts else secrets.token_hex(16)
        self._names[name] = pseudonym
        return pseudonym, f"{pseudonym}:{salt}:{_digest(name, salt)}"


def _digest(name: str, salt: str) -> str:
    return hashlib.scrypt(name.encode(), salt=bytes.fromhex(salt), dklen=16, **_COST).hex()


def erase_annotator(connection: Connection, name: str, time: str, reason: str | None) -> dict[str, int]:
    """Replace a name by a pseudonym wherever it stands as an identity, and put up its tombstone; the account goes."""
    known = Pseudonyms(connection)
    pseudonym = known.of(name)
    if pseudonym is None:
        pseudonym, target = known.new(name)
        bury(connection, "annotator", [target], time, reason)
    forgotten = Counter(_forget(connection, name))
    forgotten["takers"] = _join_takers(connection, name, pseudonym)
    renaming = Renaming({name: pseudonym}, account_names(connection))
    told = Counter({table.name: _rename(connection, table, name, renaming) for table in NAMED})
    told.update(forgotten)
    return dict(told)


def set_free(connection: Connection, name: str) -> None:
    """Give back what somebody who leaves was to judge: anybody else of the batch may take it now."""
    one = schema.slots
    theirs = and_(one.c.position >= 0, or_(one.c.assigned == name, one.c.holder == name))  # tests are theirs alone
    free = {"assigned": None, "holder": None, "until": None}
    connection.execute(update(one).where(theirs, one.c.judgement.is_(None)).values(**free))


def account_names(connection: Connection) -> list[str]:
    """Everybody who can be called by name."""
    return list(connection.execute(select(schema.accounts.c.name)).scalars())


def _forget(connection: Connection, name: str) -> dict[str, int]:
    """Delete what lets somebody in, and what they are at right now."""
    theirs: dict[Table, ColumnElement[bool]] = {
        schema.accounts: schema.accounts.c.name == name,
        schema.sessions: schema.sessions.c.account == name,
        schema.tokens: schema.tokens.c.account == name,
        schema.invitations: schema.invitations.c.account == name,
        schema.attempts: schema.attempts.c.key.in_([name, f"account:{name}"]),
        schema.holds: schema.holds.c.holder == name,
    }
    return {table.name: connection.execute(delete(table).where(mine)).rowcount for table, mine in theirs.items()}


def _join_takers(connection: Connection, name: str, pseudonym: str) -> int:
    """Who worked on a batch under both names has come as far as both together."""
    one = schema.takers
    now = {row.batch: row for row in connection.execute(select(one).where(one.c.annotator == pseudonym))}
    before = [row for row in connection.execute(select(one).where(one.c.annotator == name)) if row.batch in now]
    for row in before:
        other = now[row.batch]
        both = {part: getattr(row, part) + getattr(other, part) for part in ("done", "tests", "right")}
        both["position"] = max(row.position, other.position)
        of_batch = one.c.batch == row.batch
        connection.execute(update(one).where(of_batch, one.c.annotator == pseudonym).values(**both))
        connection.execute(delete(one).where(of_batch, one.c.annotator == name))
    return len(before)


def _rename(connection: Connection, table: Table, name: str, renaming: Renaming) -> int:
    ways = NAMED[table]
    may_hold = or_(*(way.find(table.c[column], name) for column, way in ways.items()))
    changed = 0
    for row in connection.execute(select(table).where(may_hold)).mappings().all():
        if after := renaming.changes(table, dict(row)):
            this = [column == row[column.name] for column in table.primary_key.columns]
            connection.execute(update(table).where(*this).values(**after))
            changed += 1
    return changed
