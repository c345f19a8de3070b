"""Plain HTML forms, which work without a script: read, bounded, and taken from a page of this very site alone.

A form of somebody who is logged in carries the CSRF token of their session in its hidden field ``csrf``. Before that
there is no session: the page gives the browser a ticket in a cookie and the same in the field, which no other site
can do. A route that takes a form looks like this::

    @router.post("/batches/new")
    def make(request: Request, viewer: CuratorSends, form: Form) -> Response: ...
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request, Response

from otherwords.errors import NotAllowed, Refused
from otherwords.web.digests import new_secret
from otherwords.web.fields import storable
from otherwords.web.site import site_of
from otherwords.web.viewer import Viewer, credential_of, viewer_of

TICKET = "otherwords_form"
TICKET_SECONDS = 3600
FIELD = "csrf"
MOST_FIELDS = 200
URLENCODED = "application/x-www-form-urlencoded"
OUT_OF_DATE = "the page is out of date; load it again"
_OURS = re.compile(r"[\w-]{43}", re.ASCII)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form by name; how many bytes they may have is for all requests the same."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if body and kind != URLENCODED:
        raise Refused(f"a form comes as {URLENCODED}, this came as {kind or 'nothing that is named'}")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
        fields = {storable(name): storable(value) for name, value in pairs}
    except ValueError as problem:
        raise Refused(f"not a form: {problem}") from None
    if len(fields) < len(pairs):
        raise Refused("not a form: a field came twice")
    return fields


Form = Annotated[dict[str, str], Depends(form_of)]


def number_of(form: dict[str, str], field: str, otherwise: float | None = None) -> float | None:
    """The number in a field, or something else where the field was left empty."""
    text = form.get(field, "").strip()
    if not text:
        return otherwise
    try:
        return float(text)
    except ValueError:
        raise Refused(f"{field}: {text!r} is not a number") from None


def sent_by(role: str) -> Callable[[Request, dict[str, str]], Viewer]:
    """The dependency of a route whose form somebody with at least this role may send; programs use the API."""

    def sender(request: Request, form: Form) -> Viewer:
        credential = replace(credential_of(request), csrf=form.get(FIELD), token=None)
        with site_of(request).ledger.reading() as connection:
            found = viewer_of(connection, credential)
        if not found.may(role):
            raise NotAllowed(f"this is for the role {role}; yours is {found.role}")
        return found

    return sender


WorkerSends = Annotated[Viewer, Depends(sent_by("worker"))]
AnnotatorSends = Annotated[Viewer, Depends(sent_by("annotator"))]
CuratorSends = Annotated[Viewer, Depends(sent_by("curator"))]
AdminSends = Annotated[Viewer, Depends(sent_by("admin"))]


def ticket_of(request: Request) -> str:
    """The ticket of a browser, or a new one: two pages that are open at once share it."""
    known = request.cookies.get(TICKET, "")
    return known if _OURS.fullmatch(known) else new_secret()


def keep_ticket(request: Request, response: Response, ticket: str) -> None:
    """Give a browser the ticket that stands in the form of its page."""
    secure = request.url.scheme == "https"
    response.set_cookie(TICKET, ticket, max_age=TICKET_SECONDS, path="/", httponly=True, samesite="lax", secure=secure)


def drop_ticket(response: Response) -> None:
    """Take it away again, once somebody is logged in."""
    response.delete_cookie(TICKET, path="/", httponly=True, samesite="lax")


def refuse_foreign(request: Request, form: dict[str, str]) -> None:
    """Refuse a form of nobody in particular that does not come from a page of this site.

    A page whose address is a secret tells it to nobody, and a browser then says ``null`` for where its form comes
    from; that is taken for ours unless the browser says otherwise, and the ticket decides.
    """
    if request.headers.get("origin") != "null" or request.headers.get("sec-fetch-site", "") not in ("", "same-origin"):
        credential_of(request)
    known, sent = request.cookies.get(TICKET, ""), form.get(FIELD, "")
    if not known or not secrets.compare_digest(known.encode(), sent.encode()):
        raise NotAllowed(OUT_OF_DATE)
