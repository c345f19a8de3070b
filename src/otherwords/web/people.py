"""Everybody who can come in, and everybody who was asked to: one list for an admin."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from otherwords.project import schema
from otherwords.web.invitations import Invitation, open_invitations
from otherwords.web.names import key_of

INVITED = "invited"
_one = schema.accounts


@dataclass(frozen=True, slots=True)
class Person:
    """An account, or an open invitation to have one; with the link that is open, where there is one."""

    name: str | None
    role: str
    state: str  # active, closed, invited
    created: str
    invitation: Invitation | None = None


def people(connection: Connection) -> list[Person]:
    """The accounts by name, then the open invitations to join in their order."""
    links = open_invitations(connection)
    resets = {link.account: link for link in links if link.purpose == "reset"}
    rows = connection.execute(select(_one.c.name, _one.c.role, _one.c.state, _one.c.created)).all()
    known = [Person(row.name, row.role, row.state, row.created, resets.get(row.name)) for row in rows]
    invited = [
        Person(link.account, link.role or "", INVITED, link.created, link) for link in links if link.purpose != "reset"
    ]
    return sorted(known, key=lambda person: key_of(person.name or "")) + invited
