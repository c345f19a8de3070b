"""Plain HTML forms, which work without a script: parsed, limited in size, and accepted only from pages of this site.

A form of somebody who is logged in has the CSRF token of their session in its hidden field ``csrf``. Before the login
there is no session: the page sends the browser a ticket in a cookie and the same ticket in the field, which no other
site can do. A route that takes a form looks like this::

    @router.post("/batches/new")
    def make(request: Request, viewer: CuratorSends, form: Form) -> Response: ...
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from starlette.responses import HTMLResponse

from otherwords.errors import NotAllowed, OtherwordsError, Refused
from otherwords.web.accounts.auth import OUT_OF_DATE, Requester, credential_of, requester_of
from otherwords.web.accounts.passwords import new_secret
from otherwords.web.accounts.sessions import ticket_cookie
from otherwords.web.fields import storable
from otherwords.web.rendering import page
from otherwords.web.site import site_of

TICKET_SECONDS = 3600
FIELD = "csrf"
MOST_FIELDS = 200
URLENCODED = "application/x-www-form-urlencoded"
_TICKET = re.compile(r"[\w-]{43}", re.ASCII)


async def parse_form(request: Request) -> dict[str, str]:
    """The fields of a form by name; the guard limits their size."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if body and media_type != URLENCODED:
        raise Refused(f"a form is sent as {URLENCODED}, not as {media_type or 'an unnamed type'}", code="not-a-form")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
        fields = {storable(name): storable(value) for name, value in pairs}
    except ValueError as problem:
        raise Refused(f"not a form: {problem}", code="not-a-form") from None
    if len(fields) < len(pairs):
        raise Refused("not a form: a field was sent twice", code="not-a-form")
    return fields


Form = Annotated[dict[str, str], Depends(parse_form)]


def number_in(form: dict[str, str], field: str, default: float | None = None) -> float | None:
    """The number in a field, or the default if the field is empty."""
    text = form.get(field, "").strip()
    if not text:
        return default
    try:
        return float(text)
    except ValueError:
        raise Refused(f"{field}: {text!r} is not a number", field, code="invalid-number") from None


def sent_by(role: str) -> Callable[[Request, dict[str, str]], Requester]:
    """A dependency: who sends the form of a route, if they have at least this role. Programs use the API instead."""

    def sender(request: Request, form: Form) -> Requester:
        credential = replace(credential_of(request), csrf=form.get(FIELD), token=None)
        with site_of(request).ledger.reading() as connection:
            requester = requester_of(connection, credential)
        if not requester.may(role):
            raise NotAllowed(f"this is for the role {role}; yours is {requester.role}", code="insufficient-role")
        return requester

    return sender


WorkerSends = Annotated[Requester, Depends(sent_by("worker"))]
AnnotatorSends = Annotated[Requester, Depends(sent_by("annotator"))]
CuratorSends = Annotated[Requester, Depends(sent_by("curator"))]
AdminSends = Annotated[Requester, Depends(sent_by("admin"))]


def ticket_page(
    request: Request, template: str, problem: OtherwordsError | None, values: Mapping[str, Any]
) -> HTMLResponse:
    """A page with a form for somebody without a session; all open pages of a browser share its ticket."""
    name = ticket_cookie(site_of(request).cookie)
    known = request.cookies.get(name, "")
    ticket = known if _TICKET.fullmatch(known) else new_secret()
    response = page(request, template, problem=problem, ticket=ticket, **values)
    secure = request.url.scheme == "https"
    response.set_cookie(name, ticket, max_age=TICKET_SECONDS, path="/", httponly=True, samesite="lax", secure=secure)
    return response


def refuse_foreign(request: Request, form: dict[str, str]) -> None:
    """Refuse a form sent without a session that does not come from a page of this site.

    A page with a secret in its address sends no referrer, so the browser sends ``null`` as the origin of its form. That
    is accepted unless ``sec-fetch-site`` contradicts it; the ticket decides.
    """
    if request.headers.get("origin") != "null" or request.headers.get("sec-fetch-site", "") not in ("", "same-origin"):
        credential_of(request)
    expected = request.cookies.get(ticket_cookie(site_of(request).cookie), "")
    sent = form.get(FIELD, "")
    if not expected or not secrets.compare_digest(expected.encode(), sent.encode()):
        raise NotAllowed(OUT_OF_DATE, code="stale-page")
