"""The page on which pairs are classified, one at a time."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from otherwords.annotate.batches.batch import Batch, load_batch
from otherwords.annotate.crowd.introduction import ConsentNeeded, newest_introduction
from otherwords.annotate.crowd.practice import PracticeNeeded
from otherwords.annotate.schemes.guidelines import current_guideline, reference, shown_guideline
from otherwords.annotate.work import reservations
from otherwords.annotate.work.tasks import batch_progress, build_tasks, recent_tasks
from otherwords.annotate.work.type_marks import may_pre_annotate
from otherwords.web.accounts.auth import ReservingWorker
from otherwords.web.accounts.roles import refuse_other_batches
from otherwords.web.fields import Id
from otherwords.web.filters import page_address
from otherwords.web.rendering import for_script, language_of, page
from otherwords.web.site import site_of
from otherwords.web.texts import refusal, scheme_for_page, speaking

router = APIRouter()
AHEAD = 3  # pairs that the page loads before they are needed
BACK = 20
ONE_KEY, SURE = "o", "="  # keys of this page, unless the scheme uses them itself


@router.get("/classify/{name}")
def classify(request: Request, viewer: ReservingWorker, name: Id) -> Response:
    site = site_of(request)

    def work(connection: Connection) -> tuple[Batch, dict[str, object]]:
        batch, reserved, stopped = load_batch(connection, name), list[reservations.Reservation](), None
        try:
            reserved = reservations.reserve(connection, batch, viewer.name, AHEAD, site.test_handles)
        except reservations.WorkerPaused as reason:
            stopped = reason
        answered = recent_tasks(connection, batch, viewer.name, BACK, site.test_handles)
        return batch, {
            "tasks": [asdict(task) for task in build_tasks(connection, batch, reserved, site.test_handles)],
            "recent": [asdict(task) for task in answered],
            "progress": asdict(batch_progress(connection, batch, viewer.name)),
            "stopped": stopped,
        }

    refuse_other_batches(viewer.account, name)
    try:
        batch, data = site.writer.do(work)
    except ConsentNeeded:
        return RedirectResponse(page_address("introduction", name), 303)
    except PracticeNeeded:
        return RedirectResponse(page_address("practice", name), 303)
    scheme, language = site.scheme(batch.scheme), language_of(request)
    with speaking(language):
        data["stopped"] = refusal(data["stopped"]) if data["stopped"] else None
    with site.ledger.reading() as connection:
        guideline = current_guideline(connection, batch.scheme, site.project.folder)
        introduction = newest_introduction(connection, name)
    code_after = introduction.code_after if introduction is not None else None
    data |= {
        "batch": batch.id,
        "scheme": scheme_for_page(scheme, language),
        "guideline": reference(guideline),
        "undo": batch.rules.undo,
        "watched": batch.rules.tests is not None or batch.rules.gate is not None,
        "pre_annotate": may_pre_annotate(batch.purpose),
        "context": batch.rules.context,
        "code_after": code_after,
    }
    data["one_key"] = viewer.account.settings.get("one_key", False)
    taken = {key for question in scheme.questions for key in question.keys}
    return page(
        request,
        "classify.html",
        viewer,
        one_key_key=None if ONE_KEY in taken else ONE_KEY,
        sure_key=None if SURE in taken else SURE,
        marks_types=any(question.kind == "types" for question in scheme.questions),
        batch=batch,
        scheme=scheme,
        guideline=shown_guideline(guideline),
        code_after=code_after,
        data=for_script(data),
    )
