"""The nearest sentences of one that is typed, as a page, as JSON and as CSV; the button that makes a candidate."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import astuple
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from sqlalchemy import select
from starlette.responses import HTMLResponse, RedirectResponse, Response

from otherwords.errors import Conflict, OtherwordsError, Refused
from otherwords.mining.search import LONGEST
from otherwords.project.ledger import schema
from otherwords.project.mined_pools import mined_pools
from otherwords.web.accounts.auth import Requester
from otherwords.web.api.nearest import (
    A_PAGE,
    CORPUS,
    MOST_FOUND,
    CandidateBody,
    NearestQuery,
    NearestReply,
    NearestRow,
    Searcher,
    find_nearest,
    make_candidate,
    nearest,
)
from otherwords.web.filters import BROWSE, address, pair_address
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.rendering import for_script, page, public_message
from otherwords.web.site import site_of
from otherwords.web.tables import add_twins, safe_rows

router = APIRouter()
NEAREST = "/nearest"


@router.get(NEAREST)
def nearest_page(request: Request, viewer: Searcher, query: Annotated[NearestQuery, Query()]) -> HTMLResponse:
    return _render(request, viewer, query)


def table_cells(reply: Annotated[NearestReply, Depends(nearest)]) -> Iterator[list[str]]:
    if reply.loading:
        raise Conflict("the search is being made ready; try again in a moment", code="search-loading")
    return safe_rows(astuple(row) for row in reply.rows)


add_twins(router, NEAREST, nearest, table_cells, NearestRow.__slots__, "nearest")


@router.post("/nearest/candidates")
def add(request: Request, viewer: CuratorSends, form: Form) -> Response:
    """The button without a script: back to what was found, where the sentence is a candidate now."""
    row = form.get("row", "")
    where, text = form.get("where", CORPUS), form.get("text", "")
    after = int(form["after"]) if form.get("after", "").isdecimal() and len(form["after"]) < 4 else 0
    query = NearestQuery(text=text, where=where, after=min(after, MOST_FOUND), most=A_PAGE)
    number = int(row) if row.isdecimal() and len(row) < 12 else None
    try:
        body = CandidateBody(text=text, neighbour=form.get("neighbour", ""), where=where, row=number)
        make_candidate(site_of(request), viewer, body)
    except Refused as problem:
        return _render(request, viewer, query, problem)
    return RedirectResponse(_link(query, after=query.after or None), 303)


def _link(query: NearestQuery, path: str = NEAREST, **changes: object) -> str:
    params = {"text": query.text, **({"where": query.where} if query.where != CORPUS else {})}
    return address(path, params, **changes)


def _render(
    request: Request, viewer: Requester, query: NearestQuery, problem: OtherwordsError | None = None
) -> HTMLResponse:
    site = site_of(request)
    reply = NearestReply("", query.where)
    try:
        reply = find_nearest(site, viewer, query)
    except OtherwordsError as reason:
        problem = problem or reason
    with site.ledger.reading() as connection:
        has_pairs = connection.execute(select(schema.pairs.c.seq).limit(1)).first() is not None
    return page(
        request,
        "nearest.html",
        viewer,
        problem=problem,
        message=public_message(problem) if problem else None,
        code=problem.code if problem else None,
        reply=reply,
        typed=query.text[:LONGEST],
        where=query.where,
        corpus=CORPUS,
        pools=list(mined_pools(site.project)) if viewer.may("curator") else [],
        has_pairs=has_pairs,
        longest=LONGEST,
        after=query.after,
        pair_address=pair_address,
        browse=functools.partial(address, BROWSE, {}),
        link=functools.partial(_link, query),
        data=for_script({"loading": reply.loading, "lang": site.project.config.lang, "where": query.where}),
    )
