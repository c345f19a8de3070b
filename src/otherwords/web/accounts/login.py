"""Logging in, and changing one's own password: read, verify, record. The slow middle is outside any transaction.

Unknown names, closed accounts and accounts without a password take as long as a wrong password, wait as long after too
many failures, and get the same answer. A login ends the browser's previous session and starts one with a new secret:
a session that somebody else put into the browser before (session fixation) is not used after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fastapi import Request
from sqlalchemy import Connection, update
from starlette.responses import RedirectResponse

from otherwords.errors import Conflict, NotAllowed
from otherwords.project.ledger import Ledger, schema
from otherwords.web.accounts import login_backoff
from otherwords.web.accounts.accounts import Credentials, change_password, credentials_of
from otherwords.web.accounts.audit import note
from otherwords.web.accounts.passwords import hash_password, matches, rehash_if_outdated
from otherwords.web.accounts.roles import ACTIVE, Account
from otherwords.web.accounts.sessions import LIFETIME, close_session, open_session, ticket_cookie
from otherwords.web.site import Site, site_of

HOME = "/"
WRONG = "the name or the password is wrong"
_LOCAL = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")  # browsers drop invisible characters and turn \ into /


def verify_login(ledger: Ledger, name: str, password: str, address: str) -> Account:
    """The account of somebody who knows its password; the caller opens a session for it."""
    with ledger.reading() as connection:
        credentials = credentials_of(connection, name)
        account_name = credentials.account.name if credentials else None
        key = login_backoff.account_key(account_name) if account_name else login_backoff.unknown_key(name)
        keys = [key, login_backoff.address_key(address)]
        login_backoff.refuse_waiting(connection, keys)
    active = credentials if credentials and credentials.account.state == ACTIVE else None
    stored = active.password if active else None
    if not matches(stored, password):
        with ledger.writing() as connection:  # only waits are noted, and neither what was typed nor from where
            for key, (failures, seconds) in login_backoff.count_failure(connection, keys).items():
                counts = {"failures": failures, "seconds": seconds}
                if key.startswith("address:"):
                    note(connection, None, "login failed from one address", **counts)
                elif account_name:
                    note(connection, None, "login failed", account=account_name, **counts)
        raise NotAllowed(WRONG, code="wrong-credentials")
    assert active is not None
    assert stored is not None
    new_hash = rehash_if_outdated(stored, password)
    with ledger.writing() as connection:
        return _record_login(connection, keys, active, new_hash)


def start_session(
    request: Request, account_for: Callable[[Connection], Account], target: str = HOME
) -> RedirectResponse:
    """Log somebody in to the account that a function finds or makes, and redirect them."""
    site = site_of(request)
    before = request.cookies.get(site.cookie)

    def work(connection: Connection) -> str:
        account = account_for(connection)
        if before:
            close_session(connection, before)
        return open_session(connection, account)[0]

    secret = site.writer.do(work)
    response = RedirectResponse(target, 303)
    secure = request.url.scheme == "https"  # a browser that came by TLS sends the cookie back by TLS only
    response.set_cookie(
        site.cookie, secret, max_age=int(LIFETIME), path="/", httponly=True, samesite="lax", secure=secure
    )
    response.delete_cookie(ticket_cookie(site.cookie), path="/", httponly=True, samesite="lax")
    return response


def local_path(path: str) -> str:
    """The path if it is on this site, else the start page."""
    return path if _LOCAL.fullmatch(path) else HOME


def address_of(request: Request) -> str:
    """The address of the client; the server trusts a proxy on this machine about it."""
    return request.client.host if request.client else ""


def change_own_password(site: Site, account: Account, current: str, new: str, address: str, keep: str) -> None:
    """Set a new password for somebody who knows the current one; all their sessions end except the one of ``keep``."""
    keys = [login_backoff.account_key(account.name), login_backoff.address_key(address)]
    with site.ledger.reading() as connection:
        login_backoff.refuse_waiting(connection, keys)
        credentials = credentials_of(connection, account.name)
    if not matches(credentials.password if credentials else None, current):
        site.writer.do(lambda connection: _count_failed_change(connection, keys, account))
        raise NotAllowed("the current password is wrong", code="wrong-password")
    password = hash_password(new, account.name)

    def work(connection: Connection) -> None:
        login_backoff.count_success(connection, keys)
        _refuse_changed(connection, account.name, credentials)
        change_password(connection, account, password, keep)

    site.writer.do(work)


def _record_login(connection: Connection, keys: list[str], verified: Credentials, new_hash: str | None) -> Account:
    login_backoff.count_success(connection, keys)
    name = verified.account.name
    _refuse_changed(connection, name, verified)
    if new_hash is not None:
        accounts = schema.accounts
        connection.execute(update(accounts).where(accounts.c.name == name).values(password=new_hash))
    note(connection, name, "logged in")
    return verified.account


def _refuse_changed(connection: Connection, name: str, verified: Credentials | None) -> None:
    if credentials_of(connection, name) != verified:
        raise Conflict("the account was changed at this very moment; log in again", code="account-changed")


def _count_failed_change(connection: Connection, keys: list[str], account: Account) -> None:
    """Only waits go into the audit trail."""
    name = account.name
    for failures, seconds in login_backoff.count_failure(connection, keys).values():
        note(connection, name, "password change failed", account=name, failures=failures, seconds=seconds)
