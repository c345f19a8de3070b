"""Browsing the corpus: a filter in the address, a page of pairs, and the same as JSON and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection, select
from starlette.responses import HTMLResponse

from otherwords.annotate.batches import batches
from otherwords.annotate.browsing import Row, cells
from otherwords.annotate.filter_choices import Choices, choices, offered_labels, offered_types
from otherwords.annotate.pair_filter import is_label
from otherwords.annotate.public_browsing import PublicRow
from otherwords.errors import OtherwordsError, Refused
from otherwords.project import schema
from otherwords.web.api.pairs import Found, pairs
from otherwords.web.csv_answer import csv_answer
from otherwords.web.filters import A_PAGE, BROWSE, Asked, PublicAsked, address, pair_address
from otherwords.web.rendering import page
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Annotator, Viewer

router = APIRouter()
TURKU = "turku"  # the scheme whose labels have projections to look by
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


@router.get(BROWSE)
def browse(request: Request, viewer: Annotator, asked: Annotated[Asked, Query()]) -> HTMLResponse:
    found, problem = Found([], None), None
    try:
        found = pairs(request, viewer, asked)
    except Refused as reason:
        problem = reason
    with site_of(request).ledger.reading() as connection:
        offered = choices(connection)
        labels = offered_labels(connection, site_of(request).project)
        work = _work(connection) if viewer.may("curator") else {}
    return browse_page(request, viewer, asked, found.rows, found.next, offered, problem, labels=labels, **work)


@router.get(f"{BROWSE}.json")
def browse_as_json(request: Request, response: Response, viewer: Annotator, asked: Annotated[Asked, Query()]) -> Found:
    found = pairs(request, viewer, asked)
    response.headers.update(onward(f"{BROWSE}.json", asked, found.next))
    return found


@router.get(f"{BROWSE}.csv")
def browse_as_csv(request: Request, viewer: Annotator, asked: Annotated[Asked, Query()]) -> Response:
    found = pairs(request, viewer, asked)
    answer = csv_answer("pairs", Row.__slots__, (list(cells(row).values()) for row in found.rows))
    answer.headers.update(onward(f"{BROWSE}.csv", asked, found.next))
    return answer


def _work(connection: Connection) -> dict[str, list[tuple[str, str]]]:
    """The people and the batches that a curator may choose among, each with how it is shown."""
    one = schema.accounts.c.name
    names = connection.execute(select(one).order_by(one)).scalars()
    made = [batch.id for batch in batches(connection) if batch.unit == "pair"]
    return {"annotators": [(name, name) for name in names], "batches": [(name, name) for name in made]}


def browse_page(
    request: Request,
    viewer: Viewer | None,
    asked: PublicAsked,
    rows: Sequence[Row | PublicRow],
    following: int | None,
    offered: Choices,
    problem: Refused | None,
    **told: Any,
) -> HTMLResponse:
    """The page, for those who work on the corpus and for everybody else."""
    params = asked.given if problem else asked.wanted.as_params()
    size = {"most": asked.most if asked.most != A_PAGE else None}

    def link(path: str = BROWSE, **changes: object) -> str:
        return address(path, params, **size | changes)

    return page(
        request,
        "browse.html",
        viewer,
        status=problem.status if problem else 200,
        rows=rows,
        params=params,
        link=link,
        more=link(after=following) if following is not None else None,
        twin={"after": asked.after, "most": A_TABLE},
        later=asked.after is not None,
        offered=offered,
        problem=str(problem) if problem else None,
        chips=_chips(site_of(request)),
        types=offered_types(site_of(request).project),
        **shared(),
        **told,
    )


def _chips(site: Site) -> list[tuple[str, str | None, str | None]]:
    """The values of the project's scheme, each with how it is read and with its colour; none of several questions."""
    try:
        found = site.scheme(site.scheme_name)
    except OtherwordsError:  # a file that is gone or broken: there is still everything else to look by
        return []
    read_as = "base" if found.name == TURKU else None
    return [(one.value, read_as, one.colour) for one in found.questions[0].values] if found.single else []


def shared() -> dict[str, Any]:
    """What the templates that show pairs need."""
    return {"HAS": HAS, "READ_AS": READ_AS, "is_label": is_label, "pair_address": pair_address}


def onward(path: str, asked: PublicAsked, following: int | None) -> dict[str, str]:
    """The header that leads a program to the next page."""
    if following is None:
        return {}
    there = address(path, asked.wanted.as_params(), after=following, most=asked.most)
    return {"link": f'<{there}>; rel="next"'}
