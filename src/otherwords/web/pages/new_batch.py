"""The form for a new batch, with a preview of the matching pairs. It works without scripts."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate import schemes
from otherwords.annotate.batch_plans.create import DEFAULT_SCHEME, unit_of_scheme
from otherwords.annotate.batch_plans.selection import Preview, preview_selection, select_units
from otherwords.annotate.batches.batch import load_batches
from otherwords.annotate.browse.filter import parse_filter
from otherwords.annotate.browse.filter_choices import load_choices, offered_labels, offered_types
from otherwords.errors import OtherwordsError, Refused
from otherwords.project import search
from otherwords.records import Unit
from otherwords.web.accounts.auth import Curator, Requester
from otherwords.web.api.batches import make_requested
from otherwords.web.batch_form import PERSON, PURPOSES, filled_fields, filter_fields, people_of, request_of
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.pages.batches import active_people, address_of
from otherwords.web.pages.browse import HAS, READ_AS
from otherwords.web.rendering import page
from otherwords.web.site import Site, site_of

router = APIRouter()
NEW = "/batches/new"
UNITS = {"pair": ("pair", "pairs"), "document_pair": ("document pair", "document pairs"), "group": ("group", "groups")}
SECONDS = 1.0  # that counting for a preview may take


@router.get(NEW)
def show_form(request: Request, viewer: Curator) -> HTMLResponse:
    return _render(request, viewer, request.query_params)


@router.post(NEW)
def make(request: Request, viewer: CuratorSends, form: Form) -> Response:
    try:
        fields = filled_fields(form)
        batch = make_requested(site_of(request), request_of(fields), viewer.name, fields.get("key"))
    except OtherwordsError as problem:
        return _render(request, viewer, form, problem)
    return RedirectResponse(address_of(batch.id), 303)


def _render(
    request: Request, viewer: Requester, form: Mapping[str, str], problem: OtherwordsError | None = None
) -> HTMLResponse:
    """The form as it was filled in, with a preview of the matching pairs."""
    fields: dict[str, str] = {}
    shown: Preview | None = None
    try:
        fields = filled_fields(form)
        shown = _preview(request, viewer, fields)
    except Refused as reason:
        problem = problem or reason
    site = site_of(request)
    with site.ledger.reading() as connection:
        offered, labels = load_choices(connection), offered_labels(connection, site.project)
        people = active_people(connection)
        batches = [(batch.id, batch.id) for batch in load_batches(connection) if batch.unit == "pair"]
    params = {name: value for name, value in fields.items() if name not in ("csrf", "key")}
    text, sample = params.get("sample", ""), None  # how many of the matching units would be drawn
    if shown is not None and text.isascii() and text.isdecimal() and len(text) <= 18:
        sample = min(int(text), shown.pairs) if shown.complete else int(text)
    return page(
        request,
        "new_batch.html",
        viewer,
        params=params,
        preview=shown,
        units=UNITS[_unit(site, fields)],
        sample=sample,
        problem=problem,
        name_refused=isinstance(problem, Refused) and problem.field == "name",
        key=uuid4().hex,
        chosen=set(people_of(params)),
        PERSON=PERSON,
        HAS=HAS,
        READ_AS=READ_AS,
        purposes=PURPOSES,
        schemes=schemes.scheme_names(site.project.folder),
        scheme=site.scheme_name,
        offered=offered,
        labels=labels,
        types=offered_types(site.project),
        people=people,
        batches=batches,
        annotators=[(name, name) for name, _ in people],
    )


def _preview(request: Request, viewer: Requester, fields: Mapping[str, str]) -> Preview:
    site, criteria = site_of(request), parse_filter(filter_fields(fields))
    if criteria.query is not None:
        search.update_index(site.project)
    unit, excluded = _unit(site, fields), (fields["not_in"],) if "not_in" in fields else ()
    unsettled_in = None
    if "sample" in fields and "also_decided" not in fields:
        unsettled_in = fields.get("scheme") or site.project.config.scheme or DEFAULT_SCHEME
    with site.ledger.reading() as connection:
        if unit != "pair":
            units = select_units(connection, unit, criteria, not_in=excluded, unsettled_in=unsettled_in)
            return Preview(len(units), True, [])
        return preview_selection(connection, site.project, criteria, viewer, excluded, SECONDS, unsettled_in)


def _unit(site: Site, fields: Mapping[str, str]) -> Unit:
    """The unit of the chosen scheme; an unknown scheme is refused only when the batch is made."""
    try:
        return unit_of_scheme(site.project, fields.get("scheme"))
    except OtherwordsError:
        return "pair"
