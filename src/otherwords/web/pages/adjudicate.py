"""Adjudicate: the batches that people disagree about, and one disagreement after another, the worst first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import HTMLResponse

from otherwords.annotate.batches import Batch, batch
from otherwords.annotate.disagreements import Settled, Show, cases, settled
from otherwords.annotate.guidelines import as_html, current, reference
from otherwords.annotate.hearing import hearing, to_be_heard
from otherwords.sources.csv_safe import safe_cell
from otherwords.web.csv_answer import csv_answer
from otherwords.web.fields import Id
from otherwords.web.rendering import for_script, page
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Annotator, Viewer

router = APIRouter()
COLUMNS = ("batch", *Settled.__slots__)
TITLES: dict[Show, str] = {"disagreements": "Disagreements", "unsure": "Agreed but unsure", "decided": "Decided"}


@dataclass(frozen=True, slots=True)
class Row:
    """A batch, and how far its adjudication is."""

    batch: str
    settled: Settled


@router.get("/adjudicate")
def choose(request: Request, viewer: Annotator) -> HTMLResponse:
    return page(request, "adjudicate_batches.html", viewer, rows=_rows(request, viewer))


@router.get("/adjudicate.json")
def as_json(request: Request, viewer: Annotator) -> list[Row]:
    return _rows(request, viewer)


@router.get("/adjudicate.csv")
def as_csv(request: Request, viewer: Annotator) -> Response:
    return csv_answer("adjudicate", COLUMNS, _cells(_rows(request, viewer)))


@router.get("/adjudicate/{name}")
def adjudicate(
    request: Request,
    viewer: Annotator,
    name: Id,
    show: Show = "disagreements",
    named: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    """Annotators are never told who said what; a link with names in it shows them the page without."""
    site = site_of(request)
    named = named and viewer.may("curator")
    with site.ledger.reading() as connection:
        of = batch(connection, name)
        scheme = site.scheme(of.scheme)
        found = hearing(connection, viewer.name, viewer.role, of, scheme, show, named=named)
        guideline = current(connection, of.scheme)
    told = asdict(found) | {"batch": of.id, "scheme": scheme.as_page(), "named": named, "show": show}
    return page(
        request,
        "adjudicate.html",
        viewer,
        batch=of,
        scheme=scheme,
        settled=found.settled,
        show=show,
        named=named,
        titles=TITLES,
        guideline=as_html(guideline.text),
        edition=reference(guideline),
        told=for_script(told),
    )


def _rows(request: Request, viewer: Viewer) -> list[Row]:
    """The batches that somebody may decide about, the latest first."""
    site = site_of(request)
    with site.ledger.reading() as connection:
        heard = to_be_heard(connection, viewer.name, viewer.role)
    return [Row(of.id, _settled(site, of)) for of in reversed(heard)]


def _settled(site: Site, of: Batch) -> Settled:
    def count() -> Settled:
        with site.ledger.reading() as connection:
            return settled(cases(connection, of, site.scheme(of.scheme)))

    return site.remembered.get(f"settled {of.id}", count)


def _cells(rows: list[Row]) -> Iterator[list[str]]:
    for row in rows:
        yield [safe_cell(value) for value in (row.batch, *asdict(row.settled).values())]
