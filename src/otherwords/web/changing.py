"""Changing one's own password: it takes the current one, and wrong guesses wait as they do at the login."""

from __future__ import annotations

from sqlalchemy import Connection

from otherwords.errors import Conflict, NotAllowed
from otherwords.web import attempts
from otherwords.web.accounts import change_password, credentials_of
from otherwords.web.audit import note
from otherwords.web.passwords import hashed, matches
from otherwords.web.roles import Account
from otherwords.web.site import Site


def change_own_password(site: Site, account: Account, current: str, new: str, address: str, keep: str) -> None:
    """Set a new password for somebody who knows the current one; all their sessions end but the one of ``keep``."""
    keys = [attempts.account_key(account.name), attempts.address_key(address)]
    with site.ledger.reading() as connection:
        attempts.refuse_waiting(connection, keys)
        known = credentials_of(connection, account.name)
    if not matches(known.password if known else None, current):
        site.writer.do(lambda connection: _turn_away(connection, keys, account))
        raise NotAllowed("the current password is wrong")
    password = hashed(new, account.name)

    def work(connection: Connection) -> None:
        attempts.count_success(connection, keys)
        if credentials_of(connection, account.name) != known:
            raise Conflict("the account was changed at this very moment; log in again")
        change_password(connection, account, password, keep)

    site.writer.do(work)


def _turn_away(connection: Connection, keys: list[str], account: Account) -> None:
    """Count it; only the waits go into the audit trail."""
    for failures, seconds in attempts.count_failure(connection, keys).values():
        note(
            connection, account.name, "password change failed", account=account.name, failures=failures, seconds=seconds
        )
