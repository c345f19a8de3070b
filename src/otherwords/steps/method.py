"""The recipe of a project as it stands: every step with its state, its numbers, what it waits for and what it reads.

Everything comes from the recipe, the ledger and the lock of the project, so any process can say it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import RowMapping, func, select

from otherwords.errors import OtherwordsError, RecipeError
from otherwords.project.ledger import schema
from otherwords.project.lock import is_held
from otherwords.project.pipeline.kind import Step
from otherwords.project.pipeline.plan import StepPlan, last_run, plan
from otherwords.project.pipeline.run import KILLED, STOPPED
from otherwords.project.project import Project
from otherwords.steps.catalogue import words_of
from otherwords.steps.known_recipes import about_recipe, chosen_recipe, recipe_path
from otherwords.steps.learn import TrainParameters
from otherwords.steps.people import PeopleParameters
from otherwords.steps.recipe import Settings, kept_settings, read_recipe, settings_of, with_settings
from otherwords.steps.status import own_steps

State = Literal["done", "new", "stale", "failed", "stopped", "waiting", "skipped", "running", "blocked"]
TO_DO = ("new", "stale", "failed", "stopped")  # that a run would do
_steps = schema.steps


@dataclass(frozen=True, slots=True)
class StepInput:
    """What a step reads, and from which step of the recipe."""

    name: str
    step: str


@dataclass(frozen=True, slots=True)
class MethodStep:
    """A step as it stands. The numbers are those of its last good run.

    ``task`` and ``batches`` say what people do and where; ``then`` what to type where a decision is missing; ``model``
    is the classifier that it trained, in the project's folder of models.
    """

    name: str
    kind: str
    words: str
    state: State
    why: str
    optional: bool
    inputs: tuple[StepInput, ...] = ()
    task: str | None = None
    batches: tuple[str, ...] = ()
    then: str | None = None
    model: str | None = None
    rows_in: int | None = None
    rows_out: int | None = None
    seconds: float | None = None
    finished: str | None = None
    expected: float | None = None  # seconds that a run would take, by the rate of the last one; None: not known


@dataclass(frozen=True, slots=True)
class Method:
    """A recipe and its steps in their order; ``next`` is the step that a run would begin with.

    ``recipe`` is None where there are only the steps that were run by commands.
    """

    recipe: str | None
    about: str
    settings: Settings
    steps: tuple[MethodStep, ...]
    next: str | None = None
    waits: str | None = None  # the step at which a run would stop


def method(project: Project, recipe: str | None) -> Method | None:
    """A recipe by its name, or without one the steps so far; None if no step was ever run."""
    path = None if recipe is None else recipe_path(project.folder, recipe)
    try:
        steps = own_steps(project) if path is None else read_recipe(path)
    except RecipeError as problem:
        if path is None and problem.code == "no-steps":
            return None
        raise
    with project.ledger.reading() as connection:
        settings = settings_of(kept_settings(connection), steps)
    steps = with_settings(steps, settings)
    drawn = tuple(_drawn(project, step, steps) for step in steps)
    waits = next((step.name for step in drawn if step.state in ("waiting", "blocked")), None)
    first = next((step for step in drawn if step.state in (*TO_DO, "waiting", "blocked")), None)
    starts = first.name if first is not None and first.state in TO_DO else None
    about = about_recipe(path) if path is not None else ""
    return Method(None if path is None else path.stem, about, settings, drawn, starts, waits)


def stale_models(project: Project) -> dict[str, str]:
    """The models in the project's folder that a step of its recipe would train again, each with the reason."""
    recipe = chosen_recipe(project)
    found: dict[str, str] = {}
    with contextlib.suppress(OtherwordsError):  # no step yet, or a recipe that is gone
        steps = own_steps(project) if recipe is None else read_recipe(recipe_path(project.folder, recipe))
        with project.ledger.reading() as connection:
            steps = with_settings(steps, settings_of(kept_settings(connection), steps))
        for step in steps:
            if isinstance(step.parameters, TrainParameters):
                planned = plan(project, step, steps)
                if planned.state == "stale":
                    found[step.parameters.out or step.parameters.model] = planned.why
    return found


def finished_by_people(project: Project) -> str | None:
    """The step at which the last run of the recipe stopped for people, if they have finished it since."""
    recipe = chosen_recipe(project)
    if recipe is None:
        return None
    with contextlib.suppress(OtherwordsError):  # a recipe that is gone
        for step in read_recipe(recipe_path(project.folder, recipe)):
            if not isinstance(step.parameters, PeopleParameters):
                continue
            with project.ledger.reading() as connection:
                last = last_run(connection, step.name)
            if last is not None and last["state"] == "waiting":
                asked = step.kind.decode(last["parameters"])
                return step.name if step.kind.waits is not None and step.kind.waits(project, asked) is None else None
    return None


def runs_version(project: Project) -> str:
    """A text that changes whenever a step begins or ends."""
    counts = select(func.max(_steps.c.seq), func.max(_steps.c.finished), func.count())
    with project.ledger.reading() as connection:
        last, finished, rows = connection.execute(counts).one()
    return f"{last or 0}.{rows}.{finished or ''}"


def _drawn(project: Project, step: Step, recipe: Sequence[Step]) -> MethodStep:
    with project.ledger.reading() as connection:
        last, good = last_run(connection, step.name), last_run(connection, step.name, "done")
    planned: StepPlan | None = None
    try:
        planned = plan(project, step, recipe)
        inputs = _inputs(step.producers(project), recipe)
        state, why = _state(project, planned, last)
    except OtherwordsError as problem:  # a file that is not there, a model that is not installed
        state, why, inputs = "blocked", str(problem), _inputs(step.inputs, recipe)
    task = step.parameters if isinstance(step.parameters, PeopleParameters) else None
    people = planned.people if planned is not None and state == "waiting" else None
    numbers: Mapping[str, Any] = dict(good) if good is not None else {}
    return MethodStep(
        name=step.name,
        kind=step.kind.name,
        words=words_of(step.kind.name, task.task if task else None),
        state=state,
        why=_without_folder(project, why),
        optional=step.optional,
        inputs=inputs,
        task=task.task if task else None,
        batches=task.batches if task else (),
        model=_trained(step) if good is not None else None,
        then=people.way_on(step.name) if people is not None and task is None else None,
        expected=planned.estimate.seconds if planned is not None and state in TO_DO else None,
        **{name: numbers.get(name) for name in ("rows_in", "rows_out", "seconds", "finished")},
    )


def _trained(step: Step) -> str | None:
    chosen = step.parameters
    return (chosen.out or chosen.model) if isinstance(chosen, TrainParameters) else None


def _state(project: Project, planned: StepPlan, last: RowMapping | None) -> tuple[State, str]:
    """The state of a step: what is planned, unless it runs now or its last run did not end well."""
    ran = last["state"] if last is not None else None
    if ran == "running" and is_held(project.folder):
        return "running", ""
    if last is not None and planned.state in TO_DO and last["key"] == planned.key:
        if ran == "running" or (ran == "failed" and last["error"] in (STOPPED, KILLED)):
            return "stopped", KILLED if ran == "running" else last["error"]
        if ran == "failed":  # a run passes over an optional step that cannot be done
            return "skipped" if planned.step.optional else "failed", last["error"]
    return planned.state, planned.why  # type: ignore[return-value]  # the states of a plan are among them


def _inputs(producers: Mapping[str, Step], recipe: Sequence[Step]) -> tuple[StepInput, ...]:
    """What a step reads of other steps of the recipe; what belongs to the step alone is no arrow."""
    names = {step.name for step in recipe}
    return tuple(StepInput(name, producer.name) for name, producer in producers.items() if producer.name in names)


def _without_folder(project: Project, text: str) -> str:
    """A message without where the project is on the disk of the server."""
    for place in (project.folder.resolve(), project.folder):
        text = text.replace(str(place), Path(place).name)
    return text
