"""Pseudonyms of annotators who withdrew: their names are erased, and a name that comes back gets the same pseudonym.

A tombstone holds the pseudonym and a slow, salted hash of the name, so that whoever has the name can recognise it, and
whoever has the ledger cannot read it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter

from sqlalchemy import Connection, Table, and_, delete, or_, select, update
from sqlalchemy.sql import ColumnElement

from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import Row
from otherwords.project.withdrawal.erase_rows import bury
from otherwords.project.withdrawal.identities import NAMED, Renaming, people_in

PSEUDONYM_PREFIX = "withdrawn-"
_COST = {"n": 2**14, "r": 8, "p": 1}  # scrypt as RFC 7914 §2 names it for interactive use; 16 MB, some 50 ms


class Pseudonyms:
    """The pseudonyms of a project, looked up by name."""

    def __init__(self, connection: Connection) -> None:
        tombstones = schema.tombstones
        targets = select(tombstones.c.target).where(tombstones.c.noun == "annotator").order_by(tombstones.c.seq)
        self._known: dict[tuple[str, str], str] = {}
        for target in connection.execute(targets).scalars():
            pseudonym, salt, digest = target.split(":")
            self._known[salt, digest] = pseudonym
        self._salts = list(dict.fromkeys(salt for salt, _ in self._known))
        self._names: dict[str, str | None] = {}

    def find(self, name: str) -> str | None:
        """The pseudonym of an annotator who withdrew; None for anybody else."""
        if name not in self._names:
            matches = (self._known.get((salt, _digest(name, salt))) for salt in self._salts)
            self._names[name] = next(filter(None, matches), None)
        return self._names[name]

    def known(self) -> dict[str, str]:
        """The names looked up so far that have a pseudonym."""
        return {name: pseudonym for name, pseudonym in self._names.items() if pseudonym}

    def in_rows(self, connection: Connection, table: Table, rows: list[Row]) -> list[Row]:
        """Rows that come in, with the names of annotators who withdrew replaced by their pseudonyms."""
        if table not in NAMED or not self._salts:
            return rows
        people = people_in(table, rows)
        for name in people:
            self.find(name)
        if not (known := self.known()):  # also those of other tables: an id or a note may hold their names
            return rows
        renaming = Renaming(known, people | set(account_names(connection)))
        return [row | renaming.changes(table, row) for row in rows]

    def new(self, name: str) -> tuple[str, str]:
        """A new pseudonym for a name, and the target of its tombstone; a project has one salt."""
        pseudonym = f"{PSEUDONYM_PREFIX}{secrets.token_hex(4)}"
        salt = self._salts[0] if self._salts else secrets.token_hex(16)
        self._names[name] = pseudonym
        return pseudonym, f"{pseudonym}:{salt}:{_digest(name, salt)}"


def _digest(name: str, salt: str) -> str:
    return hashlib.scrypt(name.encode(), salt=bytes.fromhex(salt), dklen=16, **_COST).hex()


def erase_annotator(connection: Connection, name: str, time: str, reason: str | None) -> dict[str, int]:
    """Replace a name by a pseudonym wherever it identifies somebody, add a tombstone and delete the account."""
    known = Pseudonyms(connection)
    pseudonym = known.find(name)
    if pseudonym is None:
        pseudonym, target = known.new(name)
        bury(connection, "annotator", [target], time, reason)
    deleted = Counter(_delete_access(connection, name))
    deleted["takers"] = _merge_takers(connection, name, pseudonym)
    renaming = Renaming({name: pseudonym}, account_names(connection))
    counts = Counter({table.name: _rename(connection, table, name, renaming) for table in NAMED})
    counts.update(deleted)
    return dict(counts)


def release_slots(connection: Connection, name: str) -> None:
    """Release the open slots of somebody who leaves, so that others of the batch can take them."""
    slots = schema.slots
    own = and_(slots.c.position >= 0, or_(slots.c.assigned == name, slots.c.holder == name))  # test pairs stay
    free = {"assigned": None, "holder": None, "until": None}
    connection.execute(update(slots).where(own, slots.c.judgement.is_(None)).values(**free))


def account_names(connection: Connection) -> list[str]:
    """The names of all accounts."""
    return list(connection.execute(select(schema.accounts.c.name)).scalars())


def _delete_access(connection: Connection, name: str) -> dict[str, int]:
    """Delete the account of somebody, whatever else lets them in, and their locks."""
    own_rows: dict[Table, ColumnElement[bool]] = {
        schema.accounts: schema.accounts.c.name == name,
        schema.sessions: schema.sessions.c.account == name,
        schema.tokens: schema.tokens.c.account == name,
        schema.invitations: schema.invitations.c.account == name,
        schema.attempts: schema.attempts.c.key.in_([name, f"account:{name}"]),
        schema.holds: schema.holds.c.holder == name,
        schema.past_holders: schema.past_holders.c.annotator == name,
        schema.completion_codes: schema.completion_codes.c.annotator == name,  # where they were paid, it names them
        schema.platform_workers: schema.platform_workers.c.account == name,
        schema.identities: schema.identities.c.account == name,
        schema.sign_ins: schema.sign_ins.c.account == name,
        schema.practice_answers: schema.practice_answers.c.annotator == name,
    }
    return {table.name: connection.execute(delete(table).where(own)).rowcount for table, own in own_rows.items()}


def _merge_takers(connection: Connection, name: str, pseudonym: str) -> int:
    """Add up the progress in batches on which somebody worked under the name and under the pseudonym."""
    takers = schema.takers
    renamed = {row.batch: row for row in connection.execute(select(takers).where(takers.c.annotator == pseudonym))}
    named = connection.execute(select(takers).where(takers.c.annotator == name)).all()
    in_both = [row for row in named if row.batch in renamed]
    for row in in_both:
        other = renamed[row.batch]
        total = {column: getattr(row, column) + getattr(other, column) for column in ("done", "tests", "right")}
        total["position"] = max(row.position, other.position)
        same_batch = takers.c.batch == row.batch
        connection.execute(update(takers).where(same_batch, takers.c.annotator == pseudonym).values(**total))
        connection.execute(delete(takers).where(same_batch, takers.c.annotator == name))
    return len(in_both)


def _rename(connection: Connection, table: Table, name: str, renaming: Renaming) -> int:
    may_hold = or_(*(named.find(table.c[column], name) for column, named in NAMED[table].items()))
    changed = 0
    for row in connection.execute(select(table).where(may_hold)).mappings().all():
        if changes := renaming.changes(table, dict(row)):
            same_row = [column == row[column.name] for column in table.primary_key.columns]
            connection.execute(update(table).where(*same_row).values(**changes))
            changed += 1
    return changed
