"""Crowds, for curators: how workers do and what they say, decisions about them, links to invite more, more pairs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, BaseModel, Field
from sqlalchemy import Connection

from otherwords.analyse.crowd import CrowdState, crowd_state
from otherwords.annotate import deployment
from otherwords.annotate.batches import MOST_ASKED, batch
from otherwords.annotate.crowd_decisions import MOST_REASON, decide
from otherwords.annotate.deployment import Deployed
from otherwords.web.api.people import Days, MadeLink, link_to
from otherwords.web.fields import Body, Id, Key, Words, storable
from otherwords.web.invitations import DAYS, MOST_USES, invite_to_batch
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Curator

router = APIRouter(tags=["crowd"])
Threshold = Annotated[int | None, Query(ge=0, le=MOST_ASKED)]
Decision = Literal["paused", "resumed", "kept", "voided", "unvoided"]


class WantedDecision(Body):
    """What is decided about the work of somebody on a batch, and why."""

    key: Key
    worker: Words
    decision: Decision
    reason: Annotated[str, Field(max_length=MOST_REASON), AfterValidator(storable)] = ""


class Decided(BaseModel):
    """A decision as the audit trail has it; ``judgements`` are those that it was about, ``redone`` those too late."""

    id: str
    batch: str
    worker: str
    decision: str
    judgements: int | None = None
    redone: int | None = None


class WantedLink(Body):
    """How many people may join by a link, and how long."""

    uses: Annotated[int, Field(ge=1, le=MOST_USES)] = 1
    days: Days = DAYS


@router.get("/crowd/{name}", summary="How the workers of a batch do, and what they say")
def state(
    request: Request, viewer: Curator, name: Id, threshold: Threshold = None, experts: Words | None = None
) -> CrowdState:
    return found(site_of(request), name, threshold, experts)


def found(site: Site, name: str, threshold: int | None, experts: str | None) -> CrowdState:
    """How a crowd does, against experts where their batch is named."""
    with site.ledger.reading() as connection:
        of = batch(connection, name)
        against = batch(connection, experts) if experts else None
        return crowd_state(connection, of, site.scheme(of.scheme), threshold, against)


@router.post("/crowd/{name}/decisions", summary="Decide about the work of somebody", status_code=201)
def decided(request: Request, viewer: Curator, name: Id, wanted: WantedDecision) -> Decided:
    """Pause a worker or let them go on; keep what they said, void it, or let what was voided stand again."""

    def work(connection: Connection) -> dict[str, Any]:
        return decide(connection, name, wanted.worker, wanted.decision, viewer.name, wanted.key, wanted.reason)

    told = site_of(request).writer.do(work)
    return Decided(**{part: told[part] for part in Decided.model_fields if part in told})


@router.post("/crowd/{name}/deploy", summary="Add the pairs that follow by now; said again, it adds nothing")
def deploy(request: Request, viewer: Curator, name: Id, threshold: Threshold = None) -> list[Deployed]:
    return deployed(site_of(request), name, viewer.name, threshold)


def deployed(site: Site, name: str, author: str, threshold: int | None = None) -> list[Deployed]:
    """Add what follows by now."""

    def work(connection: Connection) -> list[Deployed]:
        of = batch(connection, name)
        return deployment.deploy(connection, of, site.scheme(of.scheme), author, threshold)

    return site.writer.do(work)


@router.post("/crowd/{name}/invitations", summary="Make a link by which people join as workers", status_code=201)
def invite(request: Request, viewer: Curator, name: Id, wanted: WantedLink | None = None) -> MadeLink:
    """The link is told once. Who joins by it may work on this batch alone."""
    asked = wanted or WantedLink()
    work = (name, viewer.name, asked.uses, asked.days)
    secret = site_of(request).writer.do(lambda connection: invite_to_batch(connection, *work))
    return MadeLink(link=link_to(request, "join", secret))
