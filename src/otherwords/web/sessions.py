"""Sessions on the server. The browser has the secret, the ledger its digest; each session has a CSRF token of its own.

A session ends two weeks after its last use. Looking it up only reads: when its end has become an hour old the caller
is told that it is due, and extends it in a transaction that writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import time
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from otherwords.project import schema
from otherwords.project.project import now
from otherwords.web.audit import note
from otherwords.web.digests import digest_of, new_secret
from otherwords.web.roles import ACTIVE, Account

LIFETIME = 14 * 86_400.0
BETWEEN_EXTENSIONS = 3600.0
_one, _who = schema.sessions, schema.accounts
# Built once: they run on every request.
_ALIVE = (
    select(_one.c.id, _who.c.name, _who.c.role, _who.c.state, _who.c.settings, _one.c.csrf, _one.c.until)
    .join_from(_one, _who, _one.c.account == _who.c.name)
    .where(_one.c.until > bindparam("moment"), _who.c.state == ACTIVE)
)
_FIND = _ALIVE.where(_one.c.id == bindparam("digest"))
_FIND_ALL = _ALIVE.where(_one.c.id.in_(bindparam("digests", expanding=True)))


@dataclass(frozen=True, slots=True)
class Session:
    """Who a browser is logged in as."""

    account: Account
    csrf: str
    due: bool  # to be extended


def open_session(connection: Connection, account: Account) -> tuple[str, str]:
    """Open a session for somebody who has just shown who they are; its secret, and its CSRF token."""
    secret, csrf = new_secret(), new_secret()
    row = {"id": digest_of(secret), "account": account.name, "csrf": csrf, "created": now(), "until": time() + LIFETIME}
    connection.execute(insert(_one).values(**row))
    return secret, csrf


def session_of(connection: Connection, secret: str) -> Session | None:
    """The session of a secret, unless it has ended or the account is closed."""
    moment = time()
    row = connection.execute(_FIND, {"digest": digest_of(secret), "moment": moment}).first()
    if row is None:
        return None
    return _session(row, moment)


def _session(row: Any, moment: float) -> Session:
    account = Account(row.name, row.role, row.state, row.settings)
    return Session(account, row.csrf, row.until < moment + LIFETIME - BETWEEN_EXTENSIONS)


def sessions_of(connection: Connection, secrets: Sequence[str]) -> dict[str, Session]:
    """The sessions of several secrets, by secret."""
    moment = time()
    digests = {digest_of(secret): secret for secret in secrets}
    rows = connection.execute(_FIND_ALL, {"digests": list(digests), "moment": moment})
    return {digests[row.id]: _session(row, moment) for row in rows}


def extend_session(connection: Connection, secret: str) -> None:
    """Two weeks more from now, for a session that has not ended."""
    moment = time()
    alive = (_one.c.id == digest_of(secret), _one.c.until > moment)
    connection.execute(update(_one).where(*alive).values(until=moment + LIFETIME))


def close_session(connection: Connection, secret: str) -> None:
    """Log out."""
    connection.execute(delete(_one).where(_one.c.id == digest_of(secret)))


def close_all_sessions(connection: Connection, account: Account, actor: str | None) -> int:
    """Log out everywhere; how many sessions that were. Tokens stay."""
    closed = connection.execute(delete(_one).where(_one.c.account == account.name)).rowcount
    note(connection, actor, "logged out everywhere", account=account.name, sessions=closed)
    return closed
