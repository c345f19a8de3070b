"""The people of a project, for admins: accounts, open invitations, forms to change them, and the audit trail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from sqlalchemy import Connection
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.errors import Refused
from otherwords.web.accounts import accounts
from otherwords.web.accounts.audit import Event, trail, whole_trail
from otherwords.web.accounts.auth import Admin, Requester
from otherwords.web.accounts.invitations import DAYS, cancel, invite, invite_to_reset, list_people
from otherwords.web.accounts.login import local_path
from otherwords.web.accounts.roles import ROLES, Account
from otherwords.web.accounts.sessions import close_all_sessions
from otherwords.web.api.people import PeopleFilter, PeoplePage, link_to, people_page
from otherwords.web.fields import OptionalWords, Seq
from otherwords.web.forms import AdminSends, Form, number_in
from otherwords.web.rendering import page
from otherwords.web.site import site_of
from otherwords.web.tables import add_twins, first_page, format_minute, safe_rows

router = APIRouter()
PEOPLE = "/people"
LOG = "/people/log"
EVENTS_ON_A_PAGE = 50
EVENT_COLUMNS = ("seq", "time", "actor", "action", "account", "detail")
Before = Annotated[Seq | None, Query()]
COLUMNS = ("name", "role", "state", "created", "link", "link_id", "link_author", "link_until")
ACTIONS: dict[str, Callable[[Connection, Account, str], Any]] = {
    "close": accounts.close,
    "reopen": accounts.reopen,
    "reset": invite_to_reset,
    "logout": close_all_sessions,
}


def read_criteria(name: OptionalWords = None, role: OptionalWords = None, state: OptionalWords = None) -> PeopleFilter:
    """The filter in the address."""
    return PeopleFilter(name or None, role or None, state or None)


Criteria = Annotated[PeopleFilter, Depends(read_criteria)]


@router.get(PEOPLE)
def table(request: Request, viewer: Admin, criteria: Criteria, after: OptionalWords = None) -> HTMLResponse:
    return _render(request, viewer, criteria, after)


def load_page(request: Request, viewer: Admin, criteria: Criteria, after: OptionalWords = None) -> PeoplePage:
    """A page of the people who match."""
    with site_of(request).ledger.reading() as connection:
        return people_page(connection, criteria, after)


def table_cells(request: Request, viewer: Admin, criteria: Criteria) -> Iterator[list[str]]:
    """All people who match."""

    def rows() -> Iterator[tuple[str | None, ...]]:
        with site_of(request).ledger.reading() as connection:
            for person in filter(criteria.matches, list_people(connection)):
                link = person.invitation
                about_link = (link.purpose, link.id, link.author, format_minute(link.until)) if link else (None,) * 4
                yield (person.name, person.role, person.state, person.created, *about_link)

    return safe_rows(rows())


add_twins(router, PEOPLE, load_page, table_cells, COLUMNS, "people")


@router.post("/people/invite")
def invite_somebody(request: Request, viewer: AdminSends, form: Form) -> Response:
    name, role = form.get("name", "").strip() or None, form.get("role", "")
    try:
        days = number_in(form, "days", DAYS) or 0
        secret = site_of(request).writer.do(lambda connection: invite(connection, role, viewer.name, name, days))
    except Refused as problem:
        return _render(request, viewer, form=form, problem=problem)
    return _render(request, viewer, link=link_to(request, "join", secret), link_for=name, link_role=role)


@router.post("/people/cancel")
def cancel_invitation(request: Request, viewer: AdminSends, form: Form) -> Response:
    link = form.get("id", "")
    site_of(request).writer.do(lambda connection: cancel(connection, link, viewer.name))
    return RedirectResponse("/people#invitations", 303)


@router.post("/people/change")
def change(request: Request, viewer: AdminSends, form: Form) -> Response:
    """Do what the pressed button in the row of an account says."""
    name, action = form.get("name", ""), form.get("do", "")

    def work(connection: Connection) -> tuple[Account, Any]:
        account = accounts.account_of(connection, name)
        if action == "role":
            return account, accounts.set_role(connection, account, form.get("role", ""), viewer.name)
        if action not in ACTIONS:
            raise Refused(f"{action!r} cannot be done to an account", code="no-such-action")
        return account, ACTIONS[action](connection, account, viewer.name)

    try:
        account, result = site_of(request).writer.do(work)
    except Refused as problem:
        return _render(request, viewer, problem=problem)
    if action == "reset":
        return _render(request, viewer, link=link_to(request, "reset", result), link_for=account.name)
    if action == "logout":
        return _render(request, viewer, logged_out=account.name, sessions=result)
    return RedirectResponse(local_path(form.get("back", PEOPLE)), 303)


def _render(
    request: Request,
    viewer: Requester,
    criteria: PeopleFilter = PeopleFilter(),  # noqa: B008 - frozen
    after: str | None = None,
    form: dict[str, str] | None = None,
    problem: Refused | None = None,
    **result: Any,
) -> HTMLResponse:
    """The page, with the result of a form that was just sent."""
    with site_of(request).ledger.reading() as connection:
        listed = people_page(connection, criteria, after)
    query = {name: value for name, value in asdict(criteria).items() if value}
    no_result = {"link": None, "link_for": None, "link_role": None, "logged_out": None, "sessions": 0}
    return page(
        request,
        "people.html",
        viewer,
        problem=problem,
        inviting=form is not None,
        listed=listed,
        criteria=criteria,
        query=urlencode(query),
        following=urlencode(query | {"after": listed.next}) if listed.next else None,
        roles=ROLES,
        chosen=form or {"role": "annotator", "days": f"{DAYS:g}"},
        **no_result | result,
    )


@router.get(LOG)
def log(request: Request, viewer: Admin, name: OptionalWords = None, before: Before = None) -> HTMLResponse:
    with site_of(request).ledger.reading() as connection:
        events, last = first_page(trail(connection, EVENTS_ON_A_PAGE + 1, before, name or None), EVENTS_ON_A_PAGE)
    criteria = {"name": name} if name else {}
    return page(
        request,
        "people_log.html",
        viewer,
        events=events,
        name=name or "",
        before=before,
        query=urlencode(criteria),
        earlier=urlencode(criteria | {"before": str(last.seq)}) if last else None,
    )


def load_events(request: Request, viewer: Admin, name: OptionalWords = None, before: Before = None) -> list[Event]:
    """A page of the events."""
    with site_of(request).ledger.reading() as connection:
        return trail(connection, EVENTS_ON_A_PAGE, before, name or None)


def event_cells(request: Request, viewer: Admin, name: OptionalWords = None) -> Iterator[list[str]]:
    """All events."""

    def rows() -> Iterator[tuple[object, ...]]:
        with site_of(request).ledger.reading() as connection:
            for event in whole_trail(connection, name or None):
                detail = msgspec.json.encode(event.detail).decode()
                yield event.seq, event.time, event.actor, event.action, event.account, detail

    return safe_rows(rows())


add_twins(router, LOG, load_events, event_cells, EVENT_COLUMNS, "accounts-log")
