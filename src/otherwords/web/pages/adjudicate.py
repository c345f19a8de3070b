"""Adjudicate: the batches with disagreements, and one disagreement after another, the worst first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse

from otherwords.annotate.adjudication.case_queue import adjudicable_batches, is_adjudicated, load_case_queue
from otherwords.annotate.adjudication.disagreements import CaseFilter, Resolution, case_outlines, settled
from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.schemes.guidelines import current_guideline, shown_guideline
from otherwords.web.accounts.auth import Annotator
from otherwords.web.fields import Id
from otherwords.web.rendering import for_script, language_of, page
from otherwords.web.site import site_of
from otherwords.web.tables import add_twins, safe_rows
from otherwords.web.texts import scheme_for_page

router = APIRouter()
COLUMNS = ("batch", *Resolution.__slots__)
TITLES: dict[CaseFilter, str] = {"disagreements": "Disagreements", "unsure": "Agreed but unsure", "decided": "Decided"}


@dataclass(frozen=True, slots=True)
class AdjudicationRow:
    """A batch and the progress of its adjudication."""

    batch: str
    settled: Resolution
    by_people: bool  # otherwise a rule or votes decide, and curators may look on


def load_rows(request: Request, viewer: Annotator) -> list[AdjudicationRow]:
    """The batches that somebody may decide about, the latest first; then, for curators, those that a rule decides."""
    site = site_of(request)
    with site.ledger.reading() as connection:
        batches = adjudicable_batches(connection, viewer.name, viewer.role)
    rows = []
    latest = batches[::-1]
    for batch in sorted(latest, key=is_adjudicated, reverse=True):
        if not is_adjudicated(batch) and not viewer.may("curator"):
            continue
        resolution = site.cached(
            f"settled {batch.id}",
            lambda connection: settled(case_outlines(connection, batch, site.scheme(batch.scheme))),  # noqa: B023 - at once
        )
        rows.append(AdjudicationRow(batch.id, resolution, is_adjudicated(batch)))
    return rows


Rows = Annotated[list[AdjudicationRow], Depends(load_rows)]


def table_cells(rows: Rows) -> Iterator[list[str]]:
    return safe_rows((row.batch, *astuple(row.settled)) for row in rows)


@router.get("/adjudicate")
def choose(request: Request, viewer: Annotator, rows: Rows) -> HTMLResponse:
    return page(request, "adjudicate_batches.html", viewer, rows=rows)


add_twins(router, "/adjudicate", load_rows, table_cells, COLUMNS, "adjudicate")


@router.get("/adjudicate/{name}")
def adjudicate(
    request: Request,
    viewer: Annotator,
    name: Id,
    show: CaseFilter = "disagreements",
    named: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    """Annotators never see who gave which answer; a link with names shows them the page without."""
    site = site_of(request)
    named = named and viewer.may("curator")
    with site.ledger.reading() as connection:
        batch = load_batch(connection, name)
        scheme = site.scheme(batch.scheme)
        queue = load_case_queue(connection, viewer.name, viewer.role, batch, scheme, show, named=named)
        guideline = current_guideline(connection, batch.scheme, site.project.folder)
    shown_scheme = scheme_for_page(scheme, language_of(request))
    data = asdict(queue) | {"batch": batch.id, "scheme": shown_scheme, "named": named, "show": show}
    return page(
        request,
        "adjudicate.html",
        viewer,
        batch=batch,
        scheme=scheme,
        settled=queue.settled,
        show=show,
        named=named,
        titles=TITLES,
        guideline=shown_guideline(guideline),
        data=for_script(data),
    )
