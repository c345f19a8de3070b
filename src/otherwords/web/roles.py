"""Who somebody is on the site, and what that lets them do.

Roles rise: each may do what the ones before it may. A token carries scopes instead, which are never more than the
role of its owner allows. Importing this costs nothing, so that the command line can name the roles in its help.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from otherwords.errors import Refused

ROLES = ("worker", "annotator", "curator", "admin")
SCOPES = ("read", "annotate", "curate", "admin")
_SCOPES_OF_ROLE = {"worker": SCOPES[:2], "annotator": SCOPES[:2], "curator": SCOPES[:3], "admin": SCOPES}
ACTIVE, CLOSED = "active", "closed"


@dataclass(frozen=True, slots=True)
class Account:
    """A person who can log in, as far as others may know."""

    name: str
    role: str
    state: str = ACTIVE
    settings: dict[str, Any] = field(default_factory=dict)


def may(account: Account, role: str) -> bool:
    """Whether an account has at least that role; a closed one may do nothing."""
    return account.state == ACTIVE and ROLES.index(account.role) >= ROLES.index(role)


def checked_role(role: str) -> str:
    """The role, if it is one."""
    if role not in ROLES:
        raise Refused(f"there is no role {role!r}; the roles are {', '.join(ROLES)}")
    return role


def scopes_of_role(role: str) -> tuple[str, ...]:
    """All that a token of somebody with that role can be good for."""
    return _SCOPES_OF_ROLE[role]


def allowed(scopes: Iterable[str], role: str) -> frozenset[str]:
    """What is left of some scopes under a role."""
    return frozenset(scopes) & frozenset(scopes_of_role(role))
