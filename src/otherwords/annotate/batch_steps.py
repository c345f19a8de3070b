"""Batches as steps of a recipe: made once, when what comes before is done, and then left to people.

A batch that is there already is left as it is: a recipe that is run again asks nobody twice.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from otherwords.annotate import pair_filter
from otherwords.annotate.batches import Batch, Rules
from otherwords.annotate.checking import choose_check, plan_check
from otherwords.annotate.choosing import select_pairs
from otherwords.annotate.making import Plan, make_batch, put_together
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.work import Result, Running, Work

AUTHOR = "recipe"
SHARED = ("order", "asked", "purpose", "seed")


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    """A batch depends on nothing that changes later: it is there, or it is not."""
    return {"rows": 0}


def _make(running: Running) -> Result:
    told, project = running.parameters, running.project
    with project.ledger.writing() as connection:
        if (size := _size(connection, running.step)) is not None:
            return Result(rows_out=size)
        plan = _plan(connection, project, running.step, told)
        if plan is None:
            return Result(counts={"nothing to judge": 1})
        return _made(connection, make_batch(connection, project, plan, AUTHOR))


def _plan(connection: Connection, project: Project, name: str, told: dict[str, Any]) -> Plan | None:
    """What the parameters ask for; None where no pair fits."""
    wanted = pair_filter.parse(told["filter"])
    fitting = len(select_pairs(connection, project, wanted, not_in=tuple(told["not_in"])))
    if not fitting:
        return None
    sample = _sample(told["sample"], fitting, told["leave"])
    if sample == 0:
        return None
    rules = msgspec.convert(told["rules"], Rules)
    shared: dict[str, Any] = {field: told[field] for field in SHARED} | {"not_in": tuple(told["not_in"])}
    shared["asked"] = told["asked"] or _annotators(connection, project)
    return Plan(name=name, wanted=wanted, sample=sample, scheme=told["scheme"] or None, rules=rules, **shared)


def _sample(wanted: float, fitting: int, leave: int) -> int | None:
    """So many, or that share of those that fit; 0 is all, but for those that are left for later."""
    if not wanted:
        return max(0, fitting - leave) if leave else None
    return max(1, round(wanted * fitting)) if wanted < 1 else int(wanted)


def _annotators(connection: Connection, project: Project) -> int:
    """Everybody who can judge: a training batch is for all of them."""
    one = schema.accounts
    fit = (one.c.role == "annotator", one.c.state == "active")
    count = connection.execute(select(func.count()).select_from(one).where(*fit)).scalar_one()
    if not count:
        how = f"otherwords user invite {project.folder} --role annotator"
        raise Refused(f"there are no annotators yet; invite them: {how}")
    return int(count)


def _check(running: Running) -> Result:
    """The blind check of rewrites, as large as there are rewrites for it."""
    told, project = running.parameters, running.project
    with project.ledger.writing() as connection:
        if (size := _size(connection, running.step)) is not None:
            return Result(rows_out=size)
        one = schema.pairs
        rewrites = select(func.count()).select_from(one).where(one.c.rewrite_of.is_not(None))
        half = min(told["size"] // 2, connection.execute(rewrites).scalar_one())
        while half:
            try:
                chosen = choose_check(connection, 2 * half, told["seed"], [])
            except Refused:
                half //= 2
                continue
            plan = plan_check(running.step, told["seed"], [], 2 * half)
            return _made(connection, put_together(connection, project, plan, chosen, AUTHOR))
    return Result(counts={"no rewrites to check": 1})


def _size(connection: Connection, name: str) -> int | None:
    """How many items a batch of that name has, if there is one."""
    of, slot = schema.batches, schema.slots
    if connection.execute(select(of.c.seq).where(of.c.id == name)).first() is None:
        return None
    items = select(func.count(slot.c.item.distinct())).where(slot.c.batch == name, slot.c.position >= 0)
    return int(connection.execute(items).scalar_one())


def _made(connection: Connection, made: Batch) -> Result:
    size = _size(connection, made.id) or 0
    return Result(rows_in=size, rows_out=size, counts={"judgements asked for": size * made.asked})


BATCH = Work(
    name="batch",
    version=1,
    parameters={
        **{"filter": {}, "sample": 0.0, "leave": 0, "seed": 0, "order": "shuffled", "not_in": [], "scheme": ""},
        **{"asked": 1, "purpose": "production", "rules": {}},
    },
    inputs=_inputs,
    run=_make,
)
CHECK = Work(name="check-rewrites", version=1, parameters={"size": 200, "seed": 0}, inputs=_inputs, run=_check)
