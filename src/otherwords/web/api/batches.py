"""Batches: how far they are, making one from a filter or a sample, closing it, and the blind check of rewrites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Request
from pydantic import Field
from sqlalchemy import Connection

from otherwords.analyse.progress import BatchState, batch_states
from otherwords.annotate import batches
from otherwords.annotate.batches import MOST_ASKED, Batch, Rules, Wanted, batch
from otherwords.annotate.check_results import CheckResult, check_result
from otherwords.annotate.checking import SIZE, choose_check, plan_check
from otherwords.annotate.choosing import Order
from otherwords.annotate.crowd_wishes import crowded
from otherwords.annotate.hidden_tests import FEWEST_EVERY, MOST_EVERY
from otherwords.annotate.making import Plan, change_state, choose, made_before, made_from, put_together
from otherwords.annotate.pair_filter import parse
from otherwords.project import search
from otherwords.web.fields import LARGEST, Body, Id, Key, Text, Words
from otherwords.web.site import Site, site_of
from otherwords.web.viewer import Curator

router = APIRouter(tags=["batches"])
Purpose = Literal["production", "training", "agreement", "check", "qa"]
Some = Annotated[int, Field(ge=1, le=LARGEST)]
Seed = Annotated[int, Field(ge=0, le=LARGEST)]
Names = Annotated[list[Words], Field(default_factory=list, max_length=1000)]
MOST_FILTERS = 20


class NewBatch(Body):
    """A batch to be made: which pairs, as the filters of the browse page say it, how often, by whom, by which rules."""

    key: Key
    name: Words
    filter: Annotated[dict[Words, Text], Field(default_factory=dict, max_length=MOST_FILTERS)]
    sample: Some | None = None
    seed: Seed = 0
    order: Order = "arrival"
    not_in: Names
    scheme: Words | None = None
    times: Annotated[int, Field(ge=1, le=MOST_ASKED)] = 1
    purpose: Purpose = "production"
    people: Names
    assigned: bool = False
    context: bool = True
    own: bool = True
    again: bool = True
    undo: bool = True
    tests: Words | None = None  # all that have a gold label, or source=NAME
    every: Annotated[int, Field(ge=FEWEST_EVERY, le=MOST_EVERY)] = 5
    gate: Words | None = None  # usual, or some of it otherwise: accuracy=0.8,kappa=0.3
    grows: bool = False
    second_sees: Names
    keep: Annotated[dict[Words, list[Words]], Field(default_factory=dict, max_length=MOST_FILTERS)]
    agree_on: Names


class NewCheck(Body):
    """A blind check of rewrites to be made, of so many pairs."""

    key: Key
    name: Words
    size: Annotated[int, Field(ge=2, le=LARGEST)] = SIZE
    seed: Seed = 0
    people: Names


class Change(Body):
    """Open or closed."""

    key: Key
    state: Literal["open", "closed"]


@dataclass(frozen=True, slots=True)
class Gate:
    """How well one has to do to go on."""

    accuracy: float
    kappa: float
    window: int
    fewest_tests: int
    fewest_shared: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Which pairs are kept: those of which everybody says one of these, and agrees on these questions."""

    all_say: dict[str, list[str]]
    agree_on: list[str]


@dataclass(frozen=True, slots=True)
class Ruled:
    """What holds in a batch."""

    people: list[str]
    assigned: bool
    context: bool
    own: bool
    again: bool
    undo: bool
    hold_seconds: float
    second_sees: list[str]
    keep: Keep | None
    tests: list[str]
    every: int | None  # one pair in so many is a test
    gate: Gate | None
    grows: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """Which pairs were taken: those that fitted a filter, or a sample of them."""

    filter: dict[str, str]
    sample: int | None
    seed: int
    order: str
    not_in: list[str]


@dataclass(frozen=True, slots=True)
class Whole:
    """A batch: its rules and how far it is."""

    state: BatchState
    rules: Ruled
    author: str | None
    origin: Origin | None


@router.get("/batches", summary="Every batch and how far it is, the first made first")
def listed(request: Request, viewer: Curator) -> list[BatchState]:
    with site_of(request).ledger.reading() as connection:
        return batch_states(connection)


@router.post("/batches", summary="Make a batch from a filter or a sample", status_code=201)
def new(request: Request, viewer: Curator, asked: NewBatch) -> Whole:
    """The same batch sent again under the same key is made once."""
    keep = batches.Keep(all_say=asked.keep, agree_on=asked.agree_on) if asked.keep or asked.agree_on else None
    named = ("people", "assigned", "context", "own", "again", "undo", "second_sees")
    same = {name: getattr(asked, name) for name in named}
    site = site_of(request)
    with site.ledger.reading() as connection:
        wishes = (asked.tests, asked.every, asked.gate)
        rules = crowded(connection, Rules(**same, keep=keep), *wishes, grows=asked.grows)
    plan = Plan(
        name=asked.name,
        wanted=parse(asked.filter),
        sample=asked.sample,
        seed=asked.seed,
        order=asked.order,
        not_in=tuple(asked.not_in),
        scheme=asked.scheme,
        asked=asked.times,
        purpose=asked.purpose,
        rules=rules,
    )
    make_planned(site, plan, viewer.name, asked.key)
    return whole(site, asked.name)


@router.post("/batches/check-rewrites", summary="Make a blind check of rewrites", status_code=201)
def check_rewrites(request: Request, viewer: Curator, asked: NewCheck) -> Whole:
    """Half rewrites and half other pairs, shuffled, without documents, judged twice by people who never saw them."""
    site = site_of(request)
    make_check(site, asked.name, asked.size, asked.seed, asked.people, viewer.name, asked.key)
    return whole(site, asked.name)


@router.get("/batches/{name}", summary="A batch: its rules and how far it is")
def one(request: Request, viewer: Curator, name: Id) -> Whole:
    return whole(site_of(request), name)


@router.patch("/batches/{name}", summary="Close a batch, or open it again")
def change(request: Request, viewer: Curator, name: Id, asked: Change) -> Whole:
    site = site_of(request)
    site.writer.do(lambda connection: change_state(connection, name, asked.state, viewer.name))
    return whole(site, name)


@router.get("/batches/{name}/check", summary="What a blind check of rewrites has found so far")
def check(request: Request, viewer: Curator, name: Id) -> CheckResult:
    site = site_of(request)
    with site.ledger.reading() as connection:
        return check_result(connection, site.project, name)


def whole(site: Site, name: str) -> Whole:
    """A batch with all that curators may know of it."""
    with site.ledger.reading() as connection:
        found = batch(connection, name)
        state = next(state for state in batch_states(connection) if state.id == name)
        made = made_from(connection, name)
    origin = Origin(**{field: made[field] for field in Origin.__slots__}) if made else None
    return Whole(state, _ruled(found.rules), found.author, origin)


def _ruled(rules: Rules) -> Ruled:
    apart = ("keep", "tests", "every", "gate", "grows")
    told = {name: getattr(rules, name) for name in Ruled.__slots__ if name not in apart}
    keep = Keep(rules.keep.all_say, rules.keep.agree_on) if rules.keep else None
    tests, every = (rules.tests.pairs, rules.tests.every) if rules.tests else (list[str](), None)
    gate = Gate(**msgspec.structs.asdict(rules.gate)) if rules.gate else None
    return Ruled(**told, keep=keep, tests=tests, every=every, gate=gate, grows=bool(rules.deployment))


def make_planned(site: Site, plan: Plan, author: str, key: str | None) -> Batch:
    """Make a batch from a filter."""
    if plan.wanted.query is not None:
        search.catch_up(site.project)
    return _made(site, plan, lambda connection: choose(connection, site.project, plan), author, key)


def make_check(site: Site, name: str, size: int, seed: int, people: list[str], author: str, key: str | None) -> Batch:
    """Make a blind check."""
    plan = plan_check(name, seed, people, size)
    return _made(site, plan, lambda connection: choose_check(connection, size, seed, people), author, key)


def _made(site: Site, plan: Plan, chosen: Callable[[Connection], list[Wanted]], author: str, key: str | None) -> Batch:
    """Choosing takes long and only reads, so it does not keep others from saving."""
    with site.ledger.reading() as connection:
        wanted = [] if made_before(connection, plan, author, key) else chosen(connection)
    return site.writer.do(lambda connection: put_together(connection, site.project, plan, wanted, author, key))
