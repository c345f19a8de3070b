"""The public site: what has been released and may be shown, readable by everybody and changeable by nobody.

No account, no cookie, nothing about those who made the corpus: a page shows public rows and nothing else.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from sqlalchemy import func, select
from starlette.responses import HTMLResponse

from otherwords.annotate.browse.filter import NO_FILTER
from otherwords.annotate.browse.filter_choices import choices_in_rows, labels_of_scheme
from otherwords.annotate.browse.public import PublicRow, latest_release, public_cells, public_page
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.text.languages import language_name
from otherwords.web.api.pairs import PublicPairPage, public_pair, public_pairs
from otherwords.web.fields import Id
from otherwords.web.filters import BROWSE, PublicQuery, address
from otherwords.web.pages.browse import PAIR_HELPERS, browse_page, next_link
from otherwords.web.rendering import page
from otherwords.web.site import site_of
from otherwords.web.tables import add_twins

router = APIRouter()
CACHED = {"cache-control": "public, max-age=60", "vary": "accept-language"}
ROWS_TO_CHOOSE_FROM = 200
PublicParams = Annotated[PublicQuery, Query()]


@router.get("/")
def start(request: Request) -> HTMLResponse:
    released = schema.released_pairs
    with site_of(request).ledger.reading() as connection:
        release = latest_release(connection)
        in_release = released.c.version == (release.version if release else "")
        pairs = connection.execute(select(func.count()).select_from(released).where(in_release)).scalar()
    language = language_name(site_of(request).project.config.lang)
    return page(request, "public.html", release=release, pairs=pairs, language=language, headers=CACHED)


@router.get(BROWSE)
def browse(request: Request, query: PublicParams) -> HTMLResponse:
    shown, problem = PublicPairPage([], None), None
    try:
        shown = public_pairs(request, query)
    except Refused as reason:
        problem = reason
    project = site_of(request).project
    with project.ledger.reading() as connection:
        examples, _ = public_page(connection, project, NO_FILTER, most=ROWS_TO_CHOOSE_FROM)
    offered, labels = choices_in_rows(examples), labels_of_scheme(project)
    return browse_page(request, None, query, shown.rows, shown.next, offered, problem, labels=labels, headers=CACHED)


def load_page(request: Request, response: Response, query: PublicParams) -> PublicPairPage:
    """The page as JSON, with a header that links to the next one."""
    shown = public_pairs(request, query)
    response.headers.update(CACHED | next_link(request, query, shown.next))
    return shown


def page_cells(shown: Annotated[PublicPairPage, Depends(load_page)]) -> Iterator[list[str]]:
    return (list(public_cells(row).values()) for row in shown.rows)


def load_pair(request: Request, response: Response, name: Id) -> PublicRow:
    """A pair as JSON."""
    response.headers.update(CACHED)
    return public_pair(request, name)


def pair_cells(row: Annotated[PublicRow, Depends(load_pair)]) -> list[list[str]]:
    return [list(public_cells(row).values())]


add_twins(router, BROWSE, load_page, page_cells, PublicRow.__slots__, "pairs")
add_twins(router, "/pairs/{name:path}", load_pair, pair_cells, PublicRow.__slots__, "pair")


@router.get("/pairs/{name:path}")
def pair_page(request: Request, name: Id) -> HTMLResponse:
    row, link = public_pair(request, name), functools.partial(address, BROWSE, {})
    return page(request, "public_pair.html", row=row, link=link, headers=CACHED, **PAIR_HELPERS)
