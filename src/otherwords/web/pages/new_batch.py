"""The form for a new batch: it begins with what people want, and shows what would be made. It works without scripts."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, func, select
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate import schemes
from otherwords.annotate.batch_plans.create import unit_of_scheme
from otherwords.annotate.batch_plans.rewrite_check import CHECK_SIZE
from otherwords.annotate.batches.batch import load_batches
from otherwords.annotate.batches.keep_rule import UNNAMED
from otherwords.annotate.browse.filter_choices import (
    labels_of_scheme,
    load_choices,
    offered_groups,
    offered_labels,
    offered_types,
)
from otherwords.annotate.rewrites import REWRITE_METHOD
from otherwords.errors import OtherwordsError, Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.records import Purpose, Unit
from otherwords.web.accounts.auth import Curator, Requester
from otherwords.web.api.batches import make_check, make_requested
from otherwords.web.batch_form import (
    PERSON,
    PURPOSES,
    filled_fields,
    filter_fields,
    people_of,
    request_of,
    whole_number,
)
from otherwords.web.batch_preview import preview_batch
from otherwords.web.batch_starts import (
    QUALITY,
    REWRITES,
    STARTS,
    BatchStart,
    FieldGroup,
    folded_groups,
    start_named,
    suggested_name,
)
from otherwords.web.fields import LARGEST
from otherwords.web.filters import address
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.pages.batches import active_people, address_of
from otherwords.web.pages.browse import HAS, READ_AS
from otherwords.web.rendering import page
from otherwords.web.site import Site, site_of

PURPOSE_MEANINGS: dict[Purpose, str] = {
    "production": "Answers make the labels of the corpus. If several people judge a pair and disagree, it has no label "
    "until the team decides.",
    "agreement": "Answers make labels as in production. For pairs that people judge independently, to measure their "
    "agreement: no types are marked in advance.",
    "training": "For practice. Answers make no labels; only what the team decides about a pair does.",
    "check": "A blind check of rewrites or of people. Answers make no labels, and nothing tells one pair from another.",
    "qa": "Whoever checks a pair sees its label, and their answer is its label from then on.",
}


router = APIRouter()
NEW, CHECK = "/batches/new", "/batches/check-rewrites"
UNITS = {"pair": ("pair", "pairs"), "document_pair": ("document pair", "document pairs"), "group": ("group", "groups")}
BEGUN = "begun"  # a field of a form that was on the screen, where what is empty is meant to be
USUAL = {"dealing": "pool", "purpose": "production", "times": "1", "every": "5", "practice_share": "0.8"}
NOT_SHOWN = ("csrf", "key", BEGUN, "start")


@router.get(NEW)
def show_form(request: Request, viewer: Curator) -> HTMLResponse:
    return _render(request, viewer, request.query_params)


@router.post(NEW)
def make(request: Request, viewer: CuratorSends, form: Form) -> Response:
    try:
        fields = filled_fields(form)
        batch = make_requested(site_of(request), request_of(fields), viewer.name, fields.get("key"))
    except OtherwordsError as problem:
        return _render(request, viewer, {**form, BEGUN: "yes"}, problem)
    return RedirectResponse(address_of(batch.id), 303)


@router.post(CHECK)
def make_blind_check(request: Request, viewer: CuratorSends, form: Form) -> Response:
    try:
        fields = filled_fields(form)
        size = whole_number(fields, "size", 2, 10**9) or CHECK_SIZE
        seed, name = whole_number(fields, "seed", 0, LARGEST) or 0, fields.get("name", "")
        batch = make_check(site_of(request), name, size, seed, people_of(fields), viewer.name, fields.get("key"))
    except OtherwordsError as problem:
        return _render(request, viewer, {**form, BEGUN: "yes", "start": REWRITES}, problem)
    return RedirectResponse(address_of(batch.id), 303)


def _render(
    request: Request, viewer: Requester, form: Mapping[str, str], problem: OtherwordsError | None = None
) -> HTMLResponse:
    """The form as it was filled in, and what it would make."""
    site, fields, shown = site_of(request), dict[str, str](), None
    with site.ledger.reading() as connection:
        batches, rewrites = load_batches(connection), _count_rewrites(connection)
    start = start_named(form.get("start", ""))
    try:
        fields = filled_fields(form)
        if BEGUN not in fields:
            suggested = {"name": suggested_name(start, {batch.id for batch in batches})}
            size = {"size": str(min(CHECK_SIZE, 2 * rewrites))} if start.name == REWRITES and rewrites else {}
            fields = {name: value for name, value in suggested.items() if value} | size | dict(start.values) | fields
        if start.name != REWRITES and (start.name != QUALITY or _names_label(fields)):
            shown = preview_batch(site, viewer, request_of({**fields, "name": fields.get("name", "")}))
    except OtherwordsError as reason:
        problem = problem or reason
    params = {name: value for name, value in fields.items() if name not in NOT_SHOWN}
    kept = {name: value for name, value in params.items() if name in filter_fields(params) or name.startswith(PERSON)}
    with site.ledger.reading() as connection:
        offered, labels = load_choices(connection), offered_labels(connection, site.project)
        people, groups = active_people(connection), offered_groups(connection)
    return page(
        request,
        "new_batch.html",
        viewer,
        params=params,
        start=start,
        starts=[(start, address(NEW, kept, start=start.name)) for start in STARTS],
        folded=folded_groups(start),
        opened={group.title for group in folded_groups(start) if _is_changed(site, group, start, params)},
        is_check=start.name == REWRITES,
        preview=shown,
        units=UNITS[_unit(site, fields)],
        rewrites=rewrites,
        meaning=PURPOSE_MEANINGS,
        purpose={REWRITES: "check", QUALITY: "qa"}.get(start.name, shown.purpose if shown else None),
        problem=problem,
        name_refused=isinstance(problem, Refused) and problem.field == "name",
        key=uuid4().hex,
        chosen=set(people_of(params)),
        PERSON=PERSON,
        HAS=HAS,
        READ_AS=READ_AS,
        purposes=PURPOSES,
        schemes=[(name, _title(site, name)) for name in schemes.scheme_names(site.project.folder)],
        scheme=site.scheme_name,
        offered=offered,
        offers=_offers(site, fields) | {"label": labels, "type": offered_types(site.project), "group": groups},
        people=people,
        batches=[(batch.id, batch.id) for batch in batches if batch.unit == "pair"],
        annotators=[(name, name) for name, _ in people],
    )


def _is_changed(site: Site, group: FieldGroup, start: BatchStart, params: Mapping[str, str]) -> bool:
    """Whether a field of a group has another value than the form begins with."""
    usual = USUAL | {"scheme": site.scheme_name} | dict(start.values)
    people = "people" in group.fields and bool(people_of(params))
    return people or any(params[name] != usual.get(name) for name in group.fields if name in params)


def _names_label(fields: Mapping[str, str]) -> bool:
    return "check_label" in fields or "check_flag" in fields


def _count_rewrites(connection: Connection) -> int:
    are_rewrites = (schema.pairs.c.rewrite_of.is_not(None), schema.pairs.c.method == REWRITE_METHOD, PRESENT)
    return connection.execute(select(func.count()).select_from(schema.pairs).where(*are_rewrites)).scalar_one()


def _offers(site: Site, fields: Mapping[str, str]) -> dict[str, list[str]]:
    """What fields about answers offer, of the chosen scheme; nothing if there is no such scheme."""
    with contextlib.suppress(OtherwordsError):
        scheme = site.scheme(fields.get("scheme") or site.scheme_name)
        choices = [question for question in scheme.questions if question.kind == "choice"]
        named = [(question.name or UNNAMED, question) for question in choices]
        return {
            "check_label": labels_of_scheme(site.project, scheme.name),
            "check_flag": [flag.flag for question in choices for flag in question.flags],
            "second_sees": [value.value for question in choices[:1] for value in question.values],
            "keep": [f"{name}={value.value}" for name, question in named for value in question.values],
            "agree_on": [name for name, _ in named],
        }
    return {}


def _title(site: Site, name: str) -> str:
    """The question that a scheme asks; nothing if its file is broken."""
    with contextlib.suppress(OtherwordsError):
        return site.scheme(name).title
    return ""


def _unit(site: Site, fields: Mapping[str, str]) -> Unit:
    """The unit of the chosen scheme; an unknown scheme is refused only when the batch is made."""
    try:
        return unit_of_scheme(site.project, fields.get("scheme"))
    except OtherwordsError:
        return "pair"
