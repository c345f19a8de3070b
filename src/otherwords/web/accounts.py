"""Accounts: made, found, given another role, closed and opened again.

Whoever calls decides about the transaction, and whether the actor may do it; what holds for all of them is held here:
no two names that differ only in case, and always an admin who can log in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, delete, func, insert, select, update

from otherwords.errors import Conflict, NotFound
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.project.pseudonyms import set_free
from otherwords.web import attempts
from otherwords.web.audit import note
from otherwords.web.digests import digest_of
from otherwords.web.names import checked_name, key_of, refuse_withdrawn
from otherwords.web.roles import ACTIVE, CLOSED, Account, checked_role

ACCOUNTS_LOCK = 7471  # any number that nothing else locks by, as long as it is always the same
_one, _links = schema.accounts, schema.invitations


@dataclass(frozen=True, slots=True)
class Credentials:
    """An account and the hash of its password."""

    account: Account
    password: str | None


def one_at_a_time(connection: Connection) -> None:
    """Let changes that look at several accounts queue, until the transaction ends; SQLite's writers do so anyway."""
    if connection.dialect.name != "sqlite":
        connection.execute(select(func.pg_advisory_xact_lock(ACCOUNTS_LOCK)))


def credentials_of(connection: Connection, name: str) -> Credentials | None:
    """The account of a name in any spelling, with its hash."""
    wanted = key_of(name)
    spelled = next((one for one in connection.execute(select(_one.c.name)).scalars() if key_of(one) == wanted), None)
    if spelled is None:
        return None
    row = connection.execute(select(_one).where(_one.c.name == spelled)).mappings().one()
    return Credentials(_account(row), row["password"])


def account_of(connection: Connection, name: str) -> Account:
    """The account of a name in any spelling."""
    found = credentials_of(connection, name)
    if found is None:
        raise NotFound(f"nobody here is called {name!r}")
    return found.account


def refuse_taken(connection: Connection, name: str) -> str:
    """The name as it is kept, if somebody new can have it."""
    spelled = checked_name(name)
    if credentials_of(connection, spelled) is not None:
        raise Conflict(f"somebody is called {spelled!r} already; choose another name")
    refuse_withdrawn(connection, spelled)
    return spelled


def add_account(connection: Connection, name: str, role: str, password: str, actor: str | None) -> Account:
    """Make an account with a hashed password for somebody who was not invited."""
    account = new_account(connection, name, role, password)
    note(connection, actor, "added", account=account.name, role=role)
    return account


def new_account(
    connection: Connection, name: str, role: str, password: str, settings: dict[str, Any] | None = None
) -> Account:
    """The account itself; whoever calls says in the audit trail how it came about."""
    one_at_a_time(connection)
    account = Account(refuse_taken(connection, name), checked_role(role), settings=settings or {})
    row = {"name": account.name, "role": role, "state": ACTIVE, "password": password, "created": now()}
    connection.execute(insert(_one).values(**row, settings=account.settings))
    return account


def set_role(connection: Connection, account: Account, role: str, actor: str | None) -> Account:
    """Give an account another role. The open invitations of somebody who is no admin any more are cancelled."""
    before = _held(connection, account)
    if before.role == checked_role(role):
        return before
    if before.role == "admin":
        _refuse_last_admin(connection, before, "made something else")
        _cancel_links(connection, _links.c.author == before.name)
        set_free(connection, before.name)
    connection.execute(update(_one).where(_one.c.name == before.name).values(role=role))
    note(connection, actor, "role changed", account=before.name, role=role, before=before.role)
    return Account(before.name, role, before.state, before.settings)


def close(connection: Connection, account: Account, actor: str | None) -> Account:
    """Let somebody in no more, nor whom they invited. What they judged stays; so do their tokens, good for nothing."""
    return _set_state(connection, account, CLOSED, actor)


def reopen(connection: Connection, account: Account, actor: str | None) -> Account:
    """Let somebody in again."""
    return _set_state(connection, account, ACTIVE, actor)


def change_password(connection: Connection, account: Account, password: str, keep: str | None = None) -> None:
    """Set a hashed password as its owner does. All sessions end but the one with the secret ``keep``."""
    replace_password(connection, account, password, keep)
    note(connection, account.name, "password changed", account=account.name)


def replace_password(connection: Connection, account: Account, password: str, keep: str | None = None) -> None:
    """The same without the audit trail. Open links to reset it end too, and failed logins are forgotten."""
    connection.execute(update(_one).where(_one.c.name == account.name).values(password=password))
    others = (schema.sessions.c.account == account.name, schema.sessions.c.id != digest_of(keep or ""))
    connection.execute(delete(schema.sessions).where(*others))
    _cancel_links(connection, _links.c.purpose == "reset", _links.c.account == account.name)
    attempts.clear(connection, attempts.account_key(account.name))


def has_admin(connection: Connection, besides: str | None = None) -> bool:
    """Whether an admin can log in, other than the one of a name."""
    able = (_one.c.role == "admin", _one.c.state == ACTIVE, _one.c.password.is_not(None))
    others = select(_one.c.name).where(*able, _one.c.name != (besides or "")).limit(1)
    return connection.execute(others).first() is not None


def _set_state(connection: Connection, account: Account, state: str, actor: str | None) -> Account:
    before = _held(connection, account)
    if before.state == state:
        return before
    if state == CLOSED:
        if before.role == "admin":
            _refuse_last_admin(connection, before, "closed")
        connection.execute(delete(schema.sessions).where(schema.sessions.c.account == before.name))
        _cancel_links(connection, _links.c.author == before.name)
        set_free(connection, before.name)
    connection.execute(update(_one).where(_one.c.name == before.name).values(state=state))
    note(connection, actor, "closed" if state == CLOSED else "reopened", account=before.name)
    return Account(before.name, before.role, state, before.settings)


def _cancel_links(connection: Connection, *conditions: ColumnElement[bool]) -> None:
    connection.execute(delete(_links).where(_links.c.used.is_(None), *conditions))


def _refuse_last_admin(connection: Connection, account: Account, what: str) -> None:
    if not has_admin(connection, besides=account.name):
        raise Conflict(f"{account.name} is the last admin and cannot be {what}; make somebody else an admin first")


def _held(connection: Connection, account: Account) -> Account:
    """The account as it is by now, locked."""
    one_at_a_time(connection)
    row = connection.execute(select(_one).where(_one.c.name == account.name).with_for_update()).mappings().first()
    if row is None:
        raise NotFound(f"nobody here is called {account.name!r}")
    return _account(row)


def _account(row: RowMapping) -> Account:
    return Account(row["name"], row["role"], row["state"], row["settings"])
