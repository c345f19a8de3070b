"""Tokens for programs: each has a name, scopes and perhaps an expiry date; the ledger stores its digest.

A token never allows more than the role of its owner does at the moment it is used.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, or_, select

from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.web.accounts.audit import note
from otherwords.web.accounts.expiry import time
from otherwords.web.accounts.passwords import digest_of, new_secret
from otherwords.web.accounts.roles import ACTIVE, SCOPES, SCOPES_OF_ROLE, Account

PREFIX = "owt_"
MOST_CHARACTERS = 60
MOST_DAYS = 3650
DAY = 86_400.0
_tokens, _accounts = schema.tokens, schema.accounts
_FIND = (
    select(_accounts.c.name, _accounts.c.role, _accounts.c.state, _accounts.c.settings, _tokens.c.scopes)
    .join_from(_tokens, _accounts, _tokens.c.account == _accounts.c.name)
    .where(
        _tokens.c.id == bindparam("digest"),
        or_(_tokens.c.until.is_(None), _tokens.c.until > bindparam("moment")),
        _accounts.c.state == ACTIVE,
    )
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

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
    """Make a token; its secret, which is not stored."""
    if days is not None and not 0 < days <= MOST_DAYS:
        reason = f"a token is valid for up to {MOST_DAYS:,} days, or without an end, but not for {days}"
        raise Refused(reason, "days", code="invalid-lifetime")
    ordered = _check_scopes(connection, account, scopes)
    composed = _check_name(name)
    if composed in (token.name for token in tokens_of(connection, account)):
        reason = f"{account.name} already has a token {composed!r}; choose another name, or revoke that one"
        raise Conflict(reason, "name", code="duplicate-token")
    secret = new_secret(PREFIX)
    until = None if days is None else time() + days * DAY
    row = {"id": digest_of(secret), "account": account.name, "name": composed, "scopes": ordered, "until": until}
    connection.execute(insert(_tokens).values(**row, created=now()))
    note(connection, actor, "token made", account=account.name, token=composed, scopes=ordered)
    return secret


def token_of(connection: Connection, secret: str) -> tuple[Account, frozenset[str]] | None:
    """The owner and the current scopes of a token; None if it has expired or the account is closed."""
    row = connection.execute(_FIND, {"digest": digest_of(secret), "moment": time()}).first()
    if row is None:
        return None
    scopes = frozenset(row.scopes) & frozenset(SCOPES_OF_ROLE[row.role])
    return Account(row.name, row.role, row.state, row.settings), scopes


def tokens_of(connection: Connection, account: Account) -> list[Token]:
    """The tokens of an account, the oldest first."""
    columns = (_tokens.c.name, _tokens.c.scopes, _tokens.c.created, _tokens.c.until)
    rows = connection.execute(
        select(*columns).where(_tokens.c.account == account.name).order_by(_tokens.c.created, _tokens.c.name)
    )
    return [Token(row.name, tuple(row.scopes), row.created, row.until) for row in rows]


def revoke(connection: Connection, account: Account, name: str, actor: str | None) -> None:
    """Revoke a token."""
    composed = _check_name(name)
    deleted = connection.execute(
        delete(_tokens).where(_tokens.c.account == account.name, _tokens.c.name == composed)
    ).rowcount
    if not deleted:
        raise NotFound(f"{account.name} has no token {composed!r}", code="no-such-token")
    note(connection, actor, "token revoked", account=account.name, token=composed)


def _check_scopes(connection: Connection, account: Account, scopes: Sequence[str]) -> list[str]:
    """The scopes in their order. The account is locked, so that two tokens of the same name are not made at once."""
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        reason = f"a token is for one or more of {', '.join(SCOPES)}; not for {', '.join(unknown) or 'nothing'}"
        raise Refused(reason, code="no-such-scope")
    owner = select(_accounts.c.role).where(_accounts.c.name == account.name, _accounts.c.state == ACTIVE)
    role = connection.execute(owner.with_for_update()).scalar()
    if role is None:
        raise Conflict(f"the account {account.name} is closed; reopen it first", code="account-closed")
    beyond = [scope for scope in SCOPES if scope in scopes and scope not in SCOPES_OF_ROLE[role]]
    if beyond:
        reason = f"{account.name} is {role}: a token for {', '.join(beyond)} is more than that role allows"
        raise NotAllowed(reason, code="scope-beyond-role")
    return [scope for scope in SCOPES if scope in scopes]


def _check_name(name: str) -> str:
    composed = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(composed) <= MOST_CHARACTERS or not composed.isprintable():
        reason = f"the name of a token has 1 to {MOST_CHARACTERS} printable characters"
        raise Refused(reason, "name", code="invalid-token-name")
    return composed
