"""The crowd of a batch, for curators: workers and what is decided about them, votes, invitations, more pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Annotated, Any
from urllib.parse import quote, urlencode
from uuid import uuid4

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.analyse.crowd import CrowdState, WorkerState
from otherwords.annotate.batches import Batch, batch, batches
from otherwords.annotate.crowd_decisions import decide
from otherwords.annotate.crowd_events import Decision, decisions
from otherwords.annotate.deployment import Deployed, plan
from otherwords.errors import OtherwordsError, Refused
from otherwords.sources.csv_safe import safe_cell
from otherwords.web.api.crowd import Threshold, deployed, found
from otherwords.web.api.people import link_to
from otherwords.web.batch_form import fields_of, number_in
from otherwords.web.csv_answer import csv_answer
from otherwords.web.fields import Id, Words
from otherwords.web.forms import CuratorSends, Form, number_of
from otherwords.web.invitations import DAYS, MOST_USES, invite_to_batch
from otherwords.web.pages.batches import status_of
from otherwords.web.rendering import page
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Curator, Viewer

router = APIRouter()
COLUMNS = tuple(one.name for one in fields(WorkerState))
WAYS = {"threshold": "Threshold", "majority": "Majority", "dawid_skene": "Dawid–Skene"}
Wish = Annotated[Words | None, Query()]


@router.get("/crowd/{name}.json")
def as_json(
    request: Request, viewer: Curator, name: Id, threshold: Threshold = None, experts: Wish = None
) -> CrowdState:
    return found(site_of(request), name, threshold, experts or None)


@router.get("/crowd/{name}.csv")
def as_csv(request: Request, viewer: Curator, name: Id) -> Response:
    return csv_answer(f"{name}-workers", COLUMNS, _cells(found(site_of(request), name, None, None)))


def _cells(state: CrowdState) -> Iterator[list[str]]:
    for one in state.workers:
        values = ["; ".join(one.reasons) if name == "reasons" else getattr(one, name) for name in COLUMNS]
        yield [safe_cell(value) for value in values]


@router.get("/crowd/{name}")
def crowd(request: Request, viewer: Curator, name: Id, threshold: Wish = None, experts: Wish = None) -> HTMLResponse:
    given = {"threshold": threshold, "experts": experts}
    return _shown(request, viewer, name, {key: value for key, value in given.items() if value})


@router.post("/crowd/{name}/decide")
def make_decision(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    """Do what the button says that was pressed in the row of a worker."""
    decision, _, worker = form.get("do", "").partition(" ")
    about = (worker, decision, viewer.name, form.get("key", "") or uuid4().hex, form.get("reason", "").strip())
    try:
        site_of(request).writer.do(lambda connection: decide(connection, name, *about))
    except Refused as problem:
        return _shown(request, viewer, name, {}, problem=problem)
    return RedirectResponse(f"{address_of(name)}#worker-{quote(worker)}", 303)


@router.post("/crowd/{name}/invite")
def invite(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    try:
        uses = number_in(fields_of(form), "uses", 1, MOST_USES) or 1
        about = (name, viewer.name, uses, number_of(form, "days", DAYS) or 0)
        secret = site_of(request).writer.do(lambda connection: invite_to_batch(connection, *about))
    except Refused as problem:
        return _shown(request, viewer, name, {}, problem=problem)
    return _shown(request, viewer, name, {}, made=link_to(request, "join", secret), uses=uses)


@router.post("/crowd/{name}/deploy")
def deploy(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    deployed(site_of(request), name, viewer.name)
    return RedirectResponse(f"{address_of(name)}#more", 303)


def address_of(name: str) -> str:
    """The page of a crowd."""
    return f"/crowd/{quote(name, safe='')}"


def _shown(
    request: Request,
    viewer: Viewer,
    name: str,
    wishes: dict[str, str],
    problem: OtherwordsError | None = None,
    **made: Any,
) -> HTMLResponse:
    """The page, with what has just come of one of its forms."""
    site = site_of(request)
    try:
        state = found(site, name, number_in(wishes, "threshold", 0, 100), wishes.get("experts"))
    except Refused as reason:
        problem, wishes = problem or reason, {}
        state = found(site, name, None, None)
    of, decided, planned, others = _about(site, name)
    return page(
        request,
        "crowd.html",
        viewer,
        status=status_of(problem),
        crowd=state,
        batch=of,
        binary=bool(site.scheme(of.scheme).positive),
        decided=decided[::-1],
        voided=_voided(decided),
        planned=planned,
        others=others,
        wishes=wishes,
        query=urlencode(wishes),
        address=address_of(name),
        WAYS=WAYS,
        key=uuid4().hex,
        days=f"{DAYS:g}",
        problem=problem,
        **({"made": None, "uses": 50} | made),
    )


def _about(site: Site, name: str) -> tuple[Batch, list[Decision], list[Deployed], list[str]]:
    """The batch, what was decided about its people, what would follow, and the batches that experts may have judged."""
    with site.ledger.reading() as connection:
        of = batch(connection, name)
        planned = plan(connection, of, site.scheme(of.scheme)) if of.rules.deployment else []
        others = [one.id for one in batches(connection) if one.id != name and one.scheme == of.scheme]
        return of, decisions(connection, name), planned, others


def _voided(decided: list[Decision]) -> set[str]:
    """Whose work is void at the moment."""
    void: set[str] = set()
    for one in decided:
        if one.action == "voided":
            void.add(one.worker)
        elif one.action == "unvoided":
            void.discard(one.worker)
    return void
