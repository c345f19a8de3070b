"""Seeds: take the next groups of posts, pick the sentence that the others of a group are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field

from otherwords.annotate.documents.post_groups import TOP_SENTENCES, PostGroup
from otherwords.annotate.documents.seeds import MAX_GROUPS, next_groups, pick_seed
from otherwords.web.accounts.auth import Annotator
from otherwords.web.api.judgements import check_key
from otherwords.web.fields import Body, Seconds, Text
from otherwords.web.site import site_of

router = APIRouter(tags=["seeds"])
Count = Annotated[int, Query(ge=1, le=MAX_GROUPS)]
Rank = Annotated[int, Field(strict=True, ge=1, le=TOP_SENTENCES)]


class SeedBody(Body):
    """The rank of the seed in its group, or ``skip``; null takes back your last choice."""

    key: str
    group: Text
    choice: Rank | Literal["skip"] | None
    seconds: Seconds | None = None


@dataclass(frozen=True, slots=True)
class Seed:
    """A sentence of a post, by its position."""

    document: str
    start: int
    end: int
    rank: int


@dataclass(frozen=True, slots=True)
class SavedSeed:
    """A choice that is on the server's disk."""

    id: str
    group: str
    value: Seed | Literal["skip"] | None
    time: str | None
    supersedes: str | None


@router.post("/seeds/take", summary="Hold the next groups of posts that have no seed yet")
def take(request: Request, viewer: Annotator, count: Count = 3) -> list[PostGroup]:
    site = site_of(request)
    return site.writer.do(lambda connection: next_groups(connection, site.project, viewer.name, count))


@router.post("/seeds", summary="Pick the seed of a group, skip it, or take that back", status_code=201)
def save_choice(request: Request, viewer: Annotator, body: SeedBody) -> SavedSeed:
    check_key(body.key)
    site = site_of(request)
    details = (viewer.name, body.group, body.choice, body.seconds, body.key)
    saved = site.writer.do(lambda connection: pick_seed(connection, site.project, *details))
    value = Seed(**saved.value) if isinstance(saved.value, dict) else saved.value
    return SavedSeed(saved.id, saved.pair, value, saved.time, saved.supersedes)
