"""The practice round of a batch: its pairs, one's answers, and what is learnt from each."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field
from sqlalchemy import Connection

from otherwords.annotate.batches.batch import Batch, load_batch
from otherwords.annotate.crowd.introduction import consent_needed, needs_consent
from otherwords.annotate.crowd.practice import (
    PracticeFeedback,
    PracticeReply,
    answer_practice,
    practice_pairs,
    practice_state,
)
from otherwords.annotate.work.reservations import require_member
from otherwords.web.accounts.auth import Requester, Worker
from otherwords.web.accounts.roles import refuse_other_batches
from otherwords.web.fields import Body, Id, Words
from otherwords.web.site import site_of

router = APIRouter(tags=["working"])


class PracticeAnswer(Body):
    """An answer to a practice pair; its value is what the scheme defines."""

    pair: Annotated[Words, Field(min_length=1)]
    value: Any


def open_practice(connection: Connection, viewer: Requester, name: str) -> Batch:
    """The batch, if somebody may practise for it."""
    refuse_other_batches(viewer.account, name)
    batch = load_batch(connection, name)
    require_member(batch, viewer.name)
    if needs_consent(connection, name, viewer.name):
        raise consent_needed(name)
    return batch


@router.get("/batches/{name}/practice", summary="Your practice round in a batch")
def read(request: Request, viewer: Worker, name: Id) -> PracticeReply:
    with site_of(request).ledger.reading() as connection:
        batch = open_practice(connection, viewer, name)
        state = practice_state(connection, batch, viewer.name)
        return PracticeReply(state, practice_pairs(connection, batch, viewer.name))


@router.post("/batches/{name}/practice", summary="Answer a practice pair, and learn whether it was right")
def answer(request: Request, viewer: Worker, name: Id, body: PracticeAnswer) -> PracticeFeedback:
    """The same pair answered again in a round changes nothing."""
    site = site_of(request)

    def work(connection: Connection) -> PracticeFeedback:
        batch = open_practice(connection, viewer, name)
        scheme = site.scheme(batch.scheme)
        return answer_practice(connection, batch, viewer.name, body.pair, body.value, scheme)

    return site.writer.do(work)
