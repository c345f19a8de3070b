"""The people of a project, for admins: who they are, who is invited, and what is to change about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.errors import Refused
from otherwords.web import accounts
from otherwords.web.api.people import link_to
from otherwords.web.csv_answer import csv_answer
from otherwords.web.entering import local
from otherwords.web.fields import Words
from otherwords.web.forms import AdminSends, Form, number_of
from otherwords.web.invitations import DAYS, cancel, invite, invite_to_reset
from otherwords.web.moments import minute_of
from otherwords.web.people_list import COLUMNS, Listed, Wishes, as_query, cells, listed
from otherwords.web.rendering import page
from otherwords.web.roles import ROLES, Account
from otherwords.web.sessions import close_all_sessions
from otherwords.web.site import site_of
from otherwords.web.viewer import Admin, Viewer

router = APIRouter()
Deed = Callable[[Connection, Account, str], Any]
DEEDS: dict[str, Deed] = {
    "close": accounts.close,
    "reopen": accounts.reopen,
    "reset": invite_to_reset,
    "logout": close_all_sessions,
}
Wish = Annotated[Words | None, Query()]


@router.get("/people")
def people(
    request: Request, viewer: Admin, name: Wish = None, role: Wish = None, state: Wish = None, after: Wish = None
) -> HTMLResponse:
    return _shown(request, viewer, Wishes(name or None, role or None, state or None), after)


@router.get("/people.json")
def people_as_json(
    request: Request, viewer: Admin, name: Wish = None, role: Wish = None, state: Wish = None, after: Wish = None
) -> Listed:
    with site_of(request).ledger.reading() as connection:
        return listed(connection, Wishes(name or None, role or None, state or None), after)


@router.get("/people.csv")
def people_as_csv(
    request: Request, viewer: Admin, name: Wish = None, role: Wish = None, state: Wish = None
) -> Response:
    def rows() -> Iterator[list[str]]:
        with site_of(request).ledger.reading() as connection:
            yield from cells(connection, Wishes(name or None, role or None, state or None))

    return csv_answer("people", COLUMNS, rows())


@router.post("/people/invite")
def invite_somebody(request: Request, viewer: AdminSends, form: Form) -> Response:
    name = form.get("name", "").strip() or None
    try:
        asked = (form.get("role", ""), viewer.name, name, number_of(form, "days", DAYS) or 0)
        secret = site_of(request).writer.do(lambda connection: invite(connection, *asked))
    except Refused as problem:
        return _shown(request, viewer, form=form, invite_problem=problem)
    told = f"for {name}" if name else "for whoever opens it first"
    return _shown(request, viewer, made=link_to(request, "join", secret), told=f"{told}, as {asked[0]}")


@router.post("/people/cancel")
def cancel_invitation(request: Request, viewer: AdminSends, form: Form) -> Response:
    link = form.get("id", "")
    site_of(request).writer.do(lambda connection: cancel(connection, link, viewer.name))
    return RedirectResponse("/people#invitations", 303)


@router.post("/people/change")
def change(request: Request, viewer: AdminSends, form: Form) -> Response:
    """Do to an account what the button says that was pressed in its row."""
    name, what = form.get("name", ""), form.get("do", "")

    def work(connection: Connection) -> tuple[Account, Any]:
        account = accounts.account_of(connection, name)
        if what == "role":
            return account, accounts.set_role(connection, account, form.get("role", ""), viewer.name)
        if what not in DEEDS:
            raise Refused(f"{what!r} cannot be done to an account")
        return account, DEEDS[what](connection, account, viewer.name)

    try:
        account, result = site_of(request).writer.do(work)
    except Refused as problem:
        return _shown(request, viewer, problem=problem)
    if what == "reset":
        told = f"for {account.name}, to set a new password"
        return _shown(request, viewer, made=link_to(request, "reset", result), told=told)
    if what == "logout":
        sessions = f"{result} session{'' if result == 1 else 's'} ended"
        return _shown(request, viewer, notice=f"{account.name} is logged out everywhere ({sessions}).")
    return RedirectResponse(local(form.get("back", "/people")), 303)


def _shown(
    request: Request,
    viewer: Viewer,
    wishes: Wishes = Wishes(),  # noqa: B008 - frozen
    after: str | None = None,
    form: dict[str, str] | None = None,
    **told: Any,
) -> HTMLResponse:
    """The page, with what has just come of one of its forms."""
    with site_of(request).ledger.reading() as connection:
        found = listed(connection, wishes, after)
    asked = as_query(wishes)
    problem = told.get("problem") or told.get("invite_problem")
    result = {"made": None, "told": None, "notice": None, "problem": None, "invite_problem": None, **told}
    return page(
        request,
        "people.html",
        viewer,
        status=problem.status if problem else 200,
        listed=found,
        wishes=wishes,
        query=urlencode(asked),
        following=urlencode(asked | {"after": found.next}) if found.next else None,
        roles=ROLES,
        chosen=form or {"role": "annotator", "days": f"{DAYS:g}"},
        minute_of=minute_of,
        **result,
    )
