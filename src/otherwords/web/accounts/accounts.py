"""Accounts: making and finding them, changing their role, closing and reopening them.

Callers decide about the transaction and whether the actor may do it. Guaranteed here: no two names differ only in case
or look alike, and there is always an admin who can log in.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.project.withdrawal.pseudonyms import Pseudonyms, release_slots
from otherwords.web.accounts import login_backoff
from otherwords.web.accounts.audit import Action, note
from otherwords.web.accounts.names import check_name, key_of, look_of
from otherwords.web.accounts.passwords import digest_of
from otherwords.web.accounts.roles import ACTIVE, CLOSED, ROLES, Account, AccountSettings, check_role

ACCOUNTS_LOCK = 7471  # any number that no other advisory lock uses
_accounts, _links = schema.accounts, schema.invitations


@dataclass(frozen=True, slots=True)
class Credentials:
    """An account and the hash of its password."""

    account: Account
    password: str | None


def lock_accounts(connection: Connection) -> None:
    """Queue changes that look at several accounts until the transaction ends; SQLite queues all writers anyway."""
    if connection.dialect.name != "sqlite":
        connection.execute(select(func.pg_advisory_xact_lock(ACCOUNTS_LOCK)))


def credentials_of(connection: Connection, name: str) -> Credentials | None:
    """The account of a name in any spelling, with its hash."""
    key = key_of(name)
    names = connection.execute(select(_accounts.c.name)).scalars()
    stored_name = next((candidate for candidate in names if key_of(candidate) == key), None)
    if stored_name is None:
        return None
    row = connection.execute(select(_accounts).where(_accounts.c.name == stored_name)).mappings().one()
    return Credentials(Account(*(row[name] for name in Account.__slots__)), row["password"])


def account_of(connection: Connection, name: str) -> Account:
    """The account of a name in any spelling."""
    credentials = credentials_of(connection, name)
    if credentials is None:
        raise NotFound(f"nobody here is called {name!r}", code="no-such-account")
    return credentials.account


def refuse_taken(connection: Connection, name: str) -> str:
    """The name as it is stored, if it is free for a new account."""
    composed = check_name(name)
    look = look_of(composed)
    for taken in connection.execute(select(_accounts.c.name)).scalars():
        if key_of(taken) == key_of(composed):
            raise Conflict(f"somebody is called {composed!r} already; choose another name", "name", code="name-taken")
        if look_of(taken) == look:
            reason = f"{composed!r} looks like the name of somebody who is here already; choose another name"
            raise Conflict(reason, "name", code="name-taken")
    pseudonyms = Pseudonyms(connection)  # of people who withdrew: the name would reveal whose a pseudonym is
    if any(pseudonyms.find(spelling) for spelling in dict.fromkeys((composed, key_of(composed)))):
        reason = f"the name {composed!r} cannot be used in this project; choose another"
        raise Refused(reason, "name", code="withdrawn-name")
    return _as_judgements_spell(connection, composed)


def _as_judgements_spell(connection: Connection, name: str) -> str:
    """A name as it heads a column of an imported sheet: whoever is Anna there must not be another person as anna."""
    annotators = connection.execute(select(schema.judgements.c.annotator).distinct()).scalars()
    spellings = sorted(known for known in annotators if known is not None and key_of(known) == key_of(name))
    return name if not spellings or name in spellings else check_name(spellings[0])


def add_account(connection: Connection, name: str, role: str, password: str, actor: str | None) -> Account:
    """Make an account with a hashed password for somebody who was not invited."""
    account = new_account(connection, name, role, password)
    note(connection, actor, "added", account=account.name, role=role)
    return account


def new_account(
    connection: Connection, name: str, role: str, password: str | None, settings: AccountSettings | None = None
) -> Account:
    """Make an account; the caller records in the audit trail how that happened. Without a password it cannot log in."""
    lock_accounts(connection)
    account = Account(refuse_taken(connection, name), check_role(role), settings=settings or {})
    row = {"name": account.name, "role": role, "state": ACTIVE, "password": password, "created": now()}
    connection.execute(insert(_accounts).values(**row, settings=account.settings))
    return account


def set_role(connection: Connection, account: Account, role: str, actor: str | None) -> Account:
    """Change the role of an account. Links that somebody made who has a lower role now are cancelled."""
    before = _locked(connection, account)
    if before.role == check_role(role):
        return before
    if ROLES.index(role) < ROLES.index(before.role):
        cancel_links(connection, _links.c.author == before.name)
    if before.role == "admin":
        _refuse_last_admin(connection, before, "given another role")
        release_slots(connection, before.name)
    connection.execute(update(_accounts).where(_accounts.c.name == before.name).values(role=role))
    note(connection, actor, "role changed", account=before.name, role=role, before=before.role)
    return Account(before.name, role, before.state, before.settings)


def choose_one_key(connection: Connection, account: Account, on: bool) -> None:
    """Turn saving on one key on or off for somebody."""
    settings: AccountSettings = {**_locked(connection, account).settings, "one_key": on}
    connection.execute(update(_accounts).where(_accounts.c.name == account.name).values(settings=settings))


def close(connection: Connection, account: Account, actor: str | None) -> Account:
    """Close an account: its owner can neither log in nor set a password, and their open invitations end.

    Judgements and (now useless) tokens stay.
    """
    before = _locked(connection, account)
    if before.state == CLOSED:
        return before
    if before.role == "admin":
        _refuse_last_admin(connection, before, "closed")
    connection.execute(delete(schema.sessions).where(schema.sessions.c.account == before.name))
    cancel_links(connection, or_(_links.c.author == before.name, _links.c.account == before.name))
    release_slots(connection, before.name)
    connection.execute(update(_accounts).where(_accounts.c.name == before.name).values(state=CLOSED))
    note(connection, actor, "closed", account=before.name)
    return Account(before.name, before.role, CLOSED, before.settings)


def reopen(connection: Connection, account: Account, actor: str | None) -> Account:
    """Reopen a closed account."""
    before = _locked(connection, account)
    if before.state == ACTIVE:
        return before
    connection.execute(update(_accounts).where(_accounts.c.name == before.name).values(state=ACTIVE))
    note(connection, actor, "reopened", account=before.name)
    return Account(before.name, before.role, ACTIVE, before.settings)


def change_password(
    connection: Connection,
    account: Account,
    password: str,
    keep: str | None = None,
    action: Action = "password changed",
) -> None:
    """Set a hashed password for its owner; ``action`` is what the audit trail calls it.

    All sessions end except the one with the secret ``keep``, and so do tokens, which whoever knew the old password may
    have made. Open reset links end too, and failed logins are forgotten.
    """
    connection.execute(update(_accounts).where(_accounts.c.name == account.name).values(password=password))
    others = (schema.sessions.c.account == account.name, schema.sessions.c.id != digest_of(keep or ""))
    connection.execute(delete(schema.sessions).where(*others))
    ended = connection.execute(delete(schema.tokens).where(schema.tokens.c.account == account.name)).rowcount
    cancel_links(connection, _links.c.purpose == "reset", _links.c.account == account.name)
    login_backoff.clear(connection, login_backoff.account_key(account.name))
    note(connection, account.name, action, account=account.name, **({"tokens": ended} if ended else {}))


def set_first_steps(connection: Connection, name: str, *, hidden: bool) -> None:
    """Hide the list of first steps from somebody's home page, or show it again."""
    account = _locked(connection, account_of(connection, name))
    settings: AccountSettings = {**account.settings, "hides_first_steps": hidden}
    connection.execute(update(_accounts).where(_accounts.c.name == account.name).values(settings=settings))


def has_admin(connection: Connection, besides: str | None = None) -> bool:
    """Whether some admin can log in, other than the one of a name."""
    can_log_in = (_accounts.c.role == "admin", _accounts.c.state == ACTIVE, _accounts.c.password.is_not(None))
    others = select(_accounts.c.name).where(*can_log_in, _accounts.c.name != (besides or "")).limit(1)
    return connection.execute(others).first() is not None


def cancel_links(connection: Connection, *conditions: ColumnElement[bool]) -> None:
    """Cancel the unused links that meet some conditions."""
    connection.execute(delete(_links).where(_links.c.used.is_(None), *conditions))


def _refuse_last_admin(connection: Connection, account: Account, change: str) -> None:
    if not has_admin(connection, besides=account.name):
        reason = f"{account.name} is the last admin and cannot be {change}; make somebody else an admin first"
        raise Conflict(reason, code="last-admin")


def _locked(connection: Connection, account: Account) -> Account:
    """The current state of an account, with its row locked."""
    lock_accounts(connection)
    row = (
        connection.execute(select(_accounts).where(_accounts.c.name == account.name).with_for_update())
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound(f"nobody here is called {account.name!r}", code="no-such-account")
    return Account(*(row[name] for name in Account.__slots__))
