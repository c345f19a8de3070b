"""Seeds: take the next groups of posts, say which sentence of each the others are to be compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field

from otherwords.annotate.post_groups import TOP, Group
from otherwords.annotate.seeds import MOST_AT_ONCE, next_groups, pick
from otherwords.web.api.judgements import check_key
from otherwords.web.api.triage import Seconds
from otherwords.web.fields import Body, Text
from otherwords.web.site import site_of
from otherwords.web.viewer import Annotator

router = APIRouter(tags=["seeds"])
Count = Annotated[int, Query(ge=1, le=MOST_AT_ONCE)]
Rank = Annotated[int, Field(strict=True, ge=1, le=TOP)]


class Picked(Body):
    """The rank of the seed in its group, or that the group is skipped; null takes back what you said last."""

    key: str
    group: Text
    choice: Rank | Literal["skip"] | None
    seconds: Seconds | None = None


@dataclass(frozen=True, slots=True)
class Seed:
    """A sentence of a post, by its place."""

    document: str
    start: int
    end: int
    rank: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice that is safe now."""

    id: str
    group: str
    value: Seed | Literal["skip"] | None
    time: str | None
    supersedes: str | None


@router.post("/seeds/take", summary="Hold the next groups of posts that have no seed yet")
def take(request: Request, viewer: Annotator, count: Count = 3) -> list[Group]:
    site = site_of(request)
    return site.writer.do(lambda connection: next_groups(connection, site.project, viewer.name, count))


@router.post("/seeds", summary="Pick the seed of a group, skip it, or take that back", status_code=201)
def say(request: Request, viewer: Annotator, picked: Picked) -> Chosen:
    check_key(picked.key)
    site, told = site_of(request), (picked.group, picked.choice, picked.seconds, picked.key)
    made = site.writer.do(lambda connection: pick(connection, site.project, viewer.name, *told))
    value = Seed(**made.value) if isinstance(made.value, dict) else made.value
    return Chosen(made.id, made.pair, value, made.time, made.supersedes)
