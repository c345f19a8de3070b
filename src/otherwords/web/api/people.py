"""People and invitations, for admins and for tokens with the scope ``admin``.

The secret of a link to join or to reset a password is sent once. Who misses the answer cancels the link and makes
another: a change that is sent twice has the same effect as sent once, and a new reset link ends the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from otherwords.errors import Refused
from otherwords.web.accounts import invitations
from otherwords.web.accounts.accounts import account_of, close, reopen, set_role
from otherwords.web.accounts.auth import Admin
from otherwords.web.accounts.invitations import INVITED, Invitation, Person, list_people
from otherwords.web.accounts.names import key_of
from otherwords.web.accounts.roles import ACTIVE, CLOSED, Account
from otherwords.web.accounts.sessions import close_all_sessions
from otherwords.web.api.me import LoggedOut
from otherwords.web.fields import Body, Words
from otherwords.web.site import site_of
from otherwords.web.tables import first_page

router = APIRouter(tags=["people"])
Role = Literal["worker", "annotator", "curator", "admin"]
State = Literal["active", "closed"]
Days = Annotated[float, Field(gt=0, le=invitations.MOST_DAYS, allow_inf_nan=False)]
Count = Annotated[int, Query(ge=1, le=1000)]
ON_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class PeopleFilter:
    """Whom to list; an empty field matches everybody. Names are compared without regard to case."""

    name: str | None = None
    role: str | None = None
    state: str | None = None

    def matches(self, person: Person) -> bool:
        """Whether somebody is to be listed."""
        is_named = not self.name or key_of(person.name or "") == key_of(self.name)
        return is_named and (self.role or person.role) == person.role and (self.state or person.state) == person.state


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Accounts, the open invitations to join, and the name after which the list goes on."""

    people: list[Person]
    invitations: list[Invitation]
    next: str | None = None


class InvitationBody(Body):
    """An invitation to be made; without a name, whoever opens the link chooses one."""

    role: Role
    name: Words | None = None
    days: Days = invitations.DAYS


class ResetBody(Body):
    """How long a link to set a new password can be used."""

    days: Days = invitations.RESET_DAYS


class AccountChange(Body):
    """The new role or state of an account."""

    role: Role | None = None
    state: State | None = None


class LinkReply(BaseModel):
    """A link that can be used once; its secret is sent only here."""

    link: str


class AccountReply(BaseModel):
    """An account as it is now."""

    name: str
    role: str
    state: str


@router.get("/people", summary="Accounts and open invitations")
def get_people(
    request: Request,
    viewer: Admin,
    name: Words | None = None,
    role: Role | None = None,
    state: Literal["active", "closed", "invited"] | None = None,
    after: Words | None = None,
    count: Count = ON_A_PAGE,
) -> PeoplePage:
    with site_of(request).ledger.reading() as connection:
        return people_page(connection, PeopleFilter(name, role, state), after, count)


@router.post("/invitations", summary="Make a link with which one person can join", status_code=201)
def invite(request: Request, viewer: Admin, body: InvitationBody) -> LinkReply:
    secret = site_of(request).writer.do(
        lambda connection: invitations.invite(connection, body.role, viewer.name, body.name, body.days)
    )
    return LinkReply(link=link_to(request, "join", secret))


@router.delete("/invitations/{link}", summary="Take back a link that nobody has used, by its id", status_code=204)
def cancel(request: Request, viewer: Admin, link: Words) -> None:
    site_of(request).writer.do(lambda connection: invitations.cancel(connection, link, viewer.name))


@router.patch("/people/{name}", summary="Give somebody another role, close their account or reopen it")
def change(request: Request, viewer: Admin, name: Words, body: AccountChange) -> AccountReply:
    if body.role is None and body.state is None:
        raise Refused("say what is to change: role, state or both", code="empty-change")

    def work(connection: Connection) -> Account:
        account = account_of(connection, name)
        if body.role is not None:
            account = set_role(connection, account, body.role, viewer.name)
        if body.state is not None:
            account = {ACTIVE: reopen, CLOSED: close}[body.state](connection, account, viewer.name)
        return account

    account = site_of(request).writer.do(work)
    return AccountReply(name=account.name, role=account.role, state=account.state)


@router.post("/people/{name}/reset", summary="Make a link with which somebody can set a new password", status_code=201)
def reset(request: Request, viewer: Admin, name: Words, body: ResetBody | None = None) -> LinkReply:
    days = (body or ResetBody()).days
    secret = site_of(request).writer.do(
        lambda connection: invitations.invite_to_reset(connection, account_of(connection, name), viewer.name, days)
    )
    return LinkReply(link=link_to(request, "reset", secret))


@router.post("/people/{name}/logout", summary="Log somebody out everywhere; their tokens stay")
def log_out(request: Request, viewer: Admin, name: Words) -> LoggedOut:
    closed = site_of(request).writer.do(
        lambda connection: close_all_sessions(connection, account_of(connection, name), viewer.name)
    )
    return LoggedOut(sessions=closed)


def people_page(
    connection: Connection, criteria: PeopleFilter, after: str | None = None, count: int = ON_A_PAGE
) -> PeoplePage:
    """A page of the accounts, those after a name in any spelling; the first page has the invitations too."""
    matching = [person for person in list_people(connection) if criteria.matches(person)]
    accounts = [person for person in matching if person.name is not None and person.state != INVITED]
    invited = [person.invitation for person in matching if person.state == INVITED and person.invitation]
    if after is not None:
        accounts = [person for person in accounts if key_of(person.name or "") > key_of(after)]
        invited = []
    shown, last = first_page(accounts, count)
    return PeoplePage(list(shown), invited, last.name if last else None)


def link_to(request: Request, purpose: str, secret: str) -> str:
    """The link that an admin gives to somebody."""
    return f"{site_of(request).address}/{purpose}/{secret}"
