"""Who sends a request: a browser with a session, a program with a token, or nobody.

A session travels in a cookie, which a browser sends by itself; so whatever changes something has to come with the
session's CSRF token too, from a page of this very site. A token travels in a header that no other site can set.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from sqlalchemy import Connection

from otherwords.errors import NotAllowed, Refused
from otherwords.web.roles import Account, may, scopes_of_role
from otherwords.web.sessions import LIFETIME, Session, extend_session, session_of
from otherwords.web.site import site_of
from otherwords.web.tokens import token_of

COOKIE = "otherwords"
CSRF_HEADER = "x-csrf-token"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SCOPE_OF_ROLE = {"worker": "annotate", "annotator": "annotate", "curator": "curate", "admin": "admin"}


class LoginNeeded(Refused):
    """Nobody is logged in: a page sends them to the login, a program gets a 401."""

    status = 401


@dataclass(frozen=True, slots=True)
class Credential:
    """What a request shows of who sends it."""

    session: str | None
    token: str | None
    csrf: str | None
    writes: bool


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who sends a request, and what they may do with it."""

    account: Account
    scopes: frozenset[str]
    csrf: str | None = None  # of the session; a token has none
    due: bool = False  # the session is to be extended

    @property
    def name(self) -> str:
        return self.account.name

    @property
    def role(self) -> str:
        return self.account.role

    def may(self, role: str) -> bool:
        """Whether they have at least that role, and if they come with a token, that it is for such things."""
        return may(self.account, role) and SCOPE_OF_ROLE[role] in self.scopes


def credential_of(request: Request) -> Credential:
    """What a request shows; one that comes from a page of another site is refused."""
    writes = request.method not in SAFE_METHODS
    origin = request.headers.get("origin")
    if writes and origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise NotAllowed("this request comes from another site")
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return Credential(
        session=request.cookies.get(COOKIE),
        token=token.strip() if kind.lower() == "bearer" else None,
        csrf=request.headers.get(CSRF_HEADER),
        writes=writes,
    )


def viewer_of(connection: Connection, credential: Credential) -> Viewer:
    """Who that is; it is refused where nobody is, or where a page's CSRF token is missing."""
    if credential.token is not None:
        found = token_of(connection, credential.token)
        if found is None:
            raise LoginNeeded("this token is not known, or has run out")
        return Viewer(*found)
    return viewer_of_session(session_of(connection, credential.session) if credential.session else None, credential)


def refuse_bare(credential: Credential) -> None:
    """Refuse a request that shows nothing of who sends it, before anything else is looked at."""
    if credential.token is None and credential.session is None:
        raise LoginNeeded("log in first")
    if credential.token is None and not credential.csrf:
        raise NotAllowed("the page is out of date; load it again")


def viewer_of_session(session: Session | None, credential: Credential) -> Viewer:
    """Who has that session, if what they send comes from one of its own pages."""
    if session is None:
        raise LoginNeeded("log in first")
    if credential.writes and not secrets.compare_digest(session.csrf.encode(), (credential.csrf or "").encode()):
        raise NotAllowed("the page is out of date; load it again")
    return Viewer(session.account, frozenset(scopes_of_role(session.account.role)), session.csrf, session.due)


def keep_session(request: Request, response: Response, secret: str) -> None:
    """Give a browser its session; one that came by TLS sends it back by nothing else."""
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, secret, max_age=int(LIFETIME), path="/", httponly=True, samesite="lax", secure=secure)


def drop_session(response: Response) -> None:
    """Take it away again."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")


def admitted(found: Viewer, role: str, credential: Credential) -> Viewer:
    """Who asks, if that role may do what they ask for."""
    if not credential.writes and "read" not in found.scopes:
        raise NotAllowed("this token is not for reading")
    needs_scope = credential.writes or role not in ("worker", "annotator")
    if not (found.may(role) if needs_scope else may(found.account, role)):
        raise NotAllowed(f"this is for the role {role}; yours is {found.role}")
    return found


def who(role: str) -> Callable[[Request], Viewer]:
    """The dependency of a route that somebody with at least this role may use."""

    def viewer(request: Request) -> Viewer:
        site = site_of(request)
        credential = credential_of(request)
        with site.ledger.reading() as connection:
            found = viewer_of(connection, credential)
        admitted(found, role, credential)
        if found.due and credential.session:
            secret = credential.session
            site.writer.do(lambda connection: extend_session(connection, secret))
        return found

    return viewer


Worker = Annotated[Viewer, Depends(who("worker"))]
Annotator = Annotated[Viewer, Depends(who("annotator"))]
Curator = Annotated[Viewer, Depends(who("curator"))]
Admin = Annotated[Viewer, Depends(who("admin"))]
