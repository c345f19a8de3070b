"""Working through a batch: take the next pairs and their tokens, renew a reservation, see your latest answers."""

from __future__ import annotations

from collections.abc import Mapping
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
from otherwords.errors import Refused
from otherwords.web.accounts import auth
from otherwords.web.accounts.auth import Annotator, Credential, Requester, Worker
from otherwords.web.accounts.roles import refuse_other_batches
from otherwords.web.accounts.sessions import extend_session
from otherwords.web.fields import Id, Seq
from otherwords.web.site import Site, site_of
from otherwords.web.writer import savepoint


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


@dataclass(frozen=True, slots=True)
class TakeRequest:
    """A request for the next pairs of a batch, and the credential it came with."""

    site: Site
    credential: Credential
    batch: str
    count: int


async def take_with_others(request: Request, name: str, count: str) -> Response:
    """The same for the fast path: all requests that wait are looked up together, with who sends them."""
    site, credential = site_of(request), auth.credential_of(request)
    auth.refuse_anonymous(credential)
    wanted = TakeRequest(site, credential, name, int(count))
    return Response(_ENCODE(await site.writer.submit_joint(take_all, wanted)), media_type="application/json")


def take_all(connection: Connection, requests: list[TakeRequest]) -> list[list[Task] | Refused]:
    """The next pairs for each of several requests, or why it is refused."""
    viewers = auth.requesters_of(connection, [wanted.credential for wanted in requests])
    results: dict[int, list[Task] | Refused] = {}
    admitted: dict[str, dict[int, str]] = {}  # by batch: who sent which request
    for number, (wanted, viewer) in enumerate(zip(requests, viewers, strict=True)):
        try:
            admitted.setdefault(wanted.batch, {})[number] = _admit(connection, wanted, viewer)
        except Refused as problem:
            results[number] = problem
    for batch, senders in admitted.items():
        results |= _take_together(
            connection, batch, {number: (name, requests[number]) for number, name in senders.items()}
        )
    return [results[number] for number in range(len(requests))]


def _admit(connection: Connection, wanted: TakeRequest, viewer: Requester | Refused) -> str:
    """The name of who sends a request, if they may."""
    if isinstance(viewer, Refused):
        raise viewer
    auth.admit(viewer, "worker", wanted.credential)
    if viewer.due and wanted.credential.session:
        extend_session(connection, wanted.credential.session)
    refuse_other_batches(viewer.account, wanted.batch)
    return viewer.name


def _take_together(
    connection: Connection, name: str, wanted: Mapping[int, tuple[str, TakeRequest]]
) -> dict[int, list[Task] | Refused]:
    """The next pairs of one batch, for several requests by their numbers."""
    try:
        batch = load_batch(connection, name)
    except Refused as problem:
        return dict.fromkeys(wanted, problem)
    handles = next(iter(wanted.values()))[1].site.test_handles
    if batch.rules.tests is not None:
        return {number: _take_alone(connection, batch, *sent) for number, sent in wanted.items()}
    most: dict[str, int] = {}
    for annotator, request in wanted.values():  # who asks twice gets the same twice
        most[annotator] = max(most.get(annotator, 0), request.count)
    reserved = reservations.reserve_all(connection, batch, most, handles)
    everything = [held for mine in reserved.values() if not isinstance(mine, Refused) for held in mine]
    tasks = {task.slot: task for task in build_tasks(connection, batch, everything, handles)}
    results: dict[int, list[Task] | Refused] = {}
    for number, (annotator, request) in wanted.items():
        mine = reserved[annotator]
        if isinstance(mine, Refused):
            results[number] = mine
        else:
            results[number] = [tasks[held.slot] for held in mine[: request.count] if held.slot in tasks]
    return results


def _take_alone(connection: Connection, batch: Batch, annotator: str, request: TakeRequest) -> list[Task] | Refused:
    """The next tasks of a batch with tests, which has to be drawn for each request."""
    handles = request.site.test_handles
    try:
        with savepoint(connection):
            reserved = reservations.reserve(connection, batch, annotator, request.count, handles)
            return build_tasks(connection, batch, reserved, handles)
    except Refused as problem:
        return problem


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
