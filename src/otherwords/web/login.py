"""Logging in: read, verify, record. The slow middle is outside any transaction.

A name that nobody has, a closed account and one without a password take as long as a wrong password, wait as long
after too many of them, and get the same answer.
"""

from __future__ import annotations

from sqlalchemy import Connection, update

from otherwords.errors import Conflict, NotAllowed
from otherwords.project import schema
from otherwords.project.ledger import Ledger
from otherwords.web import attempts
from otherwords.web.accounts import Credentials, credentials_of
from otherwords.web.audit import note
from otherwords.web.passwords import matches, renewed
from otherwords.web.roles import ACTIVE, Account

WRONG = "the name or the password is wrong"


def verify_login(ledger: Ledger, name: str, password: str, address: str) -> Account:
    """The account of somebody who knows its password; the caller opens a session for it."""
    with ledger.reading() as connection:
        found = credentials_of(connection, name)
        key = attempts.account_key(found.account.name) if found else attempts.unknown_key(name)
        keys = [key, attempts.address_key(address)]
        attempts.refuse_waiting(connection, keys)
    open_to = found if found and found.account.state == ACTIVE else None
    stored = open_to.password if open_to else None
    if not matches(stored, password):
        with ledger.writing() as connection:
            _turn_away(connection, keys, found)
        raise NotAllowed(WRONG)
    assert open_to is not None
    assert stored is not None
    again = renewed(stored, password)
    with ledger.writing() as connection:
        return _let_in(connection, keys, open_to, again)


def _let_in(connection: Connection, keys: list[str], verified: Credentials, again: str | None) -> Account:
    attempts.count_success(connection, keys)
    name = verified.account.name
    if credentials_of(connection, name) != verified:
        raise Conflict("the account was changed at this very moment; log in again")
    if again is not None:
        one = schema.accounts
        connection.execute(update(one).where(one.c.name == name).values(password=again))
    note(connection, name, "logged in")
    return verified.account


def _turn_away(connection: Connection, keys: list[str], found: Credentials | None) -> None:
    """Count it; only the waits go into the audit trail, and neither what was typed nor from where."""
    for key, (failures, seconds) in attempts.count_failure(connection, keys).items():
        if key.startswith("address:"):
            note(connection, None, "login failed from one address", failures=failures, seconds=seconds)
        elif found:
            note(connection, None, "login failed", account=found.account.name, failures=failures, seconds=seconds)
