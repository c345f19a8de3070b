"""The public site: what has been released and may be shown, to be read by everybody and changed by nobody.

No account, no cookie, nothing about those who made the corpus. What is on a page is its public row and no more.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import func, select
from starlette.responses import HTMLResponse

from otherwords.annotate.filter_choices import choices_of, labels_of_scheme
from otherwords.annotate.pair_filter import EVERYTHING
from otherwords.annotate.public_browsing import PublicRow, latest_release, public_cells, public_page
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.text.languages import language_name
from otherwords.web.api.pairs import PublicFound, public_pair, public_pairs
from otherwords.web.csv_answer import csv_answer
from otherwords.web.fields import Id
from otherwords.web.filters import BROWSE, PublicAsked, address
from otherwords.web.pages.browse import browse_page, onward, shared
from otherwords.web.rendering import page
from otherwords.web.site import site_of

router = APIRouter()
CACHED = {"cache-control": "public, max-age=60"}
ROWS_TO_CHOOSE_FROM = 200
Wanted = Annotated[PublicAsked, Query()]


@router.get("/")
def start(request: Request) -> HTMLResponse:
    held = schema.released_pairs
    with site_of(request).ledger.reading() as connection:
        release = latest_release(connection)
        counted = select(func.count()).select_from(held).where(held.c.version == (release.version if release else ""))
        pairs = connection.execute(counted).scalar()
    spoken = language_name(site_of(request).project.config.lang)
    return page(request, "public.html", release=release, pairs=pairs, spoken=spoken, headers=CACHED)


@router.get(BROWSE)
def browse(request: Request, asked: Wanted) -> HTMLResponse:
    found, problem = PublicFound([], None), None
    try:
        found = public_pairs(request, asked)
    except Refused as reason:
        problem = reason
    project = site_of(request).project
    with project.ledger.reading() as connection:
        some, _ = public_page(connection, project, EVERYTHING, most=ROWS_TO_CHOOSE_FROM)
    offered = choices_of(some)
    headers = None if problem else CACHED
    return browse_page(
        request,
        None,
        asked,
        found.rows,
        found.next,
        offered,
        problem,
        labels=labels_of_scheme(project),
        headers=headers,
    )


@router.get(f"{BROWSE}.json")
def browse_as_json(request: Request, response: Response, asked: Wanted) -> PublicFound:
    found = public_pairs(request, asked)
    response.headers.update(CACHED | onward(f"{BROWSE}.json", asked, found.next))
    return found


@router.get(f"{BROWSE}.csv")
def browse_as_csv(request: Request, asked: Wanted) -> Response:
    found = public_pairs(request, asked)
    answer = csv_answer("pairs", PublicRow.__slots__, (list(public_cells(row).values()) for row in found.rows))
    answer.headers.update(CACHED | onward(f"{BROWSE}.csv", asked, found.next))
    return answer


@router.get("/pairs/{name:path}.json")
def pair_as_json(request: Request, response: Response, name: Id) -> PublicRow:
    response.headers.update(CACHED)
    return public_pair(request, name)


@router.get("/pairs/{name:path}.csv")
def pair_as_csv(request: Request, name: Id) -> Response:
    answer = csv_answer("pair", PublicRow.__slots__, [list(public_cells(public_pair(request, name)).values())])
    answer.headers.update(CACHED)
    return answer


@router.get("/pairs/{name:path}")
def pair_page(request: Request, name: Id) -> HTMLResponse:
    row = public_pair(request, name)

    def link(**changes: object) -> str:
        return address(BROWSE, {}, **changes)

    return page(request, "public_pair.html", row=row, link=link, headers=CACHED, **shared())
