"""The page of one pair, which is its permalink, and the same as JSON and CSV."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse

from otherwords.annotate.browsing import Row, cells
from otherwords.web.api.pairs import Known, pair
from otherwords.web.csv_answer import csv_answer
from otherwords.web.fields import Id
from otherwords.web.filters import BROWSE, address
from otherwords.web.pages.browse import shared
from otherwords.web.rendering import for_script, page
from otherwords.web.viewer import Annotator

router = APIRouter()


@router.get("/pairs/{name:path}.json")
def pair_as_json(request: Request, viewer: Annotator, name: Id) -> Known:
    return pair(request, viewer, name)


@router.get("/pairs/{name:path}.csv")
def pair_as_csv(request: Request, viewer: Annotator, name: Id) -> Response:
    """The pair in the first row, what it was made of and what was made of it in the others."""
    known = pair(request, viewer, name)
    rows = [known.row, *([known.original] if known.original else []), *known.rewrites]
    return csv_answer("pair", Row.__slots__, (list(cells(row).values()) for row in rows))


@router.get("/pairs/{name:path}")
def pair_page(request: Request, viewer: Annotator, name: Id) -> HTMLResponse:
    known = pair(request, viewer, name)
    documents = known.origin.doc1 is not None and known.origin.doc2 is not None

    def link(**changes: object) -> str:
        return address(BROWSE, {}, **changes)

    told = for_script({"pair": known.row.id, "context": documents, "lang": known.row.lang})
    return page(request, "pair.html", viewer, known=known, row=known.row, link=link, told=told, **shared())
