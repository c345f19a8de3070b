"""Triage of document pairs: take the next ones, accept or reject each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from otherwords.annotate.documents.decisions import MAX_REASON
from otherwords.annotate.documents.triage import MAX_TASKS, Decision, TriageTask, decide, next_for_triage
from otherwords.records import Judgement
from otherwords.web.accounts.auth import Annotator
from otherwords.web.api.judgements import check_key
from otherwords.web.fields import Body, Seconds, Text, Words
from otherwords.web.site import site_of

router = APIRouter(tags=["triage"])
Count = Annotated[int, Query(ge=1, le=MAX_TASKS)]


class TriageBody(Body):
    """A decision about a document pair, the reason and how long it took; ``undo`` takes back your last decision."""

    key: str
    decision: Decision
    reason: Annotated[Text, Field(max_length=MAX_REASON)] | None = None
    seconds: Seconds | None = None


@dataclass(frozen=True, slots=True)
class TriageReply:
    """A decision that is on the server's disk."""

    id: str
    document_pair: str
    value: str | None
    reason: str | None
    time: str | None
    supersedes: str | None


@router.post("/triage/take", summary="Hold the next document pairs that wait for a yes or no")
def take(request: Request, viewer: Annotator, count: Count = 5, method: Words | None = None) -> list[TriageTask]:
    return site_of(request).writer.do(lambda connection: next_for_triage(connection, viewer.name, count, method))


@router.post(
    "/triage/{document_pair:path}", summary="Accept or reject a document pair, or take that back", status_code=201
)
def save_decision(request: Request, viewer: Annotator, document_pair: Text, body: TriageBody) -> TriageReply:
    check_key(body.key)
    details = (viewer.name, document_pair, body.decision, body.reason, body.seconds, body.key)
    return reply_of(site_of(request).writer.do(lambda connection: decide(connection, *details)))


def reply_of(saved: Judgement) -> TriageReply:
    """What a page needs to know of a decision about a document pair."""
    return TriageReply(saved.id, saved.pair, saved.value, saved.note, saved.time, saved.supersedes)
