"""The crowd of a batch, for curators: workers and decisions about them, votes, invitations, more pairs."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import fields
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.analyse.dashboard.crowd import WorkerState
from otherwords.annotate.batches.batch import load_batch, load_batches
from otherwords.annotate.crowd.curator_decisions import decide_on_worker
from otherwords.annotate.crowd.deployment import plan_deployment
from otherwords.annotate.crowd.events import CrowdDecision, worker_decisions
from otherwords.annotate.crowd.introduction import count_consents, newest_introduction
from otherwords.annotate.crowd.platforms import KNOWN, choose_platform, platform_link
from otherwords.annotate.work.completion import CheckedCode, check_code, participants
from otherwords.errors import NotFound, OtherwordsError, Refused
from otherwords.web.accounts.auth import Curator, Requester
from otherwords.web.accounts.invitations import DAYS, MOST_USES, invite_to_batch
from otherwords.web.api.crowd import deploy, state
from otherwords.web.api.people import link_to
from otherwords.web.batch_form import filled_fields, whole_number
from otherwords.web.fields import Id, OptionalWords
from otherwords.web.filters import page_address
from otherwords.web.forms import CuratorSends, Form, number_in
from otherwords.web.rendering import page
from otherwords.web.site import site_of
from otherwords.web.tables import add_twins, safe_rows

router = APIRouter()
COLUMNS = tuple(field.name for field in fields(WorkerState))
address_of = functools.partial(page_address, "crowd")
VOTES = ("yes", "no", "none")  # of a binary question
METHODS = {"threshold": "Threshold", "majority": "Majority", "dawid_skene": "Dawid–Skene"}


def table_cells(request: Request, viewer: Curator, name: Id) -> Iterator[list[str]]:
    """The workers, by the usual threshold."""
    rows = []
    for worker in state(request, viewer, name).workers:
        cells = {column: getattr(worker, column) for column in COLUMNS}
        rows.append((cells | {"reasons": "; ".join(worker.reasons)}).values())
    return safe_rows(rows)


add_twins(router, "/crowd/{name}", state, table_cells, COLUMNS, "{name}-workers")


@router.get("/crowd/{name}")
def crowd(
    request: Request,
    viewer: Curator,
    name: Id,
    threshold: OptionalWords = None,
    experts: OptionalWords = None,
    code: OptionalWords = None,
) -> HTMLResponse:
    options = {"threshold": threshold, "experts": experts, "code": code}
    return _render(request, viewer, name, {key: value for key, value in options.items() if value})


@router.post("/crowd/{name}/decide")
def make_decision(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    """Do what the pressed button in the row of a worker says."""
    decision, _, worker = form.get("do", "").partition(" ")
    details = (worker, decision, viewer.name, form.get("key", "") or uuid4().hex, form.get("reason", "").strip())
    try:
        site_of(request).writer.do(lambda connection: decide_on_worker(connection, name, *details))
    except Refused as problem:
        return _render(request, viewer, name, {}, problem=problem)
    return RedirectResponse(f"{address_of(name)}#worker-{quote(worker)}", 303)


@router.post("/crowd/{name}/invite")
def invite(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    try:
        uses = whole_number(filled_fields(form), "uses", 1, MOST_USES) or 1
        days = number_in(form, "days", DAYS) or 0
        chosen = form.get("platform") or None
        platform = choose_platform(chosen, back=form.get("back", "").strip() or None) if chosen else None
        secret = site_of(request).writer.do(
            lambda connection: invite_to_batch(connection, name, viewer.name, uses, days, platform)
        )
    except Refused as problem:
        return _render(request, viewer, name, {}, problem=problem)
    link = platform_link(link_to(request, "join", secret), platform)
    return _render(request, viewer, name, {}, link=link, uses=uses)


@router.post("/crowd/{name}/deploy")
def deploy_more(request: Request, viewer: CuratorSends, form: Form, name: Id) -> Response:
    deploy(request, viewer, name)
    return RedirectResponse(f"{address_of(name)}#more", 303)


def _render(
    request: Request,
    viewer: Requester,
    name: str,
    options: dict[str, str],
    problem: OtherwordsError | None = None,
    **result: Any,
) -> HTMLResponse:
    """The page, with the result of a form that was just sent."""
    site = site_of(request)
    try:
        shown = state(request, viewer, name, whole_number(options, "threshold", 0, 100), options.get("experts"))
    except Refused as reason:
        problem, options = problem or reason, {}
        shown = state(request, viewer, name)
    with site.ledger.reading() as connection:
        batch, decided = load_batch(connection, name), worker_decisions(connection, name)
        planned = plan_deployment(connection, batch, site.scheme(batch.scheme)) if batch.rules.deployment else []
        introduction = newest_introduction(connection, name)
        agreed, people = count_consents(connection, name), participants(connection, name)
        checked = _checked(connection, name, options.get("code"))
        others = [other.id for other in load_batches(connection) if other.id != name and other.scheme == batch.scheme]
    return page(
        request,
        "crowd.html",
        viewer,
        crowd=shown,
        batch=batch,
        binary=bool(site.scheme(batch.scheme).positive),
        decided=decided[::-1],
        voided=_voided_workers(decided),
        planned=planned,
        introduction=introduction,
        agreed=agreed,
        participants=people,
        checked=checked,
        others=others,
        options=options,
        query=urlencode({key: value for key, value in options.items() if key != "code"}),
        address=address_of(name),
        METHODS=METHODS,
        VOTES=VOTES,
        platforms=list(KNOWN),
        key=uuid4().hex,
        days=f"{DAYS:g}",
        problem=problem,
        **({"link": None, "uses": 50} | result),
    )


def _checked(connection: Connection, name: str, code: str | None) -> CheckedCode | None:
    """Whose completion code this is; None if it is nobody's."""
    try:
        return check_code(connection, name, code) if code else None
    except NotFound:
        return None


def _voided_workers(decided: list[CrowdDecision]) -> set[str]:
    """The workers whose work is void now."""
    void: set[str] = set()
    for decision in decided:
        if decision.action == "voided":
            void.add(decision.worker)
        elif decision.action == "unvoided":
            void.discard(decision.worker)
    return void
