"""Sessions. The browser has the secret, the ledger its digest; each session has its own CSRF token.

A session ends two weeks after its last use. Looking it up only reads: if it was last extended more than an hour ago it
is ``due``, and the caller extends it in a transaction that writes.

Browsers share cookies among all ports of a host, so every project has its own names of cookies. Servers of one project
agree on the name: it follows from when the project was created and from its database. A copy that was restored beside
its original has another database, and so another name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, make_url, select, update

from otherwords.digests import digest_hex
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.web.accounts.audit import note
from otherwords.web.accounts.expiry import time
from otherwords.web.accounts.passwords import digest_of, new_secret
from otherwords.web.accounts.roles import ACTIVE, Account

LIFETIME = 14 * 86_400.0
BETWEEN_EXTENSIONS = 3600.0
_sessions, _accounts = schema.sessions, schema.accounts
# Built once, because they run on every request.
_ALIVE = (
    select(
        _sessions.c.id,
        _accounts.c.name,
        _accounts.c.role,
        _accounts.c.state,
        _accounts.c.settings,
        _sessions.c.csrf,
        _sessions.c.until,
    )
    .join_from(_sessions, _accounts, _sessions.c.account == _accounts.c.name)
    .where(_sessions.c.until > bindparam("moment"), _accounts.c.state == ACTIVE)
)
_FIND = _ALIVE.where(_sessions.c.id == bindparam("digest"))
_FIND_ALL = _ALIVE.where(_sessions.c.id.in_(bindparam("digests", expanding=True)))


@dataclass(frozen=True, slots=True)
class Session:
    """Who a browser is logged in as."""

    account: Account
    csrf: str
    due: bool  # whether it should be extended


def open_session(connection: Connection, account: Account) -> tuple[str, str]:
    """Open a session for somebody who has proved who they are; its secret and its CSRF token."""
    secret, csrf = new_secret(), new_secret()
    row = {"id": digest_of(secret), "account": account.name, "csrf": csrf, "created": now(), "until": time() + LIFETIME}
    connection.execute(insert(_sessions).values(**row))
    return secret, csrf


def session_of(connection: Connection, secret: str) -> Session | None:
    """The session of a secret, unless it has ended or the account is closed."""
    moment = time()
    row = connection.execute(_FIND, {"digest": digest_of(secret), "moment": moment}).first()
    return None if row is None else _session(row, moment)


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
    """Extend a session that has not ended to two weeks from now."""
    moment = time()
    alive = (_sessions.c.id == digest_of(secret), _sessions.c.until > moment)
    connection.execute(update(_sessions).where(*alive).values(until=moment + LIFETIME))


def close_session(connection: Connection, secret: str) -> None:
    """Log out."""
    connection.execute(delete(_sessions).where(_sessions.c.id == digest_of(secret)))


def close_all_sessions(connection: Connection, account: Account, actor: str | None) -> int:
    """Log out everywhere; the number of sessions that ended. Tokens stay."""
    closed = connection.execute(delete(_sessions).where(_sessions.c.account == account.name)).rowcount
    note(connection, actor, "logged out everywhere", account=account.name, sessions=closed)
    return closed


def session_cookie(project: Project) -> str:
    """The cookie with the session of somebody who is logged in."""
    database = make_url(project.config.ledger_url(project.folder.resolve())).database or ""
    return f"otherwords-{digest_hex(project.config.created, database, size=6)}"


def ticket_cookie(session: str) -> str:
    """The cookie with the ticket of a form that is sent before anybody is logged in, by that of the session."""
    return f"{session}-form"
