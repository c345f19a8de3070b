"""Tokens for programs: each has a name, scopes and perhaps an end; the ledger keeps its digest.

A token is never good for more than the role of its owner allows at the moment it is used.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from time import time

from sqlalchemy import Connection, bindparam, delete, insert, or_, select

from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.web.audit import note
from otherwords.web.digests import digest_of, new_secret
from otherwords.web.roles import ACTIVE, SCOPES, Account, allowed, scopes_of_role

PREFIX = "owt_"
MOST_CHARACTERS = 60
MOST_DAYS = 3650
DAY = 86_400.0
_one, _who = schema.tokens, schema.accounts
_FIND = (
    select(_who.c.name, _who.c.role, _who.c.state, _who.c.settings, _one.c.scopes)
    .join_from(_one, _who, _one.c.account == _who.c.name)
    .where(
        _one.c.id == bindparam("digest"),
        or_(_one.c.until.is_(None), _one.c.until > bindparam("moment")),
        _who.c.state == ACTIVE,
    )
)


@dataclass(frozen=True, slots=True)
class Token:
    """What can be said of a token without the secret."""

    name: str
    scopes: tuple[str, ...]
    created: str
    until: float | None


def make_token(
    connection: Connection,
    account: Account,
    name: str,
    scopes: Sequence[str],
    actor: str | None,
    days: float | None = None,
) -> str:
    """Make a token; its secret is told this once."""
    if days is not None and not 0 < days <= MOST_DAYS:
        raise Refused(f"a token is good for up to {MOST_DAYS:,} days, or without an end; {days} is neither")
    wanted = _checked_scopes(connection, account, scopes)
    known = _checked_name(name)
    if known in (one.name for one in tokens_of(connection, account)):
        raise Conflict(f"{account.name} has a token {known!r} already; choose another name, or revoke that one")
    secret = new_secret(PREFIX)
    until = None if days is None else time() + days * DAY
    row = {"id": digest_of(secret), "account": account.name, "name": known, "scopes": wanted, "until": until}
    connection.execute(insert(_one).values(**row, created=now()))
    note(connection, actor, "token made", account=account.name, token=known, scopes=wanted)
    return secret


def token_of(connection: Connection, secret: str) -> tuple[Account, frozenset[str]] | None:
    """Whose token it is and what it is good for now; None once it has ended or the account is closed."""
    row = connection.execute(_FIND, {"digest": digest_of(secret), "moment": time()}).first()
    if row is None:
        return None
    return Account(row.name, row.role, row.state, row.settings), allowed(row.scopes, row.role)


def tokens_of(connection: Connection, account: Account) -> list[Token]:
    """The tokens of an account, the oldest first."""
    columns = (_one.c.name, _one.c.scopes, _one.c.created, _one.c.until)
    rows = connection.execute(
        select(*columns).where(_one.c.account == account.name).order_by(_one.c.created, _one.c.name)
    )
    return [Token(row.name, tuple(row.scopes), row.created, row.until) for row in rows]


def revoke(connection: Connection, account: Account, name: str, actor: str | None) -> None:
    """End a token."""
    known = _checked_name(name)
    gone = connection.execute(delete(_one).where(_one.c.account == account.name, _one.c.name == known)).rowcount
    if not gone:
        raise NotFound(f"{account.name} has no token {known!r}")
    note(connection, actor, "token revoked", account=account.name, token=known)


def _checked_scopes(connection: Connection, account: Account, scopes: Sequence[str]) -> list[str]:
    """The scopes in their order. The account is locked, so that two tokens of one name are not made at once."""
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        raise Refused(f"a token is for one or more of {', '.join(SCOPES)}; not for {', '.join(unknown) or 'nothing'}")
    mine = select(_who.c.role).where(_who.c.name == account.name, _who.c.state == ACTIVE)
    role = connection.execute(mine.with_for_update()).scalar()
    if role is None:
        raise Conflict(f"the account {account.name} is closed; reopen it first")
    beyond = [scope for scope in SCOPES if scope in scopes and scope not in scopes_of_role(role)]
    if beyond:
        raise NotAllowed(f"{account.name} is {role}: a token for {', '.join(beyond)} is more than that role allows")
    return [scope for scope in SCOPES if scope in scopes]


def _checked_name(name: str) -> str:
    composed = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(composed) <= MOST_CHARACTERS or not composed.isprintable():
        raise Refused(f"the name of a token has 1 to {MOST_CHARACTERS} characters, all of them printable")
    return composed
