"""Browsing the corpus: a filter in the address, a page of pairs, the page of each pair; all also as JSON and CSV."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from sqlalchemy import select
from starlette.responses import HTMLResponse, RedirectResponse

from otherwords.annotate.batches.batch import load_batches
from otherwords.annotate.browse.filter import is_searchable_label
from otherwords.annotate.browse.filter_choices import Choices, load_choices, offered_labels, offered_types
from otherwords.annotate.browse.pairs import PairRow, row_cells
from otherwords.annotate.browse.public import PublicRow
from otherwords.errors import OtherwordsError, Refused
from otherwords.project.ledger import schema
from otherwords.project.left_out import MOST_REASON, leave_out, take_back
from otherwords.web.accounts.auth import Annotator, Requester
from otherwords.web.api.pairs import PairPage, PairReply, load_reply, pair, pairs
from otherwords.web.fields import Id
from otherwords.web.filters import A_PAGE, BROWSE, PairQuery, PublicQuery, address, pair_address
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.rendering import for_script, page
from otherwords.web.site import Site, site_of
from otherwords.web.tables import add_twins

router = APIRouter()
TURKU = "turku"  # the scheme whose labels have projections
A_TABLE = 1000  # rows of the files that a page links to
HAS = {
    "judgement": "a judgement",
    "unsure": "an unsure judgement",
    "note": "a note",
    "rewrite": "a rewrite",
    "discussion": "a discussion",
    "none": "no judgement yet",
}
READ_AS = {"full": "exactly", "arrows": "with its arrow", "base": "by its number", "binary": "as yes or no"}
# What templates that show pairs need.
PAIR_HELPERS: dict[str, Any] = {
    "HAS": HAS,
    "READ_AS": READ_AS,
    "is_label": is_searchable_label,
    "pair_address": pair_address,
}


@router.get(BROWSE)
def browse(request: Request, viewer: Annotator, query: Annotated[PairQuery, Query()]) -> HTMLResponse:
    shown, problem = PairPage([], None), None
    try:
        shown = pairs(request, viewer, query)
    except Refused as reason:
        problem = reason
    with site_of(request).ledger.reading() as connection:
        offered = load_choices(connection)
        labels = offered_labels(connection, site_of(request).project)
        more: dict[str, list[tuple[str, str]]] = {}
        if viewer.may("curator"):  # the people and the batches to filter by, each with how it is displayed
            names = connection.execute(select(schema.accounts.c.name).order_by(schema.accounts.c.name)).scalars()
            more["annotators"] = [(name, name) for name in names]
            more["batches"] = [(batch.id, batch.id) for batch in load_batches(connection) if batch.unit == "pair"]
    return browse_page(request, viewer, query, shown.rows, shown.next, offered, problem, labels=labels, **more)


def load_page(
    request: Request, response: Response, viewer: Annotator, query: Annotated[PairQuery, Query()]
) -> PairPage:
    """The page as JSON, with a header that links to the next one."""
    shown = pairs(request, viewer, query)
    response.headers.update(next_link(request, query, shown.next))
    return shown


def table_cells(shown: Annotated[PairPage, Depends(load_page)]) -> Iterator[list[str]]:
    return (list(row_cells(row).values()) for row in shown.rows)


add_twins(router, BROWSE, load_page, table_cells, PairRow.__slots__, "pairs")


Known = Annotated[PairReply, Depends(pair)]


def pair_cells(known: Known) -> Iterator[list[str]]:
    """The pair in the first row, its original and its rewrites in the others."""
    rows = [known.row, *([known.original] if known.original else []), *known.rewrites]
    return (list(row_cells(row).values()) for row in rows)


add_twins(router, "/pairs/{pair:path}", pair, pair_cells, PairRow.__slots__, "pair")


@router.get("/pairs/{pair:path}")
def pair_page(request: Request, viewer: Annotator, known: Known) -> HTMLResponse:
    """The page of a pair, which is its permalink."""
    return _render_pair(request, viewer, known)


@router.post("/pairs/{pair:path}/leave-out")
def leave_pair_out(request: Request, viewer: CuratorSends, form: Form, pair: Id) -> Response:
    reason = form.get("reason", "")
    try:
        site_of(request).writer.do(lambda connection: leave_out(connection, [pair], reason, viewer.name))
    except Refused as problem:
        if problem.field is None:
            raise
        return _render_pair(request, viewer, load_reply(request, viewer, pair), problem, reason)
    return RedirectResponse(pair_address(pair), 303)


@router.post("/pairs/{pair:path}/take-back")
def take_pair_back(request: Request, viewer: CuratorSends, form: Form, pair: Id) -> Response:
    reason = form.get("reason", "")
    site_of(request).writer.do(lambda connection: take_back(connection, [pair], reason, viewer.name))
    return RedirectResponse(pair_address(pair), 303)


def _render_pair(
    request: Request, viewer: Requester, known: PairReply, problem: Refused | None = None, reason: str = ""
) -> HTMLResponse:
    has_documents = known.origin.doc1 is not None and known.origin.doc2 is not None
    data = for_script({"pair": known.row.id, "context": has_documents, "lang": known.row.lang})
    link = functools.partial(address, BROWSE, {})
    values: dict[str, Any] = {"known": known, "row": known.row, "link": link, "data": data, **PAIR_HELPERS}
    return page(request, "pair.html", viewer, problem=problem, reason=reason, most_reason=MOST_REASON, **values)


def browse_page(
    request: Request,
    viewer: Requester | None,
    query: PublicQuery,
    rows: Sequence[PairRow | PublicRow],
    following: int | None,
    offered: Choices,
    problem: Refused | None,
    **values: Any,
) -> HTMLResponse:
    """The page, for those who work on the corpus and for the public."""
    params = query.params if problem else query.filter.as_params()
    size = {"most": query.most if query.most != A_PAGE else None}

    def link(path: str = BROWSE, **changes: object) -> str:
        return address(path, params, **size | changes)

    return page(
        request,
        "browse.html",
        viewer,
        rows=rows,
        params=params,
        link=link,
        more=link(after=following) if following is not None else None,
        twin={"after": query.after, "most": A_TABLE},
        later=query.after is not None,
        offered=offered,
        problem=problem,
        chips=_chips(site_of(request)),
        types=offered_types(site_of(request).project),
        **PAIR_HELPERS,
        **values,
    )


def _chips(site: Site) -> list[tuple[str, str | None, str | None]]:
    """Value, projection and colour of the labels of the project's scheme, if it has a single question."""
    try:
        scheme = site.scheme(site.scheme_name)
    except OtherwordsError:  # a missing or broken file: all other filters still work
        return []
    projection = "base" if scheme.name == TURKU else None
    values = scheme.questions[0].values if scheme.single else []
    return [(value.value, projection, value.colour) for value in values]


def next_link(request: Request, query: PublicQuery, following: int | None) -> dict[str, str]:
    """The header that leads a program to the next page."""
    if following is None:
        return {}
    target = address(request.url.path, query.filter.as_params(), after=following, most=query.most)
    return {"link": f'<{target}>; rel="next"'}
