"""Signing in at a provider: the way there, the way back, and the link between an account and an identity.

The way there from a form is a page with a link: the site's policy lets no form lead to another site.
"""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from pydantic import AfterValidator, Field
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from otherwords.errors import NotAllowed, NotFound, OtherwordsError, Refused
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.auth import Requester, credential_of, requester_of
from otherwords.web.accounts.invitations import invitation_of
from otherwords.web.accounts.login import HOME, local_path, start_session
from otherwords.web.accounts.passwords import new_secret
from otherwords.web.accounts.roles import Account
from otherwords.web.fields import storable
from otherwords.web.forms import WorkerSends
from otherwords.web.oidc.provider import IdentityProvider
from otherwords.web.oidc.sign_ins import SECONDS, SignIn, admit_identity, begin_sign_in, end_sign_in, unlink
from otherwords.web.pages.login import render_login
from otherwords.web.rendering import page
from otherwords.web.site import Site, site_of

router = APIRouter()
CALLBACK = "/sign-in/callback"
ACCOUNT = "/account#sign-in"
MOST_CHARACTERS = 4096  # of a code: some providers put a whole token into it
Answered = Annotated[Annotated[str, Field(max_length=MOST_CHARACTERS), AfterValidator(storable)] | None, Query()]
_SECRET = re.compile(r"[\w-]{43}", re.ASCII)


@router.get("/sign-in")
def sign_in(request: Request, next: str = HOME) -> Response:
    try:
        return _begin(request, local_path(next))
    except Refused as problem:
        return render_login(request, {"next": next}, problem)


@router.get("/join/{secret}/sign-in")
def join(request: Request, secret: str) -> Response:
    """Join with an invitation, and be known by one's identity at the provider."""
    with site_of(request).ledger.reading() as connection:
        invitation = invitation_of(connection, secret)
    if invitation.purpose != "join" or invitation.platform is not None:
        raise NotFound("there is no such link; open it as it was given to you", code="no-such-invitation")
    target = HOME if invitation.batch is None else f"/classify/{quote(invitation.batch, safe='')}"
    return _begin(request, target, invitation=invitation.id)


@router.post("/account/sign-in")
def link_account(request: Request, viewer: WorkerSends) -> Response:
    """Begin to link one's account: only its own page can, since whoever is signed in there gets into the account."""
    return _begin(request, ACCOUNT, viewer=viewer)


@router.post("/account/sign-in/unlink")
def unlink_account(request: Request, viewer: WorkerSends) -> Response:
    issuer = _provider(request).settings.issuer
    site_of(request).writer.do(lambda connection: unlink(connection, issuer, viewer.account))
    return RedirectResponse(ACCOUNT, 303)


@router.get(CALLBACK)
def come_back(
    request: Request,
    state: Answered = None,
    code: Answered = None,
    error: Answered = None,
    iss: Answered = None,
) -> Response:
    """The provider sends the browser back here, with a code or the reason why there is none."""
    try:
        return _come_back(request, _provider(request), state or "", code, error, iss)
    except NotFound:
        raise
    except OtherwordsError as problem:
        return render_login(request, {}, problem)


def _come_back(
    request: Request, provider: IdentityProvider, state: str, code: str | None, error: str | None, iss: str | None
) -> Response:
    site = site_of(request)
    browser = request.cookies.get(browser_cookie(site), "")
    begun = site.writer.do(lambda connection: end_sign_in(connection, state, browser))
    if iss is not None and iss != provider.settings.issuer:  # RFC 9207: an answer of another provider
        raise NotAllowed("this answer is from another provider; sign in again", code="wrong-issuer")
    if code is None:
        reason = "you were not signed in" if error == "access_denied" else "the provider could not sign you in"
        raise Refused(f"{reason}; try again, or log in with a password", code="not-signed-in")
    _require_same_account(request, begun)
    claims = provider.claims_for(code, begun.nonce, begun.verifier, site.address + CALLBACK)

    def admit(connection: Connection) -> Account:
        account = admit_identity(connection, provider.settings, begun, claims)
        return account_of(connection, account.name)

    return start_session(request, admit, begun.target)


def _require_same_account(request: Request, begun: SignIn) -> None:
    """Refuse to link an account that the browser is not logged in to any more."""
    if begun.account is None:
        return
    with site_of(request).ledger.reading() as connection:
        viewer = requester_of(connection, credential_of(request))
    if viewer.name != begun.account:
        raise NotAllowed("you are logged in as somebody else by now; begin again", code="account-changed")


def _begin(request: Request, target: str, invitation: str | None = None, viewer: Requester | None = None) -> Response:
    """Remember the sign-in, and send the browser to the provider."""
    site, provider = site_of(request), _provider(request)
    provider.facts()  # before anything is remembered: it may not answer
    cookie = request.cookies.get(browser_cookie(site), "")
    browser = cookie if _SECRET.fullmatch(cookie) else new_secret()  # one browser may sign in in two windows
    linked = viewer.name if viewer is not None else None
    state, begun = site.writer.do(lambda connection: begin_sign_in(connection, browser, target, invitation, linked))
    address = provider.sign_in_address(state, begun.nonce, begun.verifier, site.address + CALLBACK)
    response: Response
    if viewer is not None:
        response = page(request, "sign_in.html", viewer, address=address, provider=provider.settings.button)
    else:
        response = RedirectResponse(address, 303)
    response.set_cookie(
        browser_cookie(site),
        browser,
        max_age=int(SECONDS),
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


def browser_cookie(site: Site) -> str:
    """The cookie that binds sign-ins to a browser."""
    return f"{site.cookie}-sign-in"


def _provider(request: Request) -> IdentityProvider:
    provider = site_of(request).provider
    if provider is None:
        raise NotFound("this project has no provider to sign in at", code="no-provider")
    return provider
