"""Working through a batch: take the next pairs, reserve one again, see what one said last."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection

from otherwords.annotate import taking
from otherwords.annotate.batches import batch
from otherwords.annotate.working import Progress, Task, progress, recent, tasks
from otherwords.web.admission import refuse_other_batches
from otherwords.web.fields import Id, Seq
from otherwords.web.sessions import extend_session
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Viewer, Worker, admitted, credential_of, refuse_bare, viewer_of

router = APIRouter(tags=["working"])
_ENCODE = msgspec.json.Encoder().encode
Count = Annotated[int, Query(ge=1, le=taking.MOST_AT_ONCE)]


@router.post("/batches/{name}/take", summary="Reserve the next pairs of a batch")
def take(request: Request, viewer: Worker, name: Id, count: Count = 3) -> list[Task]:
    site = site_of(request)
    return site.writer.do(lambda connection: _taken(connection, site, viewer, name, count))


async def take_at_once(request: Request, name: str, count: str) -> Response:
    """The same, with the look at who asks in the one transaction."""
    site, credential = site_of(request), credential_of(request)
    refuse_bare(credential)

    def work(connection: Connection) -> list[Task]:
        viewer = admitted(viewer_of(connection, credential), "worker", credential)
        if viewer.due and credential.session:
            extend_session(connection, credential.session)
        return _taken(connection, site, viewer, name, int(count))

    return Response(_ENCODE(await site.writer.errand(work)), media_type="application/json")


def _taken(connection: Connection, site: Site, viewer: Viewer, name: str, count: int) -> list[Task]:
    refuse_other_batches(viewer.account, name)
    of = batch(connection, name)
    taken = taking.take(connection, of, viewer.name, count, site.concealing)
    return tasks(connection, of, taken, site.concealing)


@router.get("/batches/{name}/recent", summary="What you answered last in a batch")
def answered(request: Request, viewer: Worker, name: Id, count: Count = 20) -> list[Task]:
    site = site_of(request)
    refuse_other_batches(viewer.account, name)
    with site.ledger.reading() as connection:
        of = batch(connection, name)
        taking.admit(of, viewer.name)
        return recent(connection, of, viewer.name, count, site.concealing)


@router.get("/batches/{name}/progress", summary="How far a batch has come")
def how_far(request: Request, viewer: Worker, name: Id) -> Progress:
    refuse_other_batches(viewer.account, name)
    with site_of(request).ledger.reading() as connection:
        of = batch(connection, name)
        taking.admit(of, viewer.name)
        return progress(connection, of, viewer.name)


@router.post("/slots/{slot}/renew", summary="Reserve again what ran out")
def renew(request: Request, viewer: Worker, slot: Seq) -> taking.Taken:
    site = site_of(request)
    return site.writer.do(lambda connection: taking.renew(connection, slot, viewer.name, site.concealing))


@router.post("/slots/{slot}/release", summary="Give back a pair that you do not want to answer now", status_code=204)
def release(request: Request, viewer: Worker, slot: Seq) -> None:
    site = site_of(request)
    site.writer.do(lambda connection: taking.release(connection, slot, viewer.name, site.concealing))
