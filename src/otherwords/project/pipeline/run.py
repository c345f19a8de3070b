"""Running steps: what is missing or stale, in order, each of them wholly or not at all.

A step that fails or is killed leaves the last good result as it was; what it had written of its dataset is kept for the
next run.
"""

from __future__ import annotations

import contextlib
import resource
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from otherwords.engine import Engine, Progress
from otherwords.errors import DataError, LedgerError, OtherwordsError
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import Dataset, open_dataset
from otherwords.project.pipeline.kind import Step, StepContext, StepResult
from otherwords.project.pipeline.plan import PASSED_OVER, StepPlan, last_run, plan, skipped_input
from otherwords.project.pipeline.progress_note import noting
from otherwords.project.project import Project, now

steps = schema.steps
_running: set[int] = set()  # the runs of this process: one step may ask for another
STOPPED, KILLED = "was stopped", "was killed"  # instead of an error: the next run goes on from there
OUTPUTS_KEPT = 2  # of a step: somebody may still read the one before


def run_step(
    project: Project,
    step: Step,
    *,
    recipe: tuple[Step, ...] = (),
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> tuple[StepPlan, StepResult | None]:
    """Run a step, and before it what it reads, unless it is done; the caller holds the project's lock.

    None: there was nothing to do.
    """
    planned = plan(project, step, recipe)
    if planned.state in ("done", "skipped") or planned.people is not None:
        return _without_running(project, planned)
    inputs = {}
    try:
        for name, producer in planned.producers.items():
            made, result = run_step(project, producer.step, recipe=recipe, engine=engine, progress=progress)
            if result is not None and result.waiting is not None:
                return planned, result
            if missing := skipped_input([made]):
                raise DataError(
                    f"{step.name} cannot be done: {missing}: {made.why}", project.folder, code="input-skipped"
                )
            inputs[name] = open_dataset(output_folder(project, producer))
        if not planned.key:  # what it works on was not known before its inputs were made
            planned = plan(project, step, recipe)
            if planned.people is not None or planned.state == "skipped" or not planned.key:
                return _without_running(project, planned)
        return planned, _run(project, planned, inputs, engine or Engine(), progress or (lambda done, total: None))
    except PASSED_OVER as problem:
        if not step.optional:
            raise
        return replace(planned, state="skipped", why=str(problem)), None


def _without_running(project: Project, planned: StepPlan) -> tuple[StepPlan, StepResult | None]:
    """What there is of a step that is done, has nothing to work on, or waits for people."""
    if planned.people is None:
        return planned if planned.key else replace(planned, state="skipped"), None
    # Note it once, so that the project knows of it whatever recipe the step is from.
    with project.ledger.writing() as connection:
        last = last_run(connection, planned.step.name)
        if last is None or (last["state"], last["key"]) not in (("waiting", planned.key), ("done", planned.key)):
            connection.execute(insert(steps).values(**_row(planned, "waiting")))
    return planned, StepResult(waiting=planned.people)


def output_of(project: Project, step: Step, **options: Any) -> Dataset:
    """The dataset of a step, which is run where it is missing or stale; waits for the project's lock."""
    with project.holding(wait=True):
        planned, _ = run_step(project, step, **options)
        return open_dataset(output_folder(project, planned))


def output_folder(project: Project, planned: StepPlan) -> Path:
    """Where the dataset of a step is."""
    return project.tables / planned.step.name / planned.key


def _run(
    project: Project, planned: StepPlan, inputs: Mapping[str, Dataset], engine: Engine, progress: Progress
) -> StepResult:
    step = planned.step
    number = _begin(project, planned)
    start = time.perf_counter()
    _running.add(number)
    try:
        with noting(project.folder, step.name, progress) as noted:
            about = (step.parameters, inputs, engine, noted, step.kind.derived)
            result = step.kind.run(StepContext(project, step.name, planned.key, *about))
        _finish(project, number, result, time.perf_counter() - start)
    except BaseException as problem:
        failed = {"state": "failed", "finished": now(), "error": _error(problem)}
        # If this write fails too, keep the original error.
        with contextlib.suppress(LedgerError), project.ledger.writing() as connection:
            connection.execute(update(steps).where(steps.c.seq == number).values(**failed))
        raise
    finally:
        _running.discard(number)
    # By their times but for the new one: the clock may have been set back since the others were written.
    earlier = [
        path
        for path in (project.tables / step.name).glob("*")
        if path.is_dir() and path != output_folder(project, planned)
    ]
    for path in sorted(earlier, key=lambda path: path.stat().st_mtime_ns, reverse=True)[OUTPUTS_KEPT - 1 :]:
        shutil.rmtree(path, ignore_errors=True)
    return result


def _error(problem: BaseException) -> str:
    """Why a step did not end well, as the ledger keeps it."""
    if isinstance(problem, KeyboardInterrupt | SystemExit):
        return STOPPED
    return str(problem) if isinstance(problem, OtherwordsError) else f"{type(problem).__name__}: {problem}"


def _begin(project: Project, planned: StepPlan) -> int:
    """Note that a step runs. Whoever else was running one is dead, since we hold the lock."""
    with project.ledger.writing() as connection:
        killed = {"state": "failed", "error": KILLED, "finished": now()}
        others = (steps.c.state == "running", steps.c.seq.not_in(_running))
        connection.execute(update(steps).where(*others).values(**killed))
        row = _row(planned, "running")
        return int(connection.execute(insert(steps).values(**row).returning(steps.c.seq)).scalar_one())


def _row(planned: StepPlan, state: str) -> dict[str, object]:
    step = planned.step
    return {
        **{"name": step.name, "kind": step.kind.name, "version": step.kind.version, "key": planned.key},
        **{"parameters": step.as_json(), "inputs": planned.depends_on, "counts": {}},
        **{"state": state, "started": now()},
    }


def _finish(project: Project, number: int, result: StepResult, seconds: float) -> None:
    folder = result.output.folder if isinstance(result.output, Dataset) else result.output
    inside = folder is not None and folder.is_relative_to(project.folder)
    values = {
        **{"state": "done", "finished": now(), "rows_in": result.rows_in, "rows_out": result.rows_out},
        **{"seconds": seconds, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024},
        **{"output": str(folder.relative_to(project.folder)) if folder and inside else None, "counts": result.counts},
    }
    with project.ledger.writing() as connection:
        if result.record is not None:
            result.record(connection)
        connection.execute(update(steps).where(steps.c.seq == number).values(**values))


def run_recipe(
    project: Project,
    recipe: list[Step],
    *,
    only: str | None = None,
    engine: Engine | None = None,
    watch: Callable[[Step], Progress] | None = None,
    report: Callable[[StepPlan, StepResult | None], None] | None = None,
) -> None:
    """Run the steps of a recipe in their order, or only one of them; where people have to do something, stop."""
    for step in recipe:
        if only is not None and step.name != only:
            continue
        progress = watch(step) if watch else None
        planned, result = run_step(project, step, recipe=tuple(recipe), engine=engine, progress=progress)
        if report:
            report(planned, result)
        if result is not None and result.waiting is not None:
            return
