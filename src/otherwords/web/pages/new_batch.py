"""The form that makes a batch from a filter, with a preview of the pairs that fit. It works without a script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate import schemes
from otherwords.annotate.batches import batches
from otherwords.annotate.choosing import Preview, preview
from otherwords.annotate.choosing_units import select_units
from otherwords.annotate.crowd_wishes import USUAL, crowded
from otherwords.annotate.filter_choices import choices, offered_labels, offered_types
from otherwords.annotate.hidden_tests import FEWEST_EVERY, MOST_EVERY
from otherwords.annotate.making import Plan, unit_of
from otherwords.errors import OtherwordsError, Refused
from otherwords.project import search
from otherwords.records import Unit
from otherwords.web.api.batches import make_planned
from otherwords.web.batch_form import PERSON, PURPOSES, fields_of, filter_of, not_in_of, number_in, people_of, plan_of
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.pages.batches import address_of, people_here, status_of
from otherwords.web.pages.browse import HAS, READ_AS
from otherwords.web.rendering import page
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Curator, Viewer

router = APIRouter()
NEW = "/batches/new"
UNITS = {"pair": ("pair", "pairs"), "document_pair": ("document pair", "document pairs"), "group": ("group", "groups")}
SECONDS = 1.0  # that a preview may count
ABOUT_ITS_NAME = re.compile(r"\bname\b")  # a refusal that asks for another name of the batch


@router.get(NEW)
def plan(request: Request, viewer: Curator) -> HTMLResponse:
    return _form(request, viewer, request.query_params)


@router.post(NEW)
def make(request: Request, viewer: CuratorSends, form: Form) -> Response:
    try:
        fields = fields_of(form)
        made = make_planned(site_of(request), _planned(request, fields), viewer.name, fields.get("key"))
    except OtherwordsError as problem:
        return _form(request, viewer, form, problem)
    return RedirectResponse(address_of(made.id), 303)


def _planned(request: Request, fields: Mapping[str, str]) -> Plan:
    """The plan that the fields describe, with the rules of a crowd."""
    planned = plan_of(fields)
    tests = fields.get("tests")
    wishes = (tests, number_in(fields, "every", FEWEST_EVERY, MOST_EVERY) or 5, USUAL if "gate" in fields else None)
    with site_of(request).ledger.reading() as connection:
        return replace(planned, rules=crowded(connection, planned.rules, *wishes, grows="grows" in fields))


def _form(
    request: Request, viewer: Viewer, given: Mapping[str, str], problem: OtherwordsError | None = None
) -> HTMLResponse:
    """The form with what was filled in, and a preview of the pairs that fit."""
    fields: dict[str, str] = {}
    shown: Preview | None = None
    try:
        fields = fields_of(given)
        shown = _preview(request, viewer, fields)
    except Refused as reason:
        problem = problem or reason
    site = site_of(request)
    with site.ledger.reading() as connection:
        offered: dict[str, Any] = {
            "offered": choices(connection),
            "labels": offered_labels(connection, site.project),
            "types": offered_types(site.project),
            "people": people_here(connection),
            "batches": [(one.id, one.id) for one in batches(connection) if one.unit == "pair"],
        }
    offered["annotators"] = [(name, name) for name, _ in offered["people"]]
    asked = {name: value for name, value in fields.items() if name not in ("csrf", "key")}
    return page(
        request,
        "new_batch.html",
        viewer,
        status=status_of(problem),
        params=asked,
        preview=shown,
        units=UNITS[_unit(site, fields)],
        sample=_sample(asked, shown),
        problem=problem,
        name_refused=problem is not None and ABOUT_ITS_NAME.search(str(problem)) is not None,
        key=uuid4().hex,
        chosen=set(people_of(asked)),
        PERSON=PERSON,
        HAS=HAS,
        READ_AS=READ_AS,
        purposes=PURPOSES,
        schemes=schemes.names(site.project.folder),
        scheme=site.scheme_name,
        **offered,
    )


def _preview(request: Request, viewer: Viewer, fields: Mapping[str, str]) -> Preview:
    site, wanted = site_of(request), filter_of(fields)
    if wanted.query is not None:
        search.catch_up(site.project)
    unit = _unit(site, fields)
    with site.ledger.reading() as connection:
        if unit != "pair":
            return Preview(len(select_units(connection, unit, wanted, not_in=not_in_of(fields))), True, [])
        return preview(connection, site.project, wanted, viewer, not_in_of(fields), SECONDS)


def _unit(site: Site, fields: Mapping[str, str]) -> Unit:
    """What the chosen scheme is about; a scheme that there is not is refused when the batch is made."""
    try:
        return unit_of(site.project, fields.get("scheme"))
    except OtherwordsError:
        return "pair"


def _sample(fields: Mapping[str, str], shown: Preview | None) -> int | None:
    """How many of those that fit would be drawn."""
    text = fields.get("sample", "")
    if shown is None or not (text.isascii() and text.isdecimal()) or len(text) > 18:
        return None
    return min(int(text), shown.pairs) if shown.complete else int(text)
