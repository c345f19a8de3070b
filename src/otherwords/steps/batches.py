"""Batches as steps of a recipe: made once, when what comes before is done, and then left to people.

A batch that exists is left as it is: a recipe that is run again asks nobody twice.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from sqlalchemy import Connection, func, select

from otherwords.annotate import schemes
from otherwords.annotate.adjudication.decide import AdjudicationInput, decide
from otherwords.annotate.adjudication.disagreements import cases
from otherwords.annotate.batch_plans.create import create_batch, resolve_scheme_name
from otherwords.annotate.batch_plans.machine_check import (
    CHECK_SIZE,
    choose_machine_check,
    largest_machine_check,
    plan_machine_check,
)
from otherwords.annotate.batch_plans.request import BatchPurpose, BatchRequest, decode_request
from otherwords.annotate.batch_plans.rewrite_check import choose_check, plan_check
from otherwords.annotate.batch_plans.selection import Order, select_pairs
from otherwords.annotate.batches.batch import Batch, load_batches
from otherwords.annotate.browse.filter import parse_filter
from otherwords.annotate.crowd.gate import gate_gaps
from otherwords.errors import Refused
from otherwords.learn.judging.worth import ranking
from otherwords.project import search
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import StepContext, StepCounts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Parameters, Seed
from otherwords.project.project import Project

AUTHOR = "recipe"


class BatchParameters(Parameters, frozen=True, kw_only=True):
    """Which pairs, and what is to be done with them.

    ``sample`` is how many pairs, or a share of those that fit where it is below 1; 0 is all, but for ``leave`` of them.
    ``asked`` is how many judgements each pair gets; 0 is one by every annotator, who is named in the batch. A sample
    leaves out pairs that are decided or doubly judged, unless ``rules`` has ``also_decided``. ``not_in`` passes over a
    batch that an earlier step did not make because nothing was left for it.
    """

    filter: dict[str, str] = msgspec.field(default_factory=dict)
    sample: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    leave: Count = 0
    seed: Seed = 0
    order: Order = "shuffled"
    not_in: tuple[str, ...] = ()
    scheme: str = ""
    asked: Count = 1
    purpose: BatchPurpose = "production"
    rules: dict[str, Any] = msgspec.field(default_factory=dict)


class CheckParameters(Parameters, frozen=True, kw_only=True):
    """A blind check of rewrites of up to ``size`` pairs, half of them rewrites."""

    size: Annotated[int, msgspec.Meta(ge=2)] = 200
    seed: Seed = 0


class MachineCheckParameters(Parameters, frozen=True, kw_only=True):
    """A check of up to ``size`` pairs, half of them machine-made, each by three people; 0 is none."""

    size: Count = CHECK_SIZE
    seed: Seed = 0


def _make(context: StepContext[BatchParameters]) -> StepResult:
    project = context.project
    if parse_filter(context.parameters.filter).query is not None:
        search.update_index(project)
    with project.ledger.writing() as connection:
        if (size := batch_size(connection, context.name)) is not None:
            return StepResult(rows_out=size)
        not_in = _without_empty(connection, context.parameters.not_in)
        chosen = msgspec.structs.replace(context.parameters, not_in=not_in)
        batch = _request(connection, project, context.name, chosen)
        if batch is None:
            return StepResult(counts={"nothing to judge": True})
        plan = batch.plan(connection, project)
        items = batch.items(connection, project, plan, ranking(project, plan))
        return _result(connection, create_batch(connection, project, plan, items, AUTHOR))


def _request(connection: Connection, project: Project, name: str, chosen: BatchParameters) -> BatchRequest | None:
    """What the parameters ask for; None where no pair fits."""
    sampled = bool(chosen.sample or chosen.leave) and not chosen.rules.get("also_decided", False)
    unsettled_in = resolve_scheme_name(project, chosen.scheme or None) if sampled else None
    wanted = parse_filter(chosen.filter)
    fitting = len(select_pairs(connection, project, wanted, not_in=chosen.not_in, unsettled_in=unsettled_in))
    sample = max(0, fitting - chosen.leave) if chosen.leave else None
    if chosen.sample:
        sample = max(1, round(chosen.sample * fitting)) if chosen.sample < 1 else int(chosen.sample)
    if not fitting or sample == 0:
        return None
    same = {field: getattr(chosen, field) for field in ("filter", "not_in", "seed", "order", "purpose")}
    for_all: dict[str, Any] = {}
    if not chosen.asked:
        people = _annotators(connection, project)
        for_all = {"people": tuple(people), "times": len(people), "assigned": True}
    scheme = chosen.scheme or None
    return decode_request(
        {"name": name, **same, "sample": sample, "times": chosen.asked, "scheme": scheme, **for_all, **chosen.rules}
    )


def _without_empty(connection: Connection, names: tuple[str, ...]) -> tuple[str, ...]:
    """The batches of these names, without those whose step is done and had nothing to make one of."""
    steps, batches = schema.steps, schema.batches
    done = (steps.c.name.in_(names), steps.c.kind == BATCH.name, steps.c.state == "done")
    finished = set(connection.execute(select(steps.c.name).where(*done)).scalars())
    made = set(connection.execute(select(batches.c.id).where(batches.c.id.in_(names))).scalars())
    return tuple(name for name in names if name in made or name not in finished)


def _annotators(connection: Connection, project: Project) -> list[str]:
    """Everybody who can judge: a training batch is for all of them, and each gets all of it."""
    accounts = schema.accounts
    active = (accounts.c.role == "annotator", accounts.c.state == "active")
    names = list(connection.execute(select(accounts.c.name).where(*active).order_by(accounts.c.name)).scalars())
    if not names:
        command = f"otherwords user invite {project.folder} --role annotator"
        raise Refused(f"there are no annotators yet; invite them: {command}", code="no-annotators")
    return names


def _check_rewrites(context: StepContext[CheckParameters]) -> StepResult:
    """The blind check of rewrites, as large as there are rewrites for it."""
    chosen, project, pairs = context.parameters, context.project, schema.pairs
    rewrites = select(func.count()).select_from(pairs).where(pairs.c.rewrite_of.is_not(None))
    with project.ledger.writing() as connection:
        if (size := batch_size(connection, context.name)) is not None:
            return StepResult(rows_out=size)
        half = min(chosen.size // 2, connection.execute(rewrites).scalar_one())
        while half:
            try:
                items = choose_check(connection, 2 * half, chosen.seed, [])
            except Refused:
                half //= 2
                continue
            plan = plan_check(context.name, chosen.seed, [], 2 * half)
            return _result(connection, create_batch(connection, project, plan, items, AUTHOR))
    return StepResult(counts={"no rewrites to check": True})


def _check_machine(context: StepContext[MachineCheckParameters]) -> StepResult:
    """The check whether people can tell machine-made pairs from others, as large as there are pairs for it."""
    chosen, project = context.parameters, context.project
    with project.ledger.writing() as connection:
        if (size := batch_size(connection, context.name)) is not None:
            return StepResult(rows_out=size)
        size = largest_machine_check(connection, chosen.size)
        if not size:
            return StepResult(counts={"nothing to tell apart": True})
        items = choose_machine_check(connection, size, chosen.seed)
        plan = plan_machine_check(context.name, chosen.seed, [], size)
        return _result(connection, create_batch(connection, project, plan, items, AUTHOR))


def batch_size(connection: Connection, name: str) -> int | None:
    """How many items a batch of that name has, if there is one."""
    batches, slots = schema.batches, schema.slots
    if connection.execute(select(batches.c.seq).where(batches.c.id == name)).first() is None:
        return None
    items = select(func.count(slots.c.item.distinct())).where(slots.c.batch == name, slots.c.position >= 0)
    return int(connection.execute(items).scalar_one())


def _result(connection: Connection, batch: Batch) -> StepResult:
    size = batch_size(connection, batch.id) or 0
    counts: StepCounts = {"judgements asked for": size * batch.asked}
    if gaps := gate_gaps(batch.rules, size, batch.asked):
        counts["gate"] = gaps
    return StepResult(rows_in=size, rows_out=size, counts=counts)


BATCH = StepKind(name="batch", version=1, parameters=BatchParameters, run=_make)
CHECK_REWRITES = StepKind(name="check-rewrites", version=1, parameters=CheckParameters, run=_check_rewrites)
CHECK_MACHINE = StepKind(name="check-machine", version=1, parameters=MachineCheckParameters, run=_check_machine)


class KeepAgreed(Parameters, frozen=True, kw_only=True):
    """Batches by name; one that does not exist is passed over."""

    batches: tuple[str, ...] = ()


def _keep(context: StepContext[KeepAgreed]) -> StepResult:
    project, kept, seen = context.project, 0, 0
    with project.ledger.writing() as connection:
        existing = {batch.id: batch for batch in load_batches(connection)}
        for batch in (existing[name] for name in context.parameters.batches if name in existing):
            scheme = schemes.load_scheme(batch.scheme, project.folder)
            for case in cases(connection, batch, scheme):
                seen += 1
                if case.complete and not case.disagreeing and case.decision is None:
                    consensus = AdjudicationInput(
                        key=f"{batch.id} {case.pair}",
                        pair=case.pair,
                        batch=batch.id,
                        value=case.opinions[0].value,
                        made_from=[answer.id for answer in case.opinions],
                    )
                    decide(connection, AUTHOR, "curator", consensus, scheme)
                    kept += 1
    return StepResult(rows_in=seen, rows_out=kept)


KEEP_AGREED = StepKind(name="keep-agreed", version=1, parameters=KeepAgreed, run=_keep)
