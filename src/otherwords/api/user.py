"""Accounts of the annotation site: invitations, roles, sessions and tokens.

A running server need not be stopped: every change applies from the next request on. In the audit trail, changes made
here have no actor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.api.reading import StrPath
from otherwords.project import open_project
from otherwords.web.accounts import accounts, invitations
from otherwords.web.accounts import tokens as account_tokens
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.invitations import Person, list_people
from otherwords.web.accounts.names import check_name
from otherwords.web.accounts.passwords import hash_password
from otherwords.web.accounts.roles import Account
from otherwords.web.accounts.sessions import close_all_sessions
from otherwords.web.accounts.tokens import Token
from otherwords.web.address import site_address

__all__ = [
    *("add", "cancel", "close", "invite", "list", "logout", "reopen", "reset", "revoke", "role", "token", "tokens")
]


@dataclass(frozen=True, slots=True)
class SiteLink:
    """A link to the site, and the only name that it is valid for, if there is one."""

    url: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class LogoutResult:
    """An account that was logged out, and the number of its sessions."""

    account: Account
    sessions: int


def list(project: StrPath) -> Sequence[Person]:
    """All accounts and open invitations."""
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return list_people(connection)


def invite(
    project: StrPath,
    *,
    name: str | None = None,
    role: str = "annotator",
    days: float = 7,
    address: str | None = None,
) -> SiteLink:
    """Make a link with which one person can join, under ``name`` only if there is one.

    Somebody whose judgements were imported keeps the name that they have there, if it differs in case only.
    ``address`` is where people reach the site, by default where it was last served; ``days`` is how long the link can
    be used.
    """
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        secret = invitations.invite(connection, role, None, name, days)
        fixed_name = invitations.invitation_of(connection, secret).account
    return SiteLink(f"{site_address(corpus.folder, address)}/join/{secret}", fixed_name)


def cancel(project: StrPath, invitation: str) -> None:
    """Cancel an unused invitation by its id, or the beginning of it, as ``list`` has it."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        invitations.cancel(connection, invitation, None)


def reset(project: StrPath, name: str, *, days: float = 2, address: str | None = None) -> SiteLink:
    """Make a link with which somebody can set a new password; ``address`` is where people reach the site."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        account = account_of(connection, name)
        secret = invitations.invite_to_reset(connection, account, None, days)
    return SiteLink(f"{site_address(corpus.folder, address)}/reset/{secret}", account.name)


def add(project: StrPath, name: str, password: str, *, role: str = "annotator") -> Account:
    """Create an account with a password."""
    stored = hash_password(password, check_name(name))  # takes long, so before the ledger is locked
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return accounts.add_account(connection, name, role, stored, None)


def role(project: StrPath, name: str, role: str) -> Account:
    """Give somebody another role."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return accounts.set_role(connection, account_of(connection, name), role, None)


def close(project: StrPath, name: str) -> Account:
    """Close an account: its owner can no longer log in, their judgements stay."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return accounts.close(connection, account_of(connection, name), None)


def reopen(project: StrPath, name: str) -> Account:
    """Reopen a closed account."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return accounts.reopen(connection, account_of(connection, name), None)


def logout(project: StrPath, name: str) -> LogoutResult:
    """Log somebody out everywhere; their tokens stay valid."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        account = account_of(connection, name)
        return LogoutResult(account, close_all_sessions(connection, account, None))


def token(project: StrPath, name: str, token: str, *, scopes: Sequence[str], days: float | None = None) -> str:
    """Create a token for a program that acts for somebody; it cannot be read again later.

    ``token`` is its name, ``scopes`` what it allows: read, annotate, curate, admin. Without ``days`` it never expires.
    """
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        return account_tokens.make_token(connection, account_of(connection, name), token, scopes, None, days)


def tokens(project: StrPath, name: str) -> Sequence[Token]:
    """The tokens of an account, without their secrets."""
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return account_tokens.tokens_of(connection, account_of(connection, name))


def revoke(project: StrPath, name: str, token: str) -> None:
    """Revoke a token."""
    with open_project(project) as corpus, corpus.ledger.writing() as connection:
        account_tokens.revoke(connection, account_of(connection, name), token, None)
