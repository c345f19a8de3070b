"""Accounts and what their role lets them do.

Roles rise: each may do what the ones before it may. A token has scopes instead, which never exceed the role of its
owner. Importing this is cheap, so that the command line can name the roles in its help.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from otherwords.errors import NotAllowed, Refused

ROLES = ("worker", "annotator", "curator", "admin")
SCOPES = ("read", "annotate", "curate", "admin")
# All scopes that a token of somebody with a role can have.
SCOPES_OF_ROLE = {"worker": SCOPES[:2], "annotator": SCOPES[:2], "curator": SCOPES[:3], "admin": SCOPES}
ACTIVE, CLOSED = "active", "closed"


class AccountSettings(TypedDict, total=False):
    """What an account is limited to and what its owner has chosen, as the ledger stores it."""

    batches: list[str]  # those that the worker of a crowd was invited to
    one_key: bool  # while classifying, an answer to which nothing can be added is saved at once
    hides_first_steps: bool  # an admin has hidden the list of first steps


@dataclass(frozen=True, slots=True)
class Account:
    """A person who can log in, without anything secret."""

    name: str
    role: str
    state: str = ACTIVE
    settings: AccountSettings = field(default_factory=AccountSettings)


def may(account: Account, role: str) -> bool:
    """Whether an account has at least that role; a closed one may do nothing."""
    return account.state == ACTIVE and ROLES.index(account.role) >= ROLES.index(role)


def check_role(role: str) -> str:
    """The role, if there is one of that name."""
    if role not in ROLES:
        raise Refused(f"there is no role {role!r}; the roles are {', '.join(ROLES)}", code="no-such-role")
    return role


def may_work_on(account: Account, batch: str) -> bool:
    """Whether a worker was invited to a batch; people with a higher role may work on all batches."""
    invited_to = account.settings.get("batches") if account.role == "worker" else None
    return invited_to is None or batch in invited_to


def refuse_other_batches(account: Account, batch: str) -> None:
    """Refuse a worker who was invited to another batch."""
    if not may_work_on(account, batch):
        reason = f"you were not invited to the batch {batch!r}; ask a curator"
        raise NotAllowed(reason, code="not-invited-to-batch")
