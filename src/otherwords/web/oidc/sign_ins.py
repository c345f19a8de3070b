"""Sign-ins that have begun at a provider, and whom the provider's answer lets in.

A sign-in is bound to the browser that began it, by a cookie, and ends with the first answer to it: an answer that is
sent twice, or that somebody slips into another browser, is refused.

Somebody is known by the issuer and the subject of their token and by nothing else: a name or an address can change
hands. Such an identity is linked to an account in one of three ways: by joining with an invitation, by its owner while
they are logged in, or by making a new account where the settings let a domain or a group in. An existing account is
never found by its name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from otherwords.errors import Conflict, NotAllowed, Refused
from otherwords.project.ledger import insert_new, schema
from otherwords.project.project import now
from otherwords.web.accounts import accounts, invitations
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.audit import note
from otherwords.web.accounts.expiry import time
from otherwords.web.accounts.names import MOST_CHARACTERS, check_name
from otherwords.web.accounts.passwords import digest_of, new_secret
from otherwords.web.accounts.roles import ACTIVE, Account
from otherwords.web.oidc.provider import OidcSettings

SECONDS = 600.0  # from the button to the provider and back
MOST_NUMBER = 1000  # behind a name that others have
ROLE = "annotator"  # of those whom a domain or a group lets in
HOW = "oidc"
_identities, _sign_ins, _accounts = schema.identities, schema.sign_ins, schema.accounts
_NO_NAME = "person"


@dataclass(frozen=True, slots=True)
class SignIn:
    """A sign-in that a browser has begun; ``account`` is of somebody who links it, ``invitation`` what they join by."""

    nonce: str
    verifier: str
    target: str
    invitation: str | None = None
    account: str | None = None


def begin_sign_in(
    connection: Connection, browser: str, target: str, invitation: str | None = None, account: str | None = None
) -> tuple[str, SignIn]:
    """Begin a sign-in in the browser that has a secret; its state, which the provider sends back."""
    state = new_secret()
    begun = SignIn(new_secret(), new_secret(), target, invitation, account)
    row = {name: getattr(begun, name) for name in SignIn.__slots__}
    key = {"id": digest_of(state), "browser": digest_of(browser), "until": time() + SECONDS}
    connection.execute(insert(_sign_ins).values(**key, **row))
    return state, begun


def end_sign_in(connection: Connection, state: str, browser: str) -> SignIn:
    """The sign-in of a state, in the browser that began it; it can be ended once."""
    same = (_sign_ins.c.id == digest_of(state), _sign_ins.c.browser == digest_of(browser), _sign_ins.c.until > time())
    columns = [_sign_ins.c[name] for name in SignIn.__slots__]
    row = connection.execute(delete(_sign_ins).where(*same).returning(*columns)).first()
    if row is None:
        message = "this sign-in was not begun in this browser, took too long or has ended already; sign in again"
        raise NotAllowed(message, code="no-such-sign-in")
    return SignIn(*row)


def admit_identity(
    connection: Connection, settings: OidcSettings, sign_in: SignIn, claims: Mapping[str, Any]
) -> Account:
    """The account that somebody is let into, which is linked or made if the sign-in was for that."""
    accounts.lock_accounts(connection)
    subject = claims["sub"]
    known = linked_account(connection, settings.issuer, subject)
    if sign_in.account is not None:
        return _link(connection, settings, account_of(connection, sign_in.account), known, subject)
    if known is not None:
        account = account_of(connection, known)
        if sign_in.invitation is not None:
            message = f"you have an account here, {account.name}; the invitation is for somebody without one"
            raise Conflict(message, code="identity-known")
        if account.state != ACTIVE:
            message = f"the account {account.name} is closed; ask an admin to reopen it"
            raise NotAllowed(message, code="account-closed")
        note(connection, account.name, "logged in", how=HOW)
        return account
    if sign_in.invitation is not None:
        wanted = free_name(connection, claims.get(settings.name_claim))
        account = invitations.accept_by_id(connection, sign_in.invitation, wanted, None)
    elif _is_let_in(settings, claims):
        name = free_name(connection, claims.get(settings.name_claim))
        account = accounts.new_account(connection, name, ROLE, None)
        note(connection, account.name, "joined", account=account.name, role=account.role, invited_by=None, how=HOW)
    else:
        message = (
            "nobody has invited you to this project; open the link of your invitation and sign in there, "
            "or link this sign-in on the page of your account"
        )
        raise NotAllowed(message, code="not-invited")
    _add(connection, settings.issuer, subject, account.name)
    return account


def linked_account(connection: Connection, issuer: str, subject: str) -> str | None:
    """The name of the account that an identity is linked to, if it is."""
    same = (_identities.c.issuer == issuer, _identities.c.subject == subject)
    return connection.execute(select(_identities.c.account).where(*same)).scalar()


def is_linked(connection: Connection, issuer: str, account: str) -> bool:
    """Whether an account is linked to an identity at a provider."""
    own = (_identities.c.issuer == issuer, _identities.c.account == account)
    return connection.execute(select(_identities.c.subject).where(*own).limit(1)).first() is not None


def unlink(connection: Connection, issuer: str, account: Account) -> None:
    """Unlink an account from a provider, if its owner can log in without it."""
    accounts.lock_accounts(connection)
    has_password = select(_accounts.c.password).where(_accounts.c.name == account.name)
    if connection.execute(has_password).scalar() is None:
        message = "your account has no password; without this link you could not log in any more"
        raise Conflict(message, code="no-password")
    own = (_identities.c.issuer == issuer, _identities.c.account == account.name)
    if connection.execute(delete(_identities).where(*own)).rowcount:
        note(connection, account.name, "identity unlinked", account=account.name)


def _link(connection: Connection, settings: OidcSettings, account: Account, known: str | None, subject: str) -> Account:
    if known not in (None, account.name):
        message = "this sign-in belongs to another account of the project; unlink it there first"
        raise Conflict(message, code="identity-known")
    if account.state != ACTIVE:
        raise NotAllowed(f"the account {account.name} is closed", code="account-closed")
    if known is None:
        _add(connection, settings.issuer, subject, account.name)
        note(connection, account.name, "identity linked", account=account.name)
    return account


def _add(connection: Connection, issuer: str, subject: str, account: str) -> None:
    row = {"issuer": issuer, "subject": subject, "account": account, "created": now()}
    if not insert_new(connection, _identities, [row]):
        raise Conflict("this sign-in was linked at this very moment; sign in again", code="identity-known")


def _is_let_in(settings: OidcSettings, claims: Mapping[str, Any]) -> bool:
    """Whether somebody without an invitation may come in: by a verified address of the domain, or by their group."""
    address, groups = claims.get("email"), claims.get(settings.group_claim)
    if settings.domain and isinstance(address, str) and claims.get("email_verified") is True:
        local, at, domain = address.rpartition("@")
        if at and local and domain.casefold() == settings.domain.casefold():
            return True
    return bool(settings.group) and isinstance(groups, list) and settings.group in groups


def free_name(connection: Connection, wanted: object) -> str:
    """A name like the one that is wanted that nobody has: without what a name cannot have, with a number if need be."""
    text = unicodedata.normalize("NFC", wanted if isinstance(wanted, str) else "").partition("@")[0]
    plain = re.sub(r"[^\w.-]+", "-", text).strip(".-")[: MOST_CHARACTERS - 4] or _NO_NAME
    try:
        check_name(plain)
    except Refused:
        plain = _NO_NAME
    for number in range(1, MOST_NUMBER):
        try:
            return accounts.refuse_taken(connection, plain if number == 1 else f"{plain}-{number}")
        except Refused:
            continue
    raise Conflict(f"nobody can be called {plain!r} any more; ask an admin for an invitation", code="name-taken")
