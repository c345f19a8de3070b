"""Planning: what is to be done about a step, and why. Nothing is run, and no large file is read.

The key of a step is a digest of its kind, version, parameters, facts and the keys of its inputs. A step whose last good
run has the same key is done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, desc, select

from otherwords.errors import DataError, NotInstalled, Refused
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import is_whole
from otherwords.project.pipeline.kind import PeopleWork, Step, StepEstimate
from otherwords.project.project import Project

steps = schema.steps
KEY_LENGTH = 16
PASSED_OVER = (DataError, NotInstalled, Refused)  # what keeps an optional step from being done, and nothing else


NOTHING = StepEstimate(0, 0.0, 0.0, 0.0)
FOLLOWS = "what it reads is still to be made"


@dataclass(frozen=True, slots=True)
class StepPlan:
    """What is to be done about one step, and why."""

    step: Step
    key: str
    depends_on: Mapping[str, object]
    producers: Mapping[str, StepPlan]
    state: str  # done, new, stale, failed, waiting, skipped
    why: str
    estimate: StepEstimate
    people: PeopleWork | None = None


def plan(project: Project, step: Step, recipe: Sequence[Step] = ()) -> StepPlan:
    """Compare a step with what the ledger knows of it; ``recipe`` is the steps among which it stands."""
    kind, producers = step.kind, dict[str, StepPlan]()
    try:
        producers |= {name: plan(project, producer, recipe) for name, producer in step.producers(project).items()}
        if step.optional and (missing := skipped_input(producers.values())):
            return StepPlan(step, "", {}, producers, "skipped", missing, NOTHING)
        facts = kind.facts(project, step.parameters)
    except PASSED_OVER as problem:
        if not step.optional:
            raise
        return _without_work(step, producers, str(problem))
    in_key = [name for name in producers if name not in kind.inputs or kind.inputs[name].in_key]
    inputs = {name: producers[name].key for name in in_key}
    rows = facts.rows or max((producers[name].estimate.rows for name in in_key or producers), default=0)
    depends_on = {**facts.depends_on, "rows": rows, **({"inputs": inputs} if inputs else {})}
    key = step_key(step, depends_on)
    with project.ledger.reading() as connection:
        last, good = last_run(connection, step.name), last_run(connection, step.name, "done")
        passed = good is not None and _is_passed(connection, step, good["seq"], recipe)
    state, why = _state(step, key, last, good, depends_on)
    people = None
    if kind.waits is not None and not (state == "done" and passed):
        people = kind.waits(project, step.parameters)
    if people is not None:
        state, why = "waiting", people.what
    if step.optional and not rows:
        return _without_work(step, producers, "there is nothing for it to work on")
    if state == "done" and good is not None and good["output"]:
        folder = project.folder / good["output"]
        if not (is_whole(folder) if folder.is_relative_to(project.tables) else folder.exists()):
            state, why = "stale", "its output is missing"
    # What is still needed
    needs = StepEstimate(rows, 0.0, 0.0, 0.0) if state == "done" else kind.cost.estimate(rows, _last_rate(step, good))
    return StepPlan(step, key, depends_on, producers, state, why, needs, people)


def _without_work(step: Step, producers: Mapping[str, StepPlan], why: str) -> StepPlan:
    """An optional step that cannot be done as things are: skipped, unless a step that it reads is still to run."""
    if any(producer.state not in ("done", "skipped") for producer in producers.values()):
        return StepPlan(step, "", {}, producers, "new", FOLLOWS, step.kind.cost.estimate(0))
    return StepPlan(step, "", {}, producers, "skipped", why, NOTHING)


def _last_rate(step: Step, good: RowMapping | None) -> float | None:
    """Rows a second of the last good run; where it depends on the model, only that of the same parameters counts."""
    if good is None or not good["seconds"] or not good["rows_in"]:
        return None
    if step.kind.cost.rows_per_second is None and good["parameters"] != step.as_json():
        return None
    return float(good["rows_in"] / good["seconds"])


def skipped_input(producers: Iterable[StepPlan]) -> str | None:
    """Which of the steps that a step reads was skipped, in a sentence; None if none was. Its own line says why."""
    return next((f"{producer.step.name} was skipped" for producer in producers if producer.state == "skipped"), None)


def step_key(step: Step, depends_on: Mapping[str, Any]) -> str:
    """The digest of everything that a step's result depends on."""
    parts = {"kind": step.kind.name, "version": step.kind.version, "parameters": step.as_json()}
    encoded = msgspec.json.encode({**parts, "depends_on": depends_on}, order="sorted")
    return hashlib.sha256(encoded).hexdigest()[:KEY_LENGTH]


def last_run(connection: Connection, name: str, state: str | None = None) -> RowMapping | None:
    """The last run of a step, or the last one that ended in a state."""
    conditions = [steps.c.name == name, *([steps.c.state == state] if state else [])]
    return connection.execute(select(steps).where(*conditions).order_by(desc(steps.c.seq)).limit(1)).mappings().first()


def _is_passed(connection: Connection, step: Step, done: int, recipe: Sequence[Step]) -> bool:
    """Whether a recipe is past a step that is done: a later one asks for the same, and nothing before it was redone."""
    names = [other.name for other in recipe]
    place = names.index(step.name) if step.name in names else len(names)
    if not any((other.kind, other.parameters) == (step.kind, step.parameters) for other in recipe[place + 1 :]):
        return False
    redone = (steps.c.name.in_(names[:place]), steps.c.state == "done", steps.c.seq > done)
    return connection.execute(select(steps.c.seq).where(*redone).limit(1)).first() is None


def _state(
    step: Step, key: str, last: RowMapping | None, good: RowMapping | None, depends_on: Mapping[str, Any]
) -> tuple[str, str]:
    if good is not None and good["key"] == key:
        return "done", f"done {good['finished'][:19]}"
    if good is not None:
        if good["kind"] != step.kind.name:
            return "stale", f"it was {good['kind']} before"
        before, now = good["parameters"], step.as_json()
        if changed := sorted(name for name, value in now.items() if before.get(name, value) != value):
            return "stale", f"changed: {', '.join(changed)}"
        return "stale", "its inputs changed" if good["inputs"] != depends_on else "a new version of this step"
    if last is not None and last["state"] == "failed":
        if last["key"] != key:
            return "new", "it failed before, and what it works on has changed since"
        return "failed", f"failed before: {last['error']}"
    if last is not None and last["state"] == "waiting":
        return "new", "people have done their part; run the recipe again"
    return "new", "not run yet" if last is None else "was not finished"
