"""Running steps: what is missing or stale, in order, each of them wholly or not at all.

The key of a step is a digest of what it does, its version, its parameters and its inputs. A finished step
with the same key is not run again. A step that fails or is killed leaves the last good result as it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, desc, insert, select, update

from otherwords.errors import LedgerError, OtherwordsError
from otherwords.project import schema
from otherwords.project.project import Project, now
from otherwords.project.recipe import Step
from otherwords.project.work import WORKS, Progress, Result, Running

table = schema.steps
KEY_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done about one step, and why."""

    step: Step
    key: str
    inputs: dict[str, Any]
    state: str  # done, new, stale, failed, waiting, skipped
    why: str
    rows: int
    seconds: float
    megabytes: float


def plan(project: Project, step: Step, recipe: Sequence[Step] = ()) -> Plan:
    """Compare a step with what the ledger knows of it; ``recipe`` is the steps among which it stands."""
    work = WORKS.get(step.does)
    inputs = work.inputs(project, step.parameters)
    key = step_key(step, work.version, inputs)
    with project.ledger.reading() as connection:
        last, good = _last(connection, step.name), _last(connection, step.name, "done")
        behind = good is not None and _behind(connection, step, good["seq"], recipe)
    state, why = _state(step, key, last, good, inputs)
    asks = work.waits is not None and not (state == "done" and behind)
    if asks and work.waits is not None and (told := work.waits(project, step.parameters)):
        state, why = "waiting", told.what
    if step.optional and not inputs.get("rows"):
        state, why = "skipped", "there is nothing for it to work on"
    if state == "done" and good["table"] and not (project.folder / good["table"]).is_file():
        state, why = "stale", "its table is missing"
    rows = int(inputs.get("rows", 0))
    rate = work.rows_a_second
    if good is not None and good["seconds"] and good["rows_in"]:
        rate = good["rows_in"] / good["seconds"]
    megabytes = work.megabytes + work.megabytes_a_million_rows * rows / 1e6
    return Plan(step, key, inputs, state, why, rows, rows / rate if state != "done" else 0.0, megabytes)


def step_key(step: Step, version: int, inputs: dict[str, Any]) -> str:
    """The digest of all that a step's result depends on."""
    told = {"does": step.does, "version": version, "parameters": step.parameters, "inputs": inputs}
    return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()[:KEY_LENGTH]


def _last(connection: Connection, name: str, state: str | None = None) -> Any:
    conditions = [table.c.name == name, *([table.c.state == state] if state else [])]
    return connection.execute(select(table).where(*conditions).order_by(desc(table.c.seq)).limit(1)).mappings().first()


def _behind(connection: Connection, step: Step, done: int, recipe: Sequence[Step]) -> bool:
    """Whether a recipe is past a step that is done: a later one asks for the same, and nothing before it was redone."""
    names = [one.name for one in recipe]
    place = names.index(step.name) if step.name in names else len(names)
    if not any((one.does, one.parameters) == (step.does, step.parameters) for one in recipe[place + 1 :]):
        return False
    redone = (table.c.name.in_(names[:place]), table.c.state == "done", table.c.seq > done)
    return connection.execute(select(table.c.seq).where(*redone).limit(1)).first() is None


def _state(step: Step, key: str, last: Any, good: Any, inputs: dict[str, Any]) -> tuple[str, str]:
    if good is not None and good["key"] == key:
        return "done", f"done {good['finished'][:19]}"
    if good is not None:
        changed = sorted(
            name for name, value in step.parameters.items() if good["parameters"].get(name, value) != value
        )
        if good["does"] != step.does:
            return "stale", f"it was {good['does']} before"
        if changed:
            return "stale", f"changed: {', '.join(changed)}"
        return "stale", "its inputs changed" if good["inputs"] != inputs else "a new version of this step"
    if last is not None and last["state"] == "failed":
        return "failed", f"failed before: {last['error']}"
    if last is not None and last["state"] == "waiting":
        return "new", "people have done their part; run the recipe again"
    return "new", "not run yet" if last is None else "was not finished"


def run_step(
    project: Project,
    step: Step,
    *,
    recipe: Sequence[Step] = (),
    jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[Plan, Result | None]:
    """Run a step unless it is done; the caller holds the project's lock. None: there was nothing to do."""
    planned, work = plan(project, step, recipe), WORKS.get(step.does)
    if planned.state in ("done", "skipped"):
        return planned, None
    if planned.state == "waiting" and work.waits is not None:
        _wait(project, planned)
        return planned, Result(waiting=work.waits(project, step.parameters))
    number = _begin(project, planned)
    running = Running(project, step.name, planned.key, step.parameters, jobs, progress or (lambda done, total: None))
    start = time.perf_counter()
    try:
        result = work.run(running)
        _finish(project, number, result, time.perf_counter() - start)
    except OtherwordsError as problem:
        _fail(project, number, str(problem))
        raise
    except BaseException as problem:
        _fail(project, number, f"{type(problem).__name__}: {problem}")
        raise
    return planned, result


def _begin(project: Project, planned: Plan) -> int:
    """Note that a step runs. Whoever else was running it is dead, since we hold the lock."""
    row = _row(planned, "running")
    with project.ledger.writing() as connection:
        killed = {"state": "failed", "error": "was killed", "finished": now()}
        connection.execute(update(table).where(table.c.state == "running").values(**killed))
        number = connection.execute(insert(table).values(**row).returning(table.c.seq)).scalar_one()
    return int(number)


def _wait(project: Project, planned: Plan) -> None:
    """Note once that a step waits for people, so that the project knows of it whatever recipe it is from."""
    with project.ledger.writing() as connection:
        last = _last(connection, planned.step.name)
        if last is None or (last["state"], last["key"]) not in (("waiting", planned.key), ("done", planned.key)):
            connection.execute(insert(table).values(**_row(planned, "waiting")))


def _row(planned: Plan, state: str) -> dict[str, Any]:
    step = planned.step
    told = {"name": step.name, "does": step.does, "key": planned.key, "parameters": step.parameters}
    about = {"inputs": planned.inputs, "version": WORKS.get(step.does).version, "counts": {}}
    return {**told, **about, "state": state, "started": now()}


def _finish(project: Project, number: int, result: Result, seconds: float) -> None:
    path = str(result.table.relative_to(project.folder)) if result.table else None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    values = {"state": "done", "finished": now(), "rows_in": result.rows_in, "rows_out": result.rows_out}
    values |= {"seconds": seconds, "peak_mb": peak, "table": path, "counts": result.counts}
    values |= {"error": None}  # a step that this one asked for may have taken it for dead
    with project.ledger.writing() as connection:
        if result.record is not None:
            result.record(connection)
        connection.execute(update(table).where(table.c.seq == number).values(**values))


def _fail(project: Project, number: int, error: str) -> None:
    """Note what went wrong. A ledger that cannot take even that is no news: its own trouble is the error."""
    values = {"state": "failed", "finished": now(), "error": error}
    with contextlib.suppress(LedgerError), project.ledger.writing() as connection:
        connection.execute(update(table).where(table.c.seq == number).values(**values))


def run_recipe(
    project: Project,
    steps: list[Step],
    *,
    only: str | None = None,
    jobs: int | None = None,
    watch: Callable[[Step], Progress] | None = None,
    told: Callable[[Plan, Result | None], None] | None = None,
) -> None:
    """Run the steps of a recipe in their order, or only one of them; where people have to do something, stop."""
    for step in steps:
        if only is not None and step.name != only:
            continue
        planned, result = run_step(project, step, recipe=steps, jobs=jobs, progress=watch(step) if watch else None)
        if told:
            told(planned, result)
        if result is not None and result.waiting is not None:
            return
