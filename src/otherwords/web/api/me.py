"""Who I am: my account, my password and my tokens. A token can look at them; only a person who is logged in can
change them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from otherwords.errors import NotAllowed
from otherwords.web import tokens
from otherwords.web.changing import change_own_password
from otherwords.web.entering import address_of
from otherwords.web.fields import Body, Text, Words
from otherwords.web.sessions import close_all_sessions
from otherwords.web.site import site_of
from otherwords.web.slowly import slowly
from otherwords.web.viewer import COOKIE, Viewer, Worker

router = APIRouter(tags=["me"])
Days = Annotated[float, Field(gt=0, le=tokens.MOST_DAYS, allow_inf_nan=False)]


class Me(BaseModel):
    """The account of whoever asks, what they may do, and the token that its pages send with every change."""

    name: str
    role: str
    scopes: list[str]
    csrf: str | None


class NewPassword(Body):
    """The password as it is, and as it is to be."""

    current: Text
    password: Text


class WantedToken(Body):
    """A token to be made: for what, and for how long; without an end where no days are given."""

    name: Words
    scopes: Annotated[list[Words], Field(min_length=1, max_length=10)]
    days: Days | None = None


class MadeToken(BaseModel):
    """A token, told this once."""

    name: str
    token: str


class LoggedOut(BaseModel):
    """How many sessions have ended."""

    sessions: int


def by_session(viewer: Worker) -> Viewer:
    """Somebody who is logged in; a token is not enough."""
    if viewer.csrf is None:
        raise NotAllowed("a token cannot do this; log in with a browser")
    return viewer


LoggedIn = Annotated[Viewer, Depends(by_session)]


@router.get("/me", summary="Your account")
def me(viewer: Worker) -> Me:
    return Me(name=viewer.name, role=viewer.role, scopes=sorted(viewer.scopes), csrf=viewer.csrf)


@router.post("/me/password", summary="Change your password; all your other sessions end", status_code=204)
async def change_password(request: Request, viewer: LoggedIn, wanted: NewPassword) -> None:
    site, address, keep = site_of(request), address_of(request), request.cookies[COOKIE]
    said = (wanted.current, wanted.password, address, keep)
    await slowly(lambda: change_own_password(site, viewer.account, *said))


@router.post("/me/logout-everywhere", summary="End all your sessions, this one too; tokens stay")
def log_out_everywhere(request: Request, viewer: LoggedIn) -> LoggedOut:
    do = site_of(request).writer.do
    return LoggedOut(sessions=do(lambda connection: close_all_sessions(connection, viewer.account, viewer.name)))


@router.get("/me/tokens", summary="Your tokens, without their secrets")
def my_tokens(request: Request, viewer: Worker) -> list[tokens.Token]:
    with site_of(request).ledger.reading() as connection:
        return tokens.tokens_of(connection, viewer.account)


@router.post(
    "/me/tokens",
    summary="Make a token for a program",
    description="The token is told this once. Names are yours to choose, each once: who sends the same again because "
    "the answer was lost is refused, and can revoke the token and make another.",
    status_code=201,
)
def make_token(request: Request, viewer: LoggedIn, wanted: WantedToken) -> MadeToken:
    asked = (wanted.name, wanted.scopes, viewer.name, wanted.days)
    made = site_of(request).writer.do(lambda connection: tokens.make_token(connection, viewer.account, *asked))
    return MadeToken(name=wanted.name, token=made)


@router.delete("/me/tokens/{name}", summary="End a token of yours", status_code=204)
def revoke(request: Request, viewer: LoggedIn, name: Words) -> None:
    site_of(request).writer.do(lambda connection: tokens.revoke(connection, viewer.account, name, viewer.name))
