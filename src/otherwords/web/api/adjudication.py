"""Adjudication: disagreements between annotators, and the decisions of the team."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, Field

from otherwords.annotate.adjudication.case_queue import CaseQueue, load_case_queue
from otherwords.annotate.adjudication.decide import AdjudicationInput, decide
from otherwords.annotate.adjudication.disagreements import CaseFilter, TeamDecision
from otherwords.annotate.batches.batch import load_batch
from otherwords.web.accounts.auth import Annotator
from otherwords.web.fields import Body, Id, Key, Text, Words, storable
from otherwords.web.site import site_of

router = APIRouter(tags=["adjudication"])
MOST_OPINIONS = 100
MOST_LEVELS = 8  # phenomena are lists of tables of lists of ranges


def storable_value(value: Any, depth: int = 0) -> Any:
    """An answer of any shape, if a database can store all of it."""
    if depth > MOST_LEVELS:
        raise ValueError("the answer is nested too deeply")
    if isinstance(value, str):
        storable(value)
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    for part in parts:
        storable_value(part, depth + 1)
    return value


JudgementId = Annotated[str, Field(max_length=1000), AfterValidator(storable)]
Value = Annotated[Any, AfterValidator(storable_value)]


class DecisionBody(Body):
    """A decision about a pair of a batch; without a value it takes the decision back."""

    key: Key
    batch: Words
    value: Value = None
    made_from: Annotated[list[JudgementId], Field(max_length=MOST_OPINIONS)]
    adopted: JudgementId | None = None
    note: Text | None = None
    seconds: Annotated[float, Field(ge=0, lt=1e6)] | None = None
    supersedes: JudgementId | None = None


@router.get("/batches/{name}/disagreements", summary="What people disagree about in a batch, the worst first")
def disagreements(
    request: Request,
    viewer: Annotator,
    name: Id,
    show: CaseFilter = "disagreements",
    named: Annotated[bool, Query()] = False,
) -> CaseQueue:
    """Without names, unless a curator asks for them. Pairs that you have still to judge yourself are left out."""
    site = site_of(request)
    with site.ledger.reading() as connection:
        batch = load_batch(connection, name)
        scheme = site.scheme(batch.scheme)
        return load_case_queue(connection, viewer.name, viewer.role, batch, scheme, show, named=named)


@router.post("/pairs/{pair:path}/consensus", summary="Decide about a pair, or take a decision back", status_code=201)
def consensus(request: Request, viewer: Annotator, pair: Id, body: DecisionBody) -> TeamDecision:
    """It names the judgements that it is made from, and the decision that it replaces; the same one is saved once."""
    site = site_of(request)
    with site.ledger.reading() as connection:
        scheme = site.scheme(load_batch(connection, body.batch).scheme)
    value = AdjudicationInput(pair=pair, **body.model_dump())
    saved = site.writer.do(lambda connection: decide(connection, viewer.name, viewer.role, value, scheme))
    return TeamDecision(saved.id, saved.annotator, saved.value, saved.note, saved.time, value.adopted)
