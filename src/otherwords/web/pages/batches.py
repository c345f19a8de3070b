"""The batches of a project, for curators: how far each is, making one, closing it, and the blind check of rewrites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated
from urllib.parse import quote, urlencode
from uuid import uuid4

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection, func, select
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.analyse.progress import BatchState, batch_states
from otherwords.annotate.batch_outcome import Outcome, outcome
from otherwords.annotate.batches import batch
from otherwords.annotate.check_results import CheckResult, check_result
from otherwords.annotate.checking import SIZE
from otherwords.annotate.making import change_state
from otherwords.annotate.rewriting import METHOD
from otherwords.errors import OtherwordsError, Refused
from otherwords.project import schema
from otherwords.project.rows import PRESENT
from otherwords.sources.csv_safe import safe_cell
from otherwords.web.api.batches import listed, make_check, whole
from otherwords.web.batch_form import PERSON, PURPOSES, fields_of, number_in, people_of
from otherwords.web.csv_answer import csv_answer
from otherwords.web.fields import Id, Words
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.rendering import page
from otherwords.web.roles import ACTIVE
from otherwords.web.site import site_of
from otherwords.web.viewer import Curator, Viewer

router = APIRouter()
BATCHES, CHECK = "/batches", "/batches/check-rewrites"
ON_A_PAGE = 100
COLUMNS = ("id", "scheme", "purpose", "asked", "items", "slots", "done", "held", "people", "state", "opened")
Wish = Annotated[Words | None, Query()]


@router.get(BATCHES)
def table(
    request: Request, viewer: Curator, state: Wish = None, purpose: Wish = None, after: Wish = None
) -> HTMLResponse:
    return _listed(request, viewer, state or None, purpose or None, after or None)


@router.get(f"{BATCHES}.json")
def as_json(request: Request, viewer: Curator, state: Wish = None, purpose: Wish = None) -> list[BatchState]:
    return _fitting(listed(request, viewer), state or None, purpose or None)


@router.get(f"{BATCHES}.csv")
def as_csv(request: Request, viewer: Curator, state: Wish = None, purpose: Wish = None) -> Response:
    return csv_answer("batches", COLUMNS, _cells(_fitting(listed(request, viewer), state or None, purpose or None)))


@router.post(CHECK)
def make_blind_check(request: Request, viewer: CuratorSends, form: Form) -> Response:
    try:
        fields = fields_of(form)
        size = number_in(fields, "size", 2, 10**9) or SIZE
        seed, name = number_in(fields, "seed", 0, 2**63 - 1) or 0, fields.get("name", "")
        made = make_check(site_of(request), name, size, seed, people_of(fields), viewer.name, fields.get("key"))
    except OtherwordsError as problem:
        return _listed(request, viewer, form=form, problem=problem)
    return RedirectResponse(address_of(made.id), 303)


@router.get("/batches/{name}")
def one(request: Request, viewer: Curator, name: Id) -> HTMLResponse:
    site, result = site_of(request), None
    found = whole(site, name)
    if found.state.purpose == "check":
        result = _checked(request, name)
    done = dict(found.state.people)
    people = [(who, done.get(who, 0)) for who in dict.fromkeys([*found.rules.people, *done])]
    address = address_of(name)
    return page(
        request,
        "batch.html",
        viewer,
        batch=found.state,
        whole=found,
        people=people,
        result=result,
        outcome=_outcome(request, name),
        address=address,
    )


def _outcome(request: Request, name: str) -> Outcome:
    site = site_of(request)

    def work() -> Outcome:
        with site.ledger.reading() as connection:
            of = batch(connection, name)
            return outcome(connection, of, site.scheme(of.scheme))

    return site.remembered.get(f"outcome {name}", work)


@router.post("/batches/{name}/state")
def change(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    state = form.get("state", "")
    site_of(request).writer.do(lambda connection: change_state(connection, name, state, viewer.name))
    return RedirectResponse(BATCHES if form.get("back") == BATCHES else address_of(name), 303)


def address_of(name: str) -> str:
    """The page of a batch."""
    return f"/batches/{quote(name, safe='')}"


def _checked(request: Request, name: str) -> CheckResult | None:
    site = site_of(request)
    try:
        with site.ledger.reading() as connection:
            return check_result(connection, site.project, name)
    except Refused:  # a check of something else, by a scheme without rewrites
        return None


def _fitting(states: list[BatchState], state: str | None, purpose: str | None) -> list[BatchState]:
    return [one for one in states if state in (None, one.state) and purpose in (None, one.purpose)]


def _cells(states: list[BatchState]) -> Iterator[list[str]]:
    for one in states:
        people = " ".join(f"{name}:{done}" for name, done in one.people)
        values = [people if name == "people" else getattr(one, name) for name in COLUMNS]
        yield [safe_cell(value) for value in values]


def _listed(
    request: Request,
    viewer: Viewer,
    state: str | None = None,
    purpose: str | None = None,
    after: str | None = None,
    form: Mapping[str, str] | None = None,
    problem: OtherwordsError | None = None,
) -> HTMLResponse:
    """The table, the latest batch first, and the form of the blind check with what came of it."""
    with site_of(request).ledger.reading() as connection:
        every = batch_states(connection)[::-1]
        rewrites = _rewrites(connection)
        people = people_here(connection)
    rows = _fitting(every, state, purpose)
    names = [one.id for one in rows]
    rows = rows[names.index(after) + 1 :] if after in names else rows
    wishes = {name: value for name, value in (("state", state), ("purpose", purpose)) if value}
    told = _next_check({one.id for one in every}) | {"size": str(min(SIZE, 2 * rewrites))}
    return page(
        request,
        "batches.html",
        viewer,
        status=status_of(problem),
        rows=rows[:ON_A_PAGE],
        following=urlencode(wishes | {"after": rows[ON_A_PAGE - 1].id}) if len(rows) > ON_A_PAGE else None,
        wishes=wishes,
        query=urlencode(wishes),
        any_batch=bool(every),
        rewrites=rewrites,
        people=people,
        purposes=PURPOSES,
        fields=dict(form) if form is not None else told,
        chosen=set(people_of(form)) if form is not None else set(),
        PERSON=PERSON,
        key=uuid4().hex,
        problem=problem,
        address_of=address_of,
    )


def _next_check(taken: set[str]) -> dict[str, str]:
    """The first name for a check that is not taken."""
    number = 1
    while f"rewrites-{number}" in taken:
        number += 1
    return {"name": f"rewrites-{number}"}


def _rewrites(connection: Connection) -> int:
    one = schema.pairs
    there = (one.c.rewrite_of.is_not(None), one.c.method == METHOD, PRESENT)
    return connection.execute(select(func.count()).select_from(one).where(*there)).scalar_one()


def people_here(connection: Connection) -> list[tuple[str, str]]:
    """Who can be chosen, with their roles."""
    one = schema.accounts
    rows = connection.execute(select(one.c.name, one.c.role).where(one.c.state == ACTIVE).order_by(one.c.name))
    return [(row.name, row.role) for row in rows]


def status_of(problem: OtherwordsError | None) -> int:
    if problem is None:
        return 200
    return problem.status if isinstance(problem, Refused) else 422
