"""People and invitations, for admins and for tokens with the scope ``admin``.

A link to join or to reset a password is told once. Who did not hear the answer cancels it and makes another: a change
that is sent twice is the same as sent once, and a new link to reset ends the one before.
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from otherwords.errors import Refused
from otherwords.web import invitations
from otherwords.web.accounts import account_of, close, reopen, set_role
from otherwords.web.api.me import LoggedOut
from otherwords.web.fields import Body, Words
from otherwords.web.people_list import ON_A_PAGE, Listed, Wishes, listed
from otherwords.web.roles import ACTIVE, CLOSED, Account
from otherwords.web.sessions import close_all_sessions
from otherwords.web.site import site_of
from otherwords.web.viewer import Admin

router = APIRouter(tags=["people"])
Role = Literal["worker", "annotator", "curator", "admin"]
State = Literal["active", "closed"]
Days = Annotated[float, Field(gt=0, le=invitations.MOST_DAYS, allow_inf_nan=False)]
Count = Annotated[int, Query(ge=1, le=1000)]


class WantedInvitation(Body):
    """An invitation to be made; without a name, whoever opens the link chooses one."""

    role: Role
    name: Words | None = None
    days: Days = invitations.DAYS


class WantedReset(Body):
    """How long a link to set a new password can be used."""

    days: Days = invitations.RESET_DAYS


class AccountChange(Body):
    """What is to be different about an account."""

    role: Role | None = None
    state: State | None = None


class MadeLink(BaseModel):
    """A link that lets somebody in once, told this once."""

    link: str


class AccountTold(BaseModel):
    """An account as it is now."""

    name: str
    role: str
    state: str


@router.get("/people", summary="Accounts and open invitations")
def everybody(
    request: Request,
    viewer: Admin,
    name: Words | None = None,
    role: Role | None = None,
    state: Literal["active", "closed", "invited"] | None = None,
    after: Words | None = None,
    count: Count = ON_A_PAGE,
) -> Listed:
    with site_of(request).ledger.reading() as connection:
        return listed(connection, Wishes(name, role, state), after, count)


@router.post("/invitations", summary="Make a link with which one person can join", status_code=201)
def invite(request: Request, viewer: Admin, wanted: WantedInvitation) -> MadeLink:
    asked = (wanted.role, viewer.name, wanted.name, wanted.days)
    secret = site_of(request).writer.do(lambda connection: invitations.invite(connection, *asked))
    return MadeLink(link=link_to(request, "join", secret))


@router.delete("/invitations/{link}", summary="Take back a link that nobody has used, by its id", status_code=204)
def cancel(request: Request, viewer: Admin, link: Words) -> None:
    site_of(request).writer.do(lambda connection: invitations.cancel(connection, link, viewer.name))


@router.patch("/people/{name}", summary="Give somebody another role, close their account or reopen it")
def change(request: Request, viewer: Admin, name: Words, wanted: AccountChange) -> AccountTold:
    if wanted.role is None and wanted.state is None:
        raise Refused("say what is to change: role, state or both")

    def work(connection: Connection) -> Account:
        account = account_of(connection, name)
        if wanted.role is not None:
            account = set_role(connection, account, wanted.role, viewer.name)
        if wanted.state is not None:
            account = {ACTIVE: reopen, CLOSED: close}[wanted.state](connection, account, viewer.name)
        return account

    made = site_of(request).writer.do(work)
    return AccountTold(name=made.name, role=made.role, state=made.state)


@router.post("/people/{name}/reset", summary="Make a link with which somebody can set a new password", status_code=201)
def reset(request: Request, viewer: Admin, name: Words, wanted: WantedReset | None = None) -> MadeLink:
    days = (wanted or WantedReset()).days

    def work(connection: Connection) -> str:
        return invitations.invite_to_reset(connection, account_of(connection, name), viewer.name, days)

    return MadeLink(link=link_to(request, "reset", site_of(request).writer.do(work)))


@router.post("/people/{name}/logout", summary="Log somebody out everywhere; their tokens stay")
def log_out(request: Request, viewer: Admin, name: Words) -> LoggedOut:
    def work(connection: Connection) -> int:
        return close_all_sessions(connection, account_of(connection, name), viewer.name)

    return LoggedOut(sessions=site_of(request).writer.do(work))


def link_to(request: Request, purpose: str, secret: str) -> str:
    """The link that an admin gives to somebody, at the address by which they came themselves."""
    return f"{request.base_url}{purpose}/{secret}"
