"""Links that let somebody in once: to set up a project, to join it, or to set a new password.

The person who opens the link has its secret, the ledger its digest. A link is good for one use; two people who use it
at once queue, and the second is told. A link to a batch is good for as many as were asked for, who become workers and
may work on that batch alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import time

from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from otherwords.annotate import batches
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.web.accounts import account_of, has_admin, new_account, one_at_a_time, refuse_taken, replace_password
from otherwords.web.admission import BATCHES
from otherwords.web.audit import note
from otherwords.web.digests import digest_of, new_secret
from otherwords.web.names import key_of
from otherwords.web.roles import ACTIVE, Account, checked_role

DAYS = 7.0
RESET_DAYS = 2.0
MOST_DAYS = 90.0
MOST_USES = 10_000
FEWEST_OF_ID = 8
_DAY = 86_400.0
_one = schema.invitations


@dataclass(frozen=True, slots=True)
class Invitation:
    """What can be said of a link without its secret."""

    id: str
    purpose: str  # setup, join, reset
    account: str | None  # whose password it sets, or the only name it is good for
    role: str | None
    author: str | None
    created: str
    until: float
    batch: str | None = None  # that whoever joins is to work on
    uses: int = 1  # people who may still join by it


def invite(connection: Connection, role: str, actor: str | None, name: str | None = None, days: float = DAYS) -> str:
    """The secret of a link to join with a role, and under one name where that is given."""
    fixed = None if name is None else refuse_taken(connection, name)
    secret = _new(connection, "join", fixed, checked_role(role), actor, days)
    note(connection, actor, "invited", account=fixed, role=role)
    return secret


def invite_to_batch(connection: Connection, batch: str, actor: str | None, uses: int = 1, days: float = DAYS) -> str:
    """The secret of a link by which so many people can join as workers of a batch."""
    found = batches.batch(connection, batch)
    if found.state != "open":
        raise Conflict(f"the batch {batch!r} is closed; open it first")
    if not 1 <= uses <= MOST_USES:
        raise Refused(f"a link is for 1 to {MOST_USES:,} people, not {uses}")
    if found.rules.people:
        raise Conflict(f"the batch {batch!r} is for {', '.join(found.rules.people)}; nobody else can join it")
    secret = _new(connection, "join", None, "worker", actor, days, batch, uses)
    note(connection, actor, "invited", account=None, role="worker", batch=batch, uses=uses)
    return secret


def invite_to_reset(connection: Connection, account: Account, actor: str | None, days: float = RESET_DAYS) -> str:
    """The secret of a link to set a new password; earlier ones are good no more."""
    if account_of(connection, account.name).state != ACTIVE:
        raise Conflict(f"the account {account.name} is closed; reopen it first")
    _cancel_unused(connection, "reset", account.name)
    secret = _new(connection, "reset", account.name, None, actor, days)
    note(connection, actor, "reset link made", account=account.name)
    return secret


def first_link(connection: Connection) -> str | None:
    """The secret of a link that makes the first admin, as long as none can log in; earlier ones are good no more."""
    one_at_a_time(connection)
    if has_admin(connection):
        return None
    _cancel_unused(connection, "setup", None)
    secret = _new(connection, "setup", None, "admin", None, DAYS)
    note(connection, None, "setup link made")
    return secret


def invitation_of(connection: Connection, secret: str) -> Invitation:
    """What a link is for, if it can still be used."""
    return _usable(connection, select(_one).where(_one.c.id == digest_of(secret)))


def accept(connection: Connection, secret: str, name: str | None, password: str) -> Account:
    """Use a link, with a hashed password; the account that it made, or whose password it set."""
    one_at_a_time(connection)
    invitation = _usable(connection, select(_one).where(_one.c.id == digest_of(secret)).with_for_update())
    fixed = invitation.account
    if fixed is not None and name is not None and key_of(name) != key_of(fixed):
        raise Refused(f"this link is for {fixed!r} alone; ask for one of your own")
    left = invitation.uses - 1
    connection.execute(update(_one).where(_one.c.id == invitation.id).values(uses=left, used=None if left else now()))
    if invitation.purpose == "reset":
        return _reset(connection, invitation, password)
    if invitation.purpose == "setup" and has_admin(connection):
        raise Conflict("the project has an admin by now; ask them for an invitation")
    chosen = fixed or name
    if chosen is None or invitation.role is None:
        raise Refused("choose a name")
    settings = {} if invitation.batch is None else {BATCHES: [invitation.batch]}
    account = new_account(connection, chosen, invitation.role, password, settings)
    note(connection, account.name, "joined", account=account.name, role=account.role, invited_by=invitation.author)
    return account


def open_invitations(connection: Connection) -> list[Invitation]:
    """The links that can still be used, the oldest first."""
    unused = select(_one).where(_one.c.used.is_(None), _one.c.until > time()).order_by(_one.c.created, _one.c.id)
    return [_invitation(row) for row in connection.execute(unused)]


def cancel(connection: Connection, link: str, actor: str | None) -> None:
    """Take back a link that nobody has used, by its id or the beginning of it."""
    found = [one for one in open_invitations(connection) if len(link) >= FEWEST_OF_ID and one.id.startswith(link)]
    if len(found) != 1:
        raise NotFound(f"there is no open invitation {link!r}")
    connection.execute(delete(_one).where(_one.c.id == found[0].id, _one.c.used.is_(None)))
    note(connection, actor, "invitation cancelled", account=found[0].account, purpose=found[0].purpose)


def _reset(connection: Connection, invitation: Invitation, password: str) -> Account:
    account = account_of(connection, invitation.account or "")
    if account.state != ACTIVE:
        raise Conflict(f"the account {account.name} is closed; ask an admin to reopen it")
    replace_password(connection, account, password)
    note(connection, account.name, "password reset", account=account.name)
    return account


def _new(
    connection: Connection,
    purpose: str,
    account: str | None,
    role: str | None,
    author: str | None,
    days: float,
    batch: str | None = None,
    uses: int = 1,
) -> str:
    if not 0 < days <= MOST_DAYS:
        raise Refused(f"a link is good for up to {MOST_DAYS:.0f} days; {days} is not a number of that kind")
    secret = new_secret()
    who = {"id": digest_of(secret), "purpose": purpose, "account": account, "role": role, "author": author}
    good_for = {"created": now(), "until": time() + days * _DAY, "batch": batch, "uses": uses}
    connection.execute(insert(_one).values(**who, **good_for))
    return secret


def _cancel_unused(connection: Connection, purpose: str, account: str | None) -> None:
    unused = (_one.c.purpose == purpose, _one.c.account.is_not_distinct_from(account), _one.c.used.is_(None))
    connection.execute(delete(_one).where(*unused))


def _usable(connection: Connection, statement: Select[tuple[object, ...]]) -> Invitation:
    row = connection.execute(statement).first()
    if row is None:
        raise NotFound("there is no such link, or it was replaced by a newer one; ask an admin for another")
    if row.used is not None:
        raise Conflict("this link has been used already; log in, or ask an admin for another")
    if row.until <= time():
        raise Conflict("this link has run out; ask an admin for another")
    return _invitation(row)


def _invitation(row: Row[tuple[object, ...]]) -> Invitation:
    about = (row.id, row.purpose, row.account, row.role, row.author, row.created, row.until)
    return Invitation(*about, row.batch, row.uses)
