"""Batches: their progress, making them from a filter or a sample, closing them, and blind checks of rewrites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Request
from pydantic import Field
from sqlalchemy import Connection

from otherwords.analyse.dashboard.progress import BatchState, batch_states
from otherwords.annotate.batch_plans.create import (
    BatchPlan,
    change_batch_state,
    create_batch,
    creation_record,
    find_created,
)
from otherwords.annotate.batch_plans.request import BatchPurpose, BatchRequest, decode_request, refuse_paths
from otherwords.annotate.batch_plans.rewrite_check import (
    CHECK_SIZE,
    CheckResult,
    check_result,
    choose_check,
    plan_check,
)
from otherwords.annotate.batch_plans.selection import Order
from otherwords.annotate.batch_plans.worth import RANDOM_SHARE
from otherwords.annotate.batches.batch import (
    FEWEST_EVERY,
    MOST_EVERY,
    MOST_PER_ITEM,
    Batch,
    BatchItem,
    load_batch,
)
from otherwords.annotate.crowd.gate import gate_gaps
from otherwords.learn.judging.worth import ranking
from otherwords.web.accounts.auth import Curator
from otherwords.web.fields import LARGEST, Body, Id, Key, Text, Words
from otherwords.web.pair_index import require_index
from otherwords.web.site import Site, site_of

router = APIRouter(tags=["batches"])
Count = Annotated[int, Field(ge=1, le=LARGEST)]
Seed = Annotated[int, Field(ge=0, le=LARGEST)]
Names = Annotated[list[Words], Field(default_factory=list, max_length=1000)]
MOST_FILTERS = 20
MOST_PAIRS = 10_000  # that a batch can name
SAME_RULES = ("people", "assigned", "context", "own", "again", "undo", "second_sees", "hold_seconds")


class NewBatch(Body):
    """A batch to be made: which pairs (by the filters of the browse page), how often, by whom, by which rules."""

    key: Key
    name: Words
    filter: Annotated[dict[Words, Text], Field(default_factory=dict, max_length=MOST_FILTERS)]
    pairs: Annotated[list[Words], Field(default_factory=list, max_length=MOST_PAIRS)]  # only these, by their ids
    sample: Count | None = None
    seed: Seed = 0
    order: Order = "arrival"
    random_share: Annotated[float, Field(ge=0, le=1)] = RANDOM_SHARE  # where the order goes by worth
    models: Names  # folders of the server: refused, since whoever asks is elsewhere
    also_decided: bool = False  # a sample may have pairs that are decided or judged by two people
    not_in: Names
    check_label: Text = ""  # a quality round: all pairs of a label …
    check_flag: Text = ""  # … or of a flag
    scheme: Words | None = None
    times: Annotated[int, Field(ge=1, le=MOST_PER_ITEM)] = 1
    purpose: BatchPurpose = "production"
    people: Names
    assigned: bool = False
    context: bool = True
    own: bool = True
    again: bool = True
    undo: bool = True
    tests: Words | None = None  # ``all`` pairs with a gold label, or ``source=NAME``
    every: Annotated[int, Field(ge=FEWEST_EVERY, le=MOST_EVERY)] = 5
    gate: Words | None = None  # ``usual``, or with some changes: accuracy=0.8,kappa=0.3
    grows: bool = False
    practice: Words | None = None  # ``all``, ``source=NAME``, or how many of the pairs with a gold label
    practice_share: Annotated[float, Field(gt=0, le=1)] = 0.8
    second_sees: Names
    keep: Annotated[dict[Words, list[Words]], Field(default_factory=dict, max_length=MOST_FILTERS)]
    agree_on: Names


class NewCheck(Body):
    """A blind check of rewrites to be made; ``size`` is the number of pairs."""

    key: Key
    name: Words
    size: Annotated[int, Field(ge=2, le=LARGEST)] = CHECK_SIZE
    seed: Seed = 0
    people: Names


class BatchChange(Body):
    """The new state of a batch."""

    key: Key
    state: Literal["open", "closed"]


@dataclass(frozen=True, slots=True)
class GateBody:
    """How well workers have to do to continue."""

    accuracy: float
    kappa: float
    window: int
    fewest_tests: int
    fewest_shared: int


@dataclass(frozen=True, slots=True)
class KeepBody:
    """Which pairs are kept: everybody gives one of these answers, and the same answer to these questions."""

    all_say: dict[str, list[str]]
    agree_on: list[str]


@dataclass(frozen=True, slots=True)
class RulesReply:
    """The rules of a batch."""

    people: list[str]
    assigned: bool
    context: bool
    own: bool
    again: bool
    undo: bool
    hold_seconds: float
    second_sees: list[str]
    keep: KeepBody | None
    tests: list[str]
    every: int | None  # every so many pairs there is a test
    gate: GateBody | None
    grows: bool
    practice: list[str]
    practice_share: float | None  # that has to be right


@dataclass(frozen=True, slots=True)
class BatchOrigin:
    """How the pairs of a batch were selected: by a filter, or a sample of what it matches."""

    filter: dict[str, str]
    sample: int | None
    seed: int
    order: str
    not_in: list[str]


@dataclass(frozen=True, slots=True)
class BatchReply:
    """A batch: its rules and its progress."""

    state: BatchState
    rules: RulesReply
    author: str | None
    origin: BatchOrigin | None
    gate_gaps: list[str]  # what its gate finds never or seldom


@router.get("/batches", summary="Every batch and how far it is, the first made first")
def list_batches(request: Request, viewer: Curator) -> list[BatchState]:
    with site_of(request).ledger.reading() as connection:
        return batch_states(connection)


@router.post("/batches", summary="Make a batch from a filter or a sample", status_code=201)
def create(request: Request, viewer: Curator, body: NewBatch) -> BatchReply:
    """The same batch sent again under the same key is made once."""
    site = site_of(request)
    make_requested(site, decode_request(body.model_dump(exclude={"key"})), viewer.name, body.key)
    return read(request, viewer, body.name)


@router.post("/batches/check-rewrites", summary="Make a blind check of rewrites", status_code=201)
def check_rewrites(request: Request, viewer: Curator, body: NewCheck) -> BatchReply:
    """Half rewrites and half other pairs, shuffled, without documents, judged twice by people who never saw them."""
    site = site_of(request)
    make_check(site, body.name, body.size, body.seed, body.people, viewer.name, body.key)
    return read(request, viewer, body.name)


@router.get("/batches/{name}", summary="A batch: its rules and how far it is")
def read(request: Request, viewer: Curator, name: Id) -> BatchReply:
    with site_of(request).ledger.reading() as connection:
        batch = load_batch(connection, name)
        state = next(state for state in batch_states(connection) if state.id == name)
        plan = creation_record(connection, name)
    rules = batch.rules
    tests, every = (rules.tests.pairs, rules.tests.every) if rules.tests else (list[str](), None)
    reply = RulesReply(
        **{field: getattr(rules, field) for field in SAME_RULES},
        keep=KeepBody(rules.keep.all_say, rules.keep.agree_on) if rules.keep else None,
        tests=tests,
        every=every,
        gate=GateBody(**msgspec.structs.asdict(rules.gate)) if rules.gate else None,
        grows=bool(rules.deployment),
        practice=rules.practice.pairs if rules.practice else [],
        practice_share=rules.practice.share if rules.practice else None,
    )
    origin = BatchOrigin(**{field: plan[field] for field in BatchOrigin.__slots__}) if plan else None
    return BatchReply(state, reply, batch.author, origin, gate_gaps(batch.rules, state.items, batch.asked))


@router.patch("/batches/{name}", summary="Close a batch, or open it again")
def change(request: Request, viewer: Curator, name: Id, body: BatchChange) -> BatchReply:
    site_of(request).writer.do(lambda connection: change_batch_state(connection, name, body.state, viewer.name))
    return read(request, viewer, name)


@router.get("/batches/{name}/check", summary="What a blind check of rewrites has found so far")
def check(request: Request, viewer: Curator, name: Id) -> CheckResult:
    site = site_of(request)
    with site.ledger.reading() as connection:
        return check_result(connection, site.project, name)


def make_requested(site: Site, batch: BatchRequest, author: str, key: str | None) -> Batch:
    """Make the batch that somebody asks for. A path of test pairs would be one of the server, so it is refused."""
    refuse_paths(batch)
    with site.ledger.reading() as connection:
        plan = batch.plan(connection, site.project)
    rank = ranking(site.project, plan)
    if plan.wanted.query is not None:
        require_index(site)
    return _make(site, plan, lambda connection: batch.items(connection, site.project, plan, rank), author, key)


def make_check(site: Site, name: str, size: int, seed: int, people: list[str], author: str, key: str | None) -> Batch:
    """Make a blind check."""
    plan = plan_check(name, seed, people, size)
    return _make(site, plan, lambda connection: choose_check(connection, size, seed, people), author, key)


def _make(
    site: Site, plan: BatchPlan, select: Callable[[Connection], list[BatchItem]], author: str, key: str | None
) -> Batch:
    """Selecting pairs is slow and only reads, so it is done outside the writer."""
    with site.ledger.reading() as connection:
        items = [] if find_created(connection, plan, author, key) else select(connection)
    return site.writer.do(lambda connection: create_batch(connection, site.project, plan, items, author, key))
