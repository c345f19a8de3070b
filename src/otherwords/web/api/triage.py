"""Triage of document pairs: take the next ones, say yes or no to each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from otherwords.annotate.decisions import MOST_NOTE
from otherwords.annotate.triaging import MOST_AT_ONCE, Decision, Undecided, decide, next_for_triage
from otherwords.records import Judgement
from otherwords.web.api.judgements import check_key
from otherwords.web.fields import Body, Text, Words
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator

router = APIRouter(tags=["triage"])
Count = Annotated[int, Query(ge=1, le=MOST_AT_ONCE)]
Seconds = Annotated[float, Field(ge=0, lt=1e6, allow_inf_nan=False)]


class Said(Body):
    """Yes or no to a document pair, why, and how long it took; ``undo`` takes back what you said last."""

    key: str
    decision: Decision
    reason: Annotated[Text, Field(max_length=MOST_NOTE)] | None = None
    seconds: Seconds | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision that is safe now."""

    id: str
    document_pair: str
    value: str | None
    reason: str | None
    time: str | None
    supersedes: str | None


@router.post("/triage/take", summary="Hold the next document pairs that wait for a yes or no")
def take(request: Request, viewer: Annotator, count: Count = 5, method: Words | None = None) -> list[Undecided]:
    return site_of(request).writer.do(lambda connection: next_for_triage(connection, viewer.name, count, method))


@router.post(
    "/triage/{document_pair:path}", summary="Accept or reject a document pair, or take that back", status_code=201
)
def say(request: Request, viewer: Annotator, document_pair: Text, said: Said) -> Decided:
    check_key(said.key)
    told = (said.decision, said.reason, said.seconds, said.key)
    made = site_of(request).writer.do(lambda connection: decide(connection, viewer.name, document_pair, *told))
    return decided(made)


def decided(made: Judgement) -> Decided:
    """What a page needs to know of a decision about a document pair."""
    return Decided(made.id, made.pair, made.value, made.note, made.time, made.supersedes)
