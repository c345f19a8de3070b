"""The page on which pairs are classified, one at a time."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import HTMLResponse

from otherwords.annotate import taking
from otherwords.annotate.batches import Batch, batch
from otherwords.annotate.guidelines import as_html, current, reference
from otherwords.annotate.marking import may_pre_annotate
from otherwords.annotate.working import progress, recent, tasks
from otherwords.web.admission import refuse_other_batches
from otherwords.web.fields import Id
from otherwords.web.rendering import for_script, page
from otherwords.web.site import site_of
from otherwords.web.viewer import Worker

router = APIRouter()
AHEAD = 3  # pairs that the page has before they are needed
BACK = 20


@router.get("/classify/{name}")
def classify(request: Request, viewer: Worker, name: Id) -> HTMLResponse:
    site = site_of(request)

    def work(connection: Connection) -> tuple[Batch, dict[str, object]]:
        of, taken, stopped = batch(connection, name), list[taking.Taken](), None
        try:
            taken = taking.take(connection, of, viewer.name, AHEAD, site.concealing)
        except taking.Paused as reason:
            stopped = str(reason)
        return of, {
            "tasks": [asdict(one) for one in tasks(connection, of, taken, site.concealing)],
            "recent": [asdict(one) for one in recent(connection, of, viewer.name, BACK, site.concealing)],
            "progress": asdict(progress(connection, of, viewer.name)),
            "stopped": stopped,
        }

    refuse_other_batches(viewer.account, name)

    of, told = site.writer.do(work)
    scheme = site.scheme(of.scheme)
    with site.ledger.reading() as connection:
        guideline = current(connection, of.scheme, site.project.folder)
    told |= {"batch": of.id, "scheme": scheme.as_page(), "guideline": reference(guideline), "undo": of.rules.undo}
    told |= {"watched": of.rules.tests is not None or of.rules.gate is not None}
    told |= {"pre_annotate": may_pre_annotate(of.purpose)}
    return page(
        request,
        "classify.html",
        viewer,
        batch=of,
        scheme=scheme,
        guideline=as_html(guideline.text),
        edition=reference(guideline),
        told=for_script(told | {"context": of.rules.context}),
    )
