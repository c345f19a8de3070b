"""Links that can be used once: to set up a project, to join it, or to set a new password.

The link contains a secret, the ledger its digest. Two people who use a link at the same moment queue, and the second is
refused. A link to a batch can be used by several people, who become workers and may work on that batch only.
``list_people`` has the accounts and the open invitations to have one, as an admin sees them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.crowd.platforms import Platform
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project.ledger import schema
from otherwords.project.project import now
from otherwords.web.accounts import accounts
from otherwords.web.accounts.accounts import account_of, has_admin, lock_accounts
from otherwords.web.accounts.audit import note
from otherwords.web.accounts.expiry import time
from otherwords.web.accounts.names import key_of
from otherwords.web.accounts.passwords import digest_of, new_secret
from otherwords.web.accounts.roles import ACTIVE, Account, AccountSettings, check_role

DAYS = 7.0
RESET_DAYS = 2.0
MOST_DAYS = 90.0
MOST_USES = 10_000
SHORTEST_ID = 8
INVITED = "invited"
_DAY = 86_400.0
_links = schema.invitations


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link without its secret."""

    id: str
    purpose: str  # setup, join, reset
    account: str | None  # whose password it sets, or the only name that may join by it
    role: str | None
    author: str | None
    created: str
    until: float
    batch: str | None = None  # that those who join work on
    uses: int = 1  # how many people may still use it
    platform: dict[str, Any] | None = None  # the crowd platform whose workers come with it


@dataclass(frozen=True, slots=True)
class Person:
    """An account, or an open invitation to have one; with its open link, if there is one."""

    name: str | None
    role: str
    state: str  # active, closed, invited
    created: str
    invitation: Invitation | None = None


def invite(connection: Connection, role: str, actor: str | None, name: str | None = None, days: float = DAYS) -> str:
    """The secret of a link to join with a role, under a fixed name if one is given."""
    fixed_name = None if name is None else accounts.refuse_taken(connection, name)
    secret = _new_link(connection, "join", fixed_name, check_role(role), actor, days)
    note(connection, actor, "invited", account=fixed_name, role=role)
    return secret


def invite_to_batch(
    connection: Connection,
    batch: str,
    actor: str | None,
    uses: int = 1,
    days: float = DAYS,
    platform: Platform | None = None,
) -> str:
    """The secret of a link by which a number of people can join as workers of a batch, if need be from a platform."""
    known = load_batch(connection, batch)
    if known.state != "open":
        raise Conflict(f"the batch {batch!r} is closed; open it first", code="batch-closed")
    if not 1 <= uses <= MOST_USES:
        raise Refused(f"a link is for 1 to {MOST_USES:,} people, not {uses}", "uses", code="invalid-count")
    if known.rules.people:
        reason = f"the batch {batch!r} is for {', '.join(known.rules.people)}; nobody else can join it"
        raise Conflict(reason, code="batch-restricted")
    secret = _new_link(connection, "join", None, "worker", actor, days, batch, uses, platform)
    more = {"platform": platform.name} if platform is not None else {}
    note(connection, actor, "invited", account=None, role="worker", batch=batch, uses=uses, **more)
    return secret


def invite_to_reset(connection: Connection, account: Account, actor: str | None, days: float = RESET_DAYS) -> str:
    """The secret of a link to set a new password; earlier ones become invalid."""
    if account_of(connection, account.name).state != ACTIVE:
        raise Conflict(f"the account {account.name} is closed; reopen it first", code="account-closed")
    accounts.cancel_links(connection, _links.c.purpose == "reset", _links.c.account == account.name)
    secret = _new_link(connection, "reset", account.name, None, actor, days)
    note(connection, actor, "reset link made", account=account.name)
    return secret


def first_link(connection: Connection) -> str | None:
    """The secret of a link that makes the first admin, if no admin can log in; earlier ones become invalid."""
    lock_accounts(connection)
    if has_admin(connection):
        return None
    accounts.cancel_links(connection, _links.c.purpose == "setup", _links.c.account.is_(None))
    secret = _new_link(connection, "setup", None, "admin", None, DAYS)
    note(connection, None, "setup link made")
    return secret


def invitation_of(connection: Connection, secret: str, *, locked: bool = False) -> Invitation:
    """The invitation of a link that can still be used, with its row locked if it is about to be used."""
    return _open_invitation(connection, digest_of(secret), locked=locked)


def _open_invitation(connection: Connection, link: str, *, locked: bool = False) -> Invitation:
    statement = select(_links).where(_links.c.id == link)
    row = connection.execute(statement.with_for_update() if locked else statement).first()
    if row is None:
        reason = "there is no such link, or it was replaced by a newer one; ask an admin for another"
        raise NotFound(reason, code="no-such-invitation")
    if row.used is not None:
        raise Conflict("this link has been used already; log in, or ask an admin for another", code="invitation-used")
    if row.until <= time():
        raise Conflict("this link has run out; ask an admin for another", code="invitation-expired")
    return Invitation(*(getattr(row, name) for name in Invitation.__slots__))


def accept(connection: Connection, secret: str, name: str | None, password: str) -> Account:
    """Use a link, with a hashed password; the account that was made, or whose password was set."""
    return accept_by_id(connection, digest_of(secret), name, password)


def accept_by_id(connection: Connection, link: str, name: str | None, password: str | None) -> Account:
    """The same for a link by its id; without a password, for somebody who signs in at a provider or comes from one.

    Such a person is called by the name that the link is for, if it is for one.
    """
    lock_accounts(connection)
    invitation = _open_invitation(connection, link, locked=True)
    if password is None:
        if invitation.purpose != "join":
            raise Refused("this link is for setting a password", code="password-needed")
        name = invitation.account or name
    fixed_name = invitation.account
    if fixed_name is not None and name is not None and key_of(name) != key_of(fixed_name):
        raise Refused(f"this link is for {fixed_name!r} only; ask for one of your own", "name", code="wrong-invitee")
    _count_use(connection, invitation)
    if invitation.purpose == "reset":
        account = account_of(connection, invitation.account or "")
        if account.state != ACTIVE:
            raise Conflict(f"the account {account.name} is closed; ask an admin to reopen it", code="account-closed")
        assert password is not None
        accounts.change_password(connection, account, password, action="password reset")
        return account
    if invitation.purpose == "setup" and has_admin(connection):
        raise Conflict("the project already has an admin; ask them for an invitation", code="admin-exists")
    chosen = fixed_name or name
    if chosen is None or invitation.role is None:
        raise Refused("choose a name", "name", code="name-missing")
    settings = AccountSettings() if invitation.batch is None else AccountSettings(batches=[invitation.batch])
    account = accounts.new_account(connection, chosen, invitation.role, password, settings)
    note(connection, account.name, "joined", account=account.name, role=account.role, invited_by=invitation.author)
    return account


def use_invitation(connection: Connection, link: str) -> None:
    """Use a link once for somebody who has an account."""
    _count_use(connection, _open_invitation(connection, link, locked=True))


def _count_use(connection: Connection, invitation: Invitation) -> None:
    left = invitation.uses - 1
    connection.execute(
        update(_links).where(_links.c.id == invitation.id).values(uses=left, used=None if left else now())
    )


def open_invitations(connection: Connection) -> list[Invitation]:
    """The links that can still be used, the oldest first."""
    columns = [_links.c[name] for name in Invitation.__slots__]
    unused = select(*columns).where(_links.c.used.is_(None), _links.c.until > time())
    return [Invitation(*row) for row in connection.execute(unused.order_by(_links.c.created, _links.c.id))]


def list_people(connection: Connection) -> list[Person]:
    """The accounts by name, then the open invitations to join in their order."""
    links = open_invitations(connection)
    resets = {link.account: link for link in links if link.purpose == "reset"}
    columns = schema.accounts.c
    rows = connection.execute(select(columns.name, columns.role, columns.state, columns.created)).all()
    members = [Person(row.name, row.role, row.state, row.created, resets.get(row.name)) for row in rows]
    invited = [
        Person(link.account, link.role or "", INVITED, link.created, link) for link in links if link.purpose != "reset"
    ]
    return sorted(members, key=lambda person: key_of(person.name or "")) + invited


def cancel(connection: Connection, link: str, actor: str | None) -> None:
    """Cancel a link that nobody has used, by its id or the beginning of that."""
    known = open_invitations(connection) if len(link) >= SHORTEST_ID else []
    matching = [invitation for invitation in known if invitation.id.startswith(link)]
    if len(matching) != 1:
        raise NotFound(f"there is no open invitation {link!r}", code="no-such-invitation")
    (cancelled,) = matching
    connection.execute(delete(_links).where(_links.c.id == cancelled.id, _links.c.used.is_(None)))
    note(connection, actor, "invitation cancelled", account=cancelled.account, purpose=cancelled.purpose)


def _new_link(
    connection: Connection,
    purpose: str,
    account: str | None,
    role: str | None,
    author: str | None,
    days: float,
    batch: str | None = None,
    uses: int = 1,
    platform: Platform | None = None,
) -> str:
    if not 0 < days <= MOST_DAYS:
        raise Refused(
            f"a link is valid for up to {MOST_DAYS:.0f} days, not for {days}", "days", code="invalid-lifetime"
        )
    secret = new_secret()
    row = {"id": digest_of(secret), "purpose": purpose, "account": account, "role": role, "author": author}
    limits = {"created": now(), "until": time() + days * _DAY, "batch": batch, "uses": uses}
    limits["platform"] = None if platform is None else msgspec.to_builtins(platform)
    connection.execute(insert(_links).values(**row, **limits))
    return secret
