"""Adjudication: what people disagree about, and what the team decides."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, Field

from otherwords.annotate.adjudicating import Decided, decide
from otherwords.annotate.batches import batch
from otherwords.annotate.disagreements import Decision, Show
from otherwords.annotate.hearing import Hearing, hearing
from otherwords.web.fields import Body, Id, Key, Text, Words, storable
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator

router = APIRouter(tags=["adjudication"])
MOST_OPINIONS = 100
MOST_DEEP = 8  # phenomena are lists of tables of lists of ranges


def storable_value(value: Any, depth: int = 0) -> Any:
    """An answer of any shape, if a database can keep all of it."""
    if depth > MOST_DEEP:
        raise ValueError("an answer is not as deep as that")
    if isinstance(value, str):
        storable(value)
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    for part in parts:
        storable_value(part, depth + 1)
    return value


Name = Annotated[str, Field(max_length=1000), AfterValidator(storable)]
Value = Annotated[Any, AfterValidator(storable_value)]


class Deciding(Body):
    """What the team decides about a pair of a batch; no value takes the decision back."""

    key: Key
    batch: Words
    value: Value = None
    made_from: Annotated[list[Name], Field(max_length=MOST_OPINIONS)]
    adopted: Name | None = None
    note: Text | None = None
    seconds: Annotated[float, Field(ge=0, lt=1e6)] | None = None
    supersedes: Name | None = None


@router.get("/batches/{name}/disagreements", summary="What people disagree about in a batch, the worst first")
def disagreements(
    request: Request,
    viewer: Annotator,
    name: Id,
    show: Show = "disagreements",
    named: Annotated[bool, Query()] = False,
) -> Hearing:
    """Without names, unless a curator asks for them. Pairs that you have still to judge yourself are left out."""
    site = site_of(request)
    with site.ledger.reading() as connection:
        of = batch(connection, name)
        return hearing(connection, viewer.name, viewer.role, of, site.scheme(of.scheme), show, named=named)


@router.post("/pairs/{pair:path}/consensus", summary="Decide about a pair, or take a decision back", status_code=201)
def consensus(request: Request, viewer: Annotator, pair: Id, deciding: Deciding) -> Decision:
    """It names the judgements that it is made from, and the decision that it replaces; the same one is saved once."""
    site = site_of(request)
    with site.ledger.reading() as connection:
        scheme = site.scheme(batch(connection, deciding.batch).scheme)
    told = Decided(pair=pair, **deciding.model_dump())
    made = site.writer.do(lambda connection: decide(connection, viewer.name, viewer.role, told, scheme))
    return Decision(made.id, made.annotator, made.value, made.note, made.time, told.adopted)
