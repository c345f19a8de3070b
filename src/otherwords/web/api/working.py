"""Working through a batch: take the next pairs and their tokens, renew a reservation, see your latest answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection

from otherwords.annotate.batches.batch import Batch, load_batch
from otherwords.annotate.work import reservations
from otherwords.annotate.work.open_batches import count_with_others
from otherwords.annotate.work.tasks import Progress, Task, batch_progress, build_tasks, recent_tasks
from otherwords.annotate.work.type_marks import Tokens, tokens_of_pair, tokens_of_slot
from otherwords.web.accounts import auth
from otherwords.web.accounts.auth import Annotator, Requester, Worker
from otherwords.web.accounts.roles import refuse_other_batches
from otherwords.web.accounts.sessions import extend_session
from otherwords.web.fields import Id, Seq
from otherwords.web.site import Site, site_of


@dataclass(frozen=True, slots=True)
class BatchRest:
    """Whether a batch is closed, how far it has come, and how many of its units others hold at the moment.

    Only units count that would come to the viewer if they were given back.
    """

    closed: bool
    progress: Progress
    with_others: int


def batch_rest(connection: Connection, batch: Batch, annotator: str) -> BatchRest:
    """What is left of a batch, as somebody who works on it may know."""
    progress = batch_progress(connection, batch, annotator)
    return BatchRest(batch.state != "open", progress, count_with_others(connection, batch, annotator))


router = APIRouter(tags=["working"])
_ENCODE = msgspec.json.Encoder().encode
Count = Annotated[int, Query(ge=1, le=reservations.MOST_AT_ONCE)]


@router.post("/batches/{name}/take", summary="Reserve the next pairs of a batch")
def take(request: Request, viewer: Worker, name: Id, count: Count = 3) -> list[Task]:
    site = site_of(request)
    return site.writer.do(lambda connection: _take(connection, site, viewer, name, count))


async def take_in_one_transaction(request: Request, name: str, count: str) -> Response:
    """The same for the fast path: who sends the request is looked up in the same transaction."""
    site, credential = site_of(request), auth.credential_of(request)
    auth.refuse_anonymous(credential)

    def work(connection: Connection) -> list[Task]:
        viewer = auth.requester_of(connection, credential)
        auth.admit(viewer, "worker", credential)
        if viewer.due and credential.session:
            extend_session(connection, credential.session)
        return _take(connection, site, viewer, name, int(count))

    return Response(_ENCODE(await site.writer.submit(work)), media_type="application/json")


def _take(connection: Connection, site: Site, viewer: Requester, name: str, count: int) -> list[Task]:
    refuse_other_batches(viewer.account, name)
    batch = load_batch(connection, name)
    reserved = reservations.reserve(connection, batch, viewer.name, count, site.test_handles)
    return build_tasks(connection, batch, reserved, site.test_handles)


@router.get("/batches/{name}/recent", summary="What you answered last in a batch")
def recent_answers(request: Request, viewer: Worker, name: Id, count: Count = 20) -> list[Task]:
    site = site_of(request)
    refuse_other_batches(viewer.account, name)
    with site.ledger.reading() as connection:
        batch = load_batch(connection, name)
        reservations.require_member(batch, viewer.name)
        return recent_tasks(connection, batch, viewer.name, count, site.test_handles)


@router.get("/batches/{name}/progress", summary="How far a batch has come")
def progress(request: Request, viewer: Worker, name: Id) -> Progress:
    refuse_other_batches(viewer.account, name)
    with site_of(request).ledger.reading() as connection:
        batch = load_batch(connection, name)
        reservations.require_member(batch, viewer.name)
        return batch_progress(connection, batch, viewer.name)


@router.get("/batches/{name}/rest", summary="What is left of a batch, when nothing is left for you")
def rest(request: Request, viewer: Worker, name: Id) -> BatchRest:
    refuse_other_batches(viewer.account, name)
    with site_of(request).ledger.reading() as connection:
        batch = load_batch(connection, name)
        reservations.require_member(batch, viewer.name)
        return batch_rest(connection, batch, viewer.name)


@router.post("/slots/{slot}/renew", summary="Reserve again what ran out")
def renew(request: Request, viewer: Worker, slot: Seq) -> reservations.Reservation:
    site = site_of(request)
    return site.writer.do(
        lambda connection: reservations.renew_reservation(connection, slot, viewer.name, site.test_handles)
    )


@router.post("/slots/{slot}/release", summary="Give back a pair that you do not want to answer now", status_code=204)
def release(request: Request, viewer: Worker, slot: Seq) -> None:
    site = site_of(request)
    site.writer.do(
        lambda connection: reservations.release_reservation(connection, slot, viewer.name, site.test_handles)
    )


@router.get("/slots/{slot}/tokens", summary="Where the tokens of a pair lie that you hold")
def slot_tokens(request: Request, viewer: Worker, slot: Seq) -> Tokens:
    """Ranges of code points, end exclusive, with the name of the tokeniser that cut the texts."""
    with site_of(request).ledger.reading() as connection:
        return tokens_of_slot(connection, slot, viewer.name)


@router.get("/pairs/{pair:path}/tokens", summary="Where the tokens of a pair lie")
def pair_tokens(request: Request, viewer: Annotator, pair: Id) -> Tokens:
    """The same for a pair that is looked at, to decide about it."""
    with site_of(request).ledger.reading() as connection:
        return tokens_of_pair(connection, pair)
