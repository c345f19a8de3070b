"""Crowds, for curators: the quality of workers and their votes, decisions about them, invitations, more pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, BaseModel, Field
from sqlalchemy import Connection

from otherwords.analyse.dashboard.crowd import CrowdState, crowd_state
from otherwords.annotate.batches.batch import MOST_PER_ITEM, load_batch
from otherwords.annotate.crowd import deployment
from otherwords.annotate.crowd.curator_decisions import MOST_REASON, decide_on_worker
from otherwords.annotate.crowd.deployment import DeployedGroup
from otherwords.annotate.crowd.platforms import MOST_BACK, choose_platform, platform_link
from otherwords.annotate.visibility import hidden_items
from otherwords.web.accounts.auth import Curator
from otherwords.web.accounts.invitations import DAYS, MOST_USES, invite_to_batch
from otherwords.web.api.people import Days, LinkReply, link_to
from otherwords.web.fields import Body, Id, Key, Words, storable
from otherwords.web.site import site_of

router = APIRouter(tags=["crowd"])
Threshold = Annotated[int | None, Query(ge=0, le=MOST_PER_ITEM)]
Decision = Literal["paused", "resumed", "kept", "voided", "unvoided"]


class CrowdDecisionBody(Body):
    """A decision about the work of somebody on a batch, and the reason."""

    key: Key
    worker: Words
    decision: Decision
    reason: Annotated[str, Field(max_length=MOST_REASON), AfterValidator(storable)] = ""


class CrowdDecisionReply(BaseModel):
    """A decision as recorded; ``judgements`` counts those it affects, ``redone`` those judged again since."""

    id: str
    batch: str
    worker: str
    decision: str
    judgements: int | None = None
    redone: int | None = None


class CrowdLinkBody(Body):
    """How many people may join by a link, and how long."""

    uses: Annotated[int, Field(ge=1, le=MOST_USES)] = 1
    days: Days = DAYS
    platform: Words | None = None  # prolific, mturk, or another name with its parameter
    parameter: Words | None = None  # of the link, that has the id of a worker
    back: Annotated[str, Field(max_length=MOST_BACK), AfterValidator(storable)] | None = None


@router.get("/crowd/{name}", summary="How the workers of a batch do, and what they say")
def state(
    request: Request, viewer: Curator, name: Id, threshold: Threshold = None, experts: Words | None = None
) -> CrowdState:
    site = site_of(request)
    with site.ledger.reading() as connection:
        batch = load_batch(connection, name)
        expert_batch = load_batch(connection, experts) if experts else None
        shown = crowd_state(connection, batch, site.scheme(batch.scheme), threshold, expert_batch)
        # Of pairs that a curator has still to judge, the votes of others are not shown.
        unseen = hidden_items(connection, viewer.name, viewer.role, [label.pair for label in shown.differ])
        return replace(shown, differ=[label for label in shown.differ if label.pair not in unseen])


@router.post("/crowd/{name}/decisions", summary="Decide about the work of somebody", status_code=201)
def make_decision(request: Request, viewer: Curator, name: Id, body: CrowdDecisionBody) -> CrowdDecisionReply:
    """Pause a worker or let them continue; keep their judgements, void them, or restore voided ones."""
    details = (body.worker, body.decision, viewer.name, body.key, body.reason)
    decision = site_of(request).writer.do(lambda connection: decide_on_worker(connection, name, *details))
    fields = {name: decision[name] for name in CrowdDecisionReply.model_fields if name in decision}
    return CrowdDecisionReply(**fields)


@router.post("/crowd/{name}/deploy", summary="Add the pairs that follow by now; said again, it adds nothing")
def deploy(request: Request, viewer: Curator, name: Id, threshold: Threshold = None) -> list[DeployedGroup]:
    site = site_of(request)

    def work(connection: Connection) -> list[DeployedGroup]:
        batch = load_batch(connection, name)
        return deployment.deploy_pairs(connection, batch, site.scheme(batch.scheme), viewer.name, threshold)

    return site.writer.do(work)


@router.post("/crowd/{name}/invitations", summary="Make a link by which people join as workers", status_code=201)
def invite(request: Request, viewer: Curator, name: Id, body: CrowdLinkBody | None = None) -> LinkReply:
    """The link is sent once. People who join by it may work on this batch only."""
    options = body or CrowdLinkBody()
    platform = choose_platform(options.platform, options.parameter, options.back) if options.platform else None
    secret = site_of(request).writer.do(
        lambda connection: invite_to_batch(connection, name, viewer.name, options.uses, options.days, platform)
    )
    return LinkReply(link=platform_link(link_to(request, "join", secret), platform))
