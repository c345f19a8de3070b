"""The requester's own account, password and tokens. A token can read them; only a logged-in person can change them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from otherwords.errors import NotAllowed
from otherwords.web.accounts import tokens
from otherwords.web.accounts.accounts import choose_one_key
from otherwords.web.accounts.auth import Requester, Worker
from otherwords.web.accounts.login import address_of, change_own_password
from otherwords.web.accounts.passwords import run_hashing
from otherwords.web.accounts.sessions import close_all_sessions
from otherwords.web.fields import Body, Key, Text, Words
from otherwords.web.site import site_of

router = APIRouter(tags=["me"])
Days = Annotated[float, Field(gt=0, le=tokens.MOST_DAYS, allow_inf_nan=False)]


class OwnAccount(BaseModel):
    """The requester's account, their scopes, and the CSRF token that pages send with every change."""

    name: str
    role: str
    scopes: list[str]
    csrf: str | None
    one_key: bool = False  # while classifying, an answer to which nothing can be added is saved at once


class NewPassword(Body):
    """The current password and the new one."""

    current: Text
    password: Text


class OwnSettings(Body):
    """What somebody chooses for themselves."""

    key: Key
    one_key: bool


class TokenBody(Body):
    """A token to be made: its scopes and how long it is valid; without days it never expires."""

    name: Words
    scopes: Annotated[list[Words], Field(min_length=1, max_length=10)]
    days: Days | None = None


class TokenReply(BaseModel):
    """A token with its secret, which is sent once."""

    name: str
    token: str


class LoggedOut(BaseModel):
    """How many sessions have ended."""

    sessions: int


def by_session(viewer: Worker) -> Requester:
    """A dependency: somebody who is logged in; a token is not enough."""
    if viewer.csrf is None:
        raise NotAllowed("a token cannot do this; log in with a browser", code="browser-required")
    return viewer


LoggedIn = Annotated[Requester, Depends(by_session)]


@router.get("/me", summary="Your account")
def me(viewer: Worker) -> OwnAccount:
    account = viewer.account
    return OwnAccount(
        name=account.name,
        role=account.role,
        scopes=sorted(viewer.scopes),
        csrf=viewer.csrf,
        one_key=account.settings.get("one_key", False),
    )


@router.put("/me/settings", summary="Choose how pages work for you", status_code=204)
def change_settings(request: Request, viewer: LoggedIn, body: OwnSettings) -> None:
    site_of(request).writer.do(lambda connection: choose_one_key(connection, viewer.account, body.one_key))


@router.post("/me/password", summary="Change your password; all your other sessions end", status_code=204)
async def change_password(request: Request, viewer: LoggedIn, body: NewPassword) -> None:
    site, address = site_of(request), address_of(request)
    keep = request.cookies[site.cookie]
    passwords = (body.current, body.password)
    await run_hashing(lambda: change_own_password(site, viewer.account, *passwords, address, keep))


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
    description="The token is shown this once. Names are yours to choose, each once: who sends the same again because "
    "the answer was lost is refused, and can revoke the token and make another.",
    status_code=201,
)
def make_token(request: Request, viewer: LoggedIn, body: TokenBody) -> TokenReply:
    details = (viewer.account, body.name, body.scopes, viewer.name, body.days)
    secret = site_of(request).writer.do(lambda connection: tokens.make_token(connection, *details))
    return TokenReply(name=body.name, token=secret)


@router.delete("/me/tokens/{name}", summary="End a token of yours", status_code=204)
def revoke(request: Request, viewer: LoggedIn, name: Words) -> None:
    site_of(request).writer.do(lambda connection: tokens.revoke(connection, viewer.account, name, viewer.name))
