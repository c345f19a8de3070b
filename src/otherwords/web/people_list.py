"""The list of people as an admin sees it: the accounts that fit some wishes, a page at a time, and the open links.

Names are compared without regard to case, so a page begins after a name in any spelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from otherwords.sources.csv_safe import safe_cell
from otherwords.web.invitations import Invitation
from otherwords.web.moments import minute_of
from otherwords.web.names import key_of
from otherwords.web.people import INVITED, Person, people

ON_A_PAGE = 100
COLUMNS = ("name", "role", "state", "created", "link", "link_id", "link_author", "link_until")


@dataclass(frozen=True, slots=True)
class Wishes:
    """Whom to list; what is left out does not matter."""

    name: str | None = None
    role: str | None = None
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """Accounts, the open invitations to join, and the name after which the list goes on."""

    people: list[Person]
    invitations: list[Invitation]
    next: str | None = None


def listed(connection: Connection, wishes: Wishes, after: str | None = None, count: int = ON_A_PAGE) -> Listed:
    """One page of the accounts; the invitations stand on the first."""
    everybody = [person for person in people(connection) if _fits(person, wishes)]
    accounts = [one for one in everybody if one.name is not None and one.state != INVITED]
    invited = [one.invitation for one in everybody if one.state == INVITED and one.invitation]
    if after is not None:
        accounts = [one for one in accounts if key_of(one.name or "") > key_of(after)]
        invited = []
    shown = accounts[:count]
    return Listed(shown, invited, shown[-1].name if len(accounts) > count else None)


def cells(connection: Connection, wishes: Wishes) -> Iterator[list[str]]:
    """Everybody who fits, as rows of a table that a spreadsheet may open."""
    for one in people(connection):
        if _fits(one, wishes):
            link = one.invitation
            about = (link.purpose, link.id, link.author, minute_of(link.until)) if link else (None,) * 4
            yield [safe_cell(value) for value in (one.name, one.role, one.state, one.created, *about)]


def as_query(wishes: Wishes) -> dict[str, str]:
    """The wishes as they stand in an address."""
    given = {"name": wishes.name, "role": wishes.role, "state": wishes.state}
    return {key: value for key, value in given.items() if value}


def _fits(person: Person, wishes: Wishes) -> bool:
    is_named = not wishes.name or key_of(person.name or "") == key_of(wishes.name)
    return is_named and wishes.role in (None, person.role) and wishes.state in (None, person.state)
