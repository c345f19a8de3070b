"""Who sends a request: a browser with a session, a program with a token, or nobody.

A session is in a cookie, which browsers send by themselves; so every change needs the session's CSRF token too, which
only pages of this site have. A token is in a header that no other site can set.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from sqlalchemy import Connection

from otherwords.errors import NotAllowed, Refused
from otherwords.web.accounts.roles import ROLES, SCOPES_OF_ROLE, Account, may
from otherwords.web.accounts.sessions import Session, extend_session, session_of, sessions_of
from otherwords.web.accounts.tokens import token_of
from otherwords.web.site import site_of

CSRF_HEADER = "x-csrf-token"
OUT_OF_DATE = "the page is out of date; load it again"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
WORKING = ("worker", "annotator")  # for what they see, the scope for reading is enough
SCOPE_OF_ROLE = {"worker": "annotate", "annotator": "annotate", "curator": "curate", "admin": "admin"}


class LoginNeeded(Refused):
    """Nobody is logged in: browsers are redirected to the login, programs get a 401."""

    status = 401


@dataclass(frozen=True, slots=True)
class Credential:
    """The secrets that a request carries to show who sends it."""

    session: str | None
    token: str | None
    csrf: str | None
    writes: bool


@dataclass(frozen=True, slots=True)
class Requester:
    """Who sends a request, and what they may do with it."""

    account: Account
    scopes: frozenset[str]
    csrf: str | None = None  # of a session; tokens have none
    due: bool = False  # whether the session should be extended

    @property
    def name(self) -> str:
        return self.account.name

    @property
    def role(self) -> str:
        """The role in which the request acts: a token without the scope of a higher role acts in a lower one."""
        roles = ROLES[: ROLES.index(self.account.role) + 1]
        return next(role for role in reversed(roles) if role in WORKING or SCOPE_OF_ROLE[role] in self.scopes)

    def may(self, role: str) -> bool:
        """Whether they have at least that role, and their token, if they use one, the scope for it."""
        return may(self.account, role) and SCOPE_OF_ROLE[role] in self.scopes


def credential_of(request: Request) -> Credential:
    """The credential of a request; requests from pages of other sites are refused."""
    writes = request.method not in SAFE_METHODS
    origin = request.headers.get("origin")
    if writes and origin is not None and _host_of(origin) != request.headers.get("host"):
        raise NotAllowed("this request comes from another site", code="cross-site-request")
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return Credential(
        session=request.cookies.get(site_of(request).cookie),
        token=token.strip() if kind.lower() == "bearer" else None,
        csrf=request.headers.get(CSRF_HEADER),
        writes=writes,
    )


def _host_of(origin: str) -> str | None:
    """The host and port of an origin; None if it is no address, as only programs send it."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def requester_of(connection: Connection, credential: Credential) -> Requester:
    """Who sends a request; refused if nobody is logged in, or if the CSRF token of a page is missing."""
    if credential.token is not None:
        owner_and_scopes = token_of(connection, credential.token)
        if owner_and_scopes is None:
            raise LoginNeeded("this token is unknown or has expired", code="invalid-token")
        return Requester(*owner_and_scopes)
    session = session_of(connection, credential.session) if credential.session else None
    return requester_of_session(session, credential)


def requesters_of(connection: Connection, credentials: Sequence[Credential]) -> list[Requester | Refused]:
    """Who sends each of several requests, or why it is refused; sessions are looked up together."""
    secrets = {known.session for known in credentials if known.session and known.token is None}
    sessions = sessions_of(connection, sorted(secrets)) if secrets else {}
    requesters: list[Requester | Refused] = []
    for credential in credentials:
        try:
            if credential.token is not None:
                requesters.append(requester_of(connection, credential))
            else:
                requesters.append(requester_of_session(sessions.get(credential.session or ""), credential))
        except Refused as problem:
            requesters.append(problem)
    return requesters


def refuse_anonymous(credential: Credential) -> None:
    """Refuse a request without a credential, before anything else is looked at."""
    if credential.token is None and credential.session is None:
        raise LoginNeeded("log in first", code="login-required")
    if credential.token is None and not credential.csrf:
        raise NotAllowed(OUT_OF_DATE, code="stale-page")


def requester_of_session(session: Session | None, credential: Credential) -> Requester:
    """Who has that session, if the request comes from one of its own pages."""
    if session is None:
        raise LoginNeeded("log in first", code="login-required")
    if credential.writes and not secrets.compare_digest(session.csrf.encode(), (credential.csrf or "").encode()):
        raise NotAllowed(OUT_OF_DATE, code="stale-page")
    return Requester(session.account, frozenset(SCOPES_OF_ROLE[session.account.role]), session.csrf, session.due)


def admit(requester: Requester, role: str, credential: Credential, *, reserves: bool = False) -> None:
    """Refuse a request that needs another role, or another scope of a token; one that reserves changes something."""
    if not credential.writes and "read" not in requester.scopes:
        raise NotAllowed("this token is not for reading", code="insufficient-scope")
    needs_scope = credential.writes or reserves or role not in WORKING
    if not (requester.may(role) if needs_scope else may(requester.account, role)):
        raise NotAllowed(f"this is for the role {role}; yours is {requester.role}", code="insufficient-role")


def requires(role: str, *, reserves: bool = False) -> Callable[[Request], Requester]:
    """A dependency: who sends the request of a route, if they have at least this role."""

    def viewer(request: Request) -> Requester:
        site = site_of(request)
        credential = credential_of(request)
        with site.ledger.reading() as connection:
            requester = requester_of(connection, credential)
        admit(requester, role, credential, reserves=reserves)
        if requester.due and credential.session:
            secret = credential.session
            site.writer.do(lambda connection: extend_session(connection, secret))
        return requester

    return viewer


Worker = Annotated[Requester, Depends(requires("worker"))]
Annotator = Annotated[Requester, Depends(requires("annotator"))]
# For pages that reserve what they show: a token that is for reading only does not open them.
ReservingWorker = Annotated[Requester, Depends(requires("worker", reserves=True))]
ReservingAnnotator = Annotated[Requester, Depends(requires("annotator", reserves=True))]
Curator = Annotated[Requester, Depends(requires("curator"))]
Admin = Annotated[Requester, Depends(requires("admin"))]
