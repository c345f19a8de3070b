"""The method of a project, for curators: its recipe as a diagram, live while it runs, with the button that runs it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from otherwords.analyse.project_models import run_of
from otherwords.annotate.batches.batch import EXTRACTED_BATCH
from otherwords.errors import OtherwordsError, Refused
from otherwords.project.lock import holder, is_held
from otherwords.project.pipeline.progress_note import read_progress
from otherwords.steps.batches import batch_size
from otherwords.steps.known_recipes import chosen_recipe, recipe_path, shipped_recipes
from otherwords.steps.method import Method, MethodStep, finished_by_people, method, runs_version
from otherwords.web.accounts.audit import Action, note
from otherwords.web.accounts.auth import Curator, Requester
from otherwords.web.background_run import (
    RunNote,
    is_site_running,
    last_site_run,
    log_lines,
    refuse_in_use,
    start_run,
    stop_run,
)
from otherwords.web.filters import address, page_address
from otherwords.web.forms import CuratorSends, Form
from otherwords.web.rails import ARRIVES, LEAVES, rails
from otherwords.web.rendering import for_script, page
from otherwords.web.site import Site, site_of
from otherwords.web.tables import add_twins, safe_rows
from otherwords.web.texts import word

router = APIRouter()
METHOD = "/method"
PAGES = {"triage": "/triage", "extract": "/extract", "seed": "/seeds", "judge": "/", "adjudicate": "/adjudicate"}
MAKE_BATCHES = ("batch", "check-rewrites", "check-machine", "cluster-sample", "outputs")  # called like the step
STATES = {
    "done": "done",
    "new": "to do",
    "stale": "stale",
    "failed": "failed",
    "stopped": "stopped",
    "waiting": "waiting for people",
    "skipped": "skipped",
    "running": "running",
    "blocked": "cannot be run",
}
SECONDS, MINUTES, HOURS = "{seconds} s", "{minutes} min", "{hours} h"
COLUMNS = ("step", "kind", "state", "why", "optional", "reads", "rows_in", "rows_out", "seconds", "finished")
RecipeName = Annotated[str | None, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class RunState:
    """What runs at the moment; ``version`` changes whenever a step begins or ends."""

    running: bool
    version: str
    started_here: bool = False  # it can be stopped here
    by: str | None = None  # who started it, or which process holds the project
    step: str | None = None
    done: int = 0
    total: int | None = None


@dataclass(frozen=True, slots=True)
class MethodReply:
    """The method, and the run that is going on."""

    method: Method | None
    run: RunState


def run_state(site: Site) -> RunState:
    """What runs in the project, whoever started it."""
    project = site.project
    here, held = is_site_running(project), is_held(project.folder)
    if not here and not held:
        return RunState(False, runs_version(project))
    started = last_site_run(project) if here else None  # not there yet in the moment in which the run is started
    here = started is not None
    progress = read_progress(project.folder) if held else None
    by = started.by if started is not None else holder(project.folder)
    state = RunState(True, runs_version(project), here, by)
    if progress is None:
        return state
    return RunState(True, state.version, here, by, progress.step, progress.done, progress.total)


@router.get("/method/run.json")
def load_run(request: Request, viewer: Curator) -> RunState:
    """The small part of the page that changes while something runs."""
    return run_state(site_of(request))


def load(request: Request, viewer: Curator, recipe: RecipeName = None) -> MethodReply:
    site = site_of(request)
    return MethodReply(_method(site, _asked(site, recipe)), run_state(site))


def cells(reply: Annotated[MethodReply, Depends(load)]) -> Iterator[list[str]]:
    steps = reply.method.steps if reply.method is not None else ()
    return safe_rows(_row(step) for step in steps)


def _row(step: MethodStep) -> tuple[object, ...]:
    reads = " ".join(f"{source.name}={source.step}" for source in step.inputs)
    numbers = (step.rows_in, step.rows_out, step.seconds, step.finished)
    return (step.name, step.kind, step.state, step.why, step.optional, reads, *numbers)


add_twins(router, METHOD, load, cells, COLUMNS, "method")


@router.get(METHOD)
def show(request: Request, viewer: Curator, recipe: RecipeName = None) -> HTMLResponse:
    return _render(request, viewer, recipe)


@router.post("/method/run")
def run(request: Request, viewer: CuratorSends, form: Form) -> Response:
    """Run the next step, or all up to the first that waits for people."""
    site, recipe = site_of(request), form.get("recipe") or None
    try:
        refuse_in_use(site.project.folder)
        name = _asked(site, recipe)
        drawn = _method(site, name)
        if drawn is None or drawn.next is None:
            raise Refused("there is nothing to run", code="nothing-to-run")
        path = None if name is None else recipe_path(site.project.folder, name)
        step = drawn.next if form.get("how") == "step" else None
        started = start_run(site.project, viewer.name, name, path, step)
    except OtherwordsError as problem:
        return _render(request, viewer, recipe, problem)
    _audit(site, viewer, "run started", started)
    return RedirectResponse(METHOD, 303)


@router.post("/method/stop")
def stop(request: Request, viewer: CuratorSends, form: Form) -> Response:
    try:
        stopped = stop_run(site_of(request).project)
    except Refused as problem:
        return _render(request, viewer, None, problem)
    _audit(site_of(request), viewer, "run stopped", stopped)
    return RedirectResponse(METHOD, 303)


def _audit(site: Site, viewer: Requester, action: Action, run: RunNote) -> None:
    recipe = Path(run.recipe).stem if run.recipe is not None else None
    site.writer.do(lambda connection: note(connection, viewer.name, action, recipe=recipe, step=run.step))


def _asked(site: Site, name: str | None) -> str | None:
    """The recipe that is asked for: one that ships, or the one that was run last. No other file is read."""
    last = chosen_recipe(site.project)
    if name is None or name == last:
        return last
    if name not in {recipe.name for recipe in shipped_recipes()}:
        raise Refused(f"there is no recipe {name!r}", "recipe", code="no-such-recipe")
    return name


def _method(site: Site, recipe: str | None) -> Method | None:
    """The method, which is as old as its last step that began or ended or that people finished.

    How much is left for people may be older.
    """
    facts = (runs_version(site.project), is_held(site.project.folder), finished_by_people(site.project))
    return site.cached_for(f"method {recipe}", lambda: method(site.project, recipe), *facts)


def _render(
    request: Request, viewer: Requester, asked: str | None, problem: OtherwordsError | None = None
) -> HTMLResponse:
    site = site_of(request)
    state, drawn, recipe = run_state(site), None, None
    try:
        recipe = _asked(site, asked)
        drawn = _method(site, recipe)
    except OtherwordsError as reason:
        problem = problem or reason
    steps = drawn.steps if drawn is not None else ()
    pieces, width = rails([(step.name, [source.step for source in step.inputs]) for step in steps])
    return page(
        request,
        "method.html",
        viewer,
        problem=problem,
        method=drawn,
        recipe=recipe,
        recipe_name=None if recipe is None else Path(recipe).stem,
        asked=asked,
        rows=list(zip(steps, pieces, strict=True)),
        width=width,
        ARRIVES=ARRIVES,
        LEAVES=LEAVES,
        states=STATES,
        run=state,
        finished=finished_by_people(site.project),
        last=last_site_run(site.project),
        log=log_lines(site.project),
        recipes=shipped_recipes(),
        place=_place,
        made=lambda step: _made(site, step),
        duration=duration,
        folder=site.project.folder.name,
        link=lambda path=METHOD, **changes: address(path, {"recipe": asked} if asked else {}, **changes),
        data=for_script(msgspec.to_builtins(state)),
    )


def duration(seconds: float) -> str:
    """Seconds as people say them: 0.4 s, 25 s, 3 min, 2 h."""
    if seconds < 100:
        return word(SECONDS).format(seconds=f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}")
    if seconds < 6000:
        return word(MINUTES).format(minutes=f"{seconds / 60:.0f}")
    return word(HOURS).format(hours=f"{seconds / 3600:.0f}")


def _made(site: Site, step: MethodStep) -> str | None:
    """The page of what a finished step made: a batch or a classifier."""
    if not step.finished:
        return None
    if step.model is not None:
        return page_address("models", step.model) if run_of(site.project.folder, step.model) is not None else None
    if step.kind not in MAKE_BATCHES:
        return None
    with site.ledger.reading() as connection:
        return page_address("batches", step.name) if batch_size(connection, step.name) is not None else None


def _place(step: MethodStep) -> str | None:
    """The page on which people do what a step waits for."""
    if step.task is None:
        return None
    if step.task == "judge" and len(step.batches or (EXTRACTED_BATCH,)) == 1:
        return f"/batches/{quote((step.batches or (EXTRACTED_BATCH,))[0])}"
    if step.task == "adjudicate" and len(step.batches) == 1:
        return f"/adjudicate/{quote(step.batches[0])}"
    return PAGES.get(step.task)
