"""Workers of crowd platforms: whoever opens a batch's link with an id of the platform works under a pseudonym.

The link is an invitation like any other, with a secret and a number of uses; the id says who of its people somebody is.
The same id is the same worker again, in this batch and in others. An id is not a password: it only ever leads to an
account that was made for it, has the role of a worker and no password, so that nothing else can be reached with one.
"""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from otherwords.annotate.crowd.platforms import Platform, PlatformVisit, read_platform
from otherwords.errors import Conflict, NotAllowed
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.web.accounts import invitations
from otherwords.web.accounts.accounts import account_of, credentials_of, lock_accounts
from otherwords.web.accounts.audit import note
from otherwords.web.accounts.passwords import digest_of
from otherwords.web.accounts.roles import ACTIVE, Account, AccountSettings

_workers, _accounts, _links = schema.platform_workers, schema.accounts, schema.invitations


def platform_of_link(connection: Connection, secret: str) -> tuple[Platform, str] | None:
    """The platform and the batch of a link, used up or not; None if it is not for one."""
    statement = select(_links.c.platform, _links.c.batch).where(_links.c.id == digest_of(secret))
    row = connection.execute(statement).first()
    return None if row is None or row.platform is None else (read_platform(row.platform), row.batch)


def enter(connection: Connection, secret: str, batch: str, visit: PlatformVisit) -> Account:
    """The account of somebody who comes from a platform, made if they are new and the link is not used up."""
    lock_accounts(connection)
    same = (_workers.c.platform == visit.platform.name, _workers.c.worker == visit.worker)
    rows = connection.execute(select(_workers).where(*same)).all()
    here = next((row for row in rows if row.batch == batch), None)
    if here is not None:
        account = _usable(connection, here.account)
        note(connection, account.name, "logged in", how=visit.platform.name)
        return account
    account = _admitted(connection, secret, batch, visit, rows)
    row = {"platform": visit.platform.name, "worker": visit.worker, "batch": batch, "account": account.name}
    more = {"details": visit.details, "back": visit.platform.back, "time": now()}
    connection.execute(insert(_workers).values(**row, **more))
    return account


def _admitted(
    connection: Connection, secret: str, batch: str, visit: PlatformVisit, rows: list[Row[Any]] | Any
) -> Account:
    """A new worker, or one of other batches who joins this one too."""
    if not rows:
        name = f"{visit.platform.name}-{secrets.token_hex(5)}"
        return invitations.accept_by_id(connection, digest_of(secret), name, None)
    account = _usable(connection, rows[0].account)
    invitations.use_invitation(connection, digest_of(secret))
    settings: AccountSettings = {**account.settings, "batches": [*account.settings.get("batches", []), batch]}
    connection.execute(update(_accounts).where(_accounts.c.name == account.name).values(settings=settings))
    note(connection, account.name, "joined batch", account=account.name, batch=batch)
    return account_of(connection, account.name)


def _usable(connection: Connection, name: str) -> Account:
    """The account of a known worker, if the id of a platform is enough to get into it."""
    credentials = credentials_of(connection, name)
    if credentials is None or credentials.account.state != ACTIVE:
        raise NotAllowed("your account here is closed; write to whoever invited you", code="account-closed")
    if credentials.password is not None or credentials.account.role != "worker":
        raise Conflict("your account has a password by now; log in with it", code="password-needed")
    return credentials.account
