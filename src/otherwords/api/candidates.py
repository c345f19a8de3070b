"""Commands that make candidate pairs, filter them and draw samples of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from otherwords.api.projects import NoStepProgress, StepProgress, StepRun
from otherwords.api.reading import StrPath
from otherwords.errors import RecipeError, UsageError

AcquireMethod = Literal["translate", "localise", "posts", "near", "random"]


def acquire(
    project: StrPath,
    method: AcquireMethod,
    *,
    name: str | None = None,
    source: str | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    wait: bool = False,
    progress: StepProgress | None = None,
) -> StepRun:
    """Make candidate pairs from the texts of a project, and put them into it.

    ``source`` names the documents to take, ``settings`` other parameters of the method. ``name`` is the step's: a step
    that is run again with other parameters replaces the candidates that nobody has judged, under another name it adds
    to them.
    """
    from otherwords.engine import Engine
    from otherwords.project import open_project
    from otherwords.project.pipeline.run import run_step
    from otherwords.project.pipeline.step import make_step
    from otherwords.steps.catalogue import STEP_KINDS

    named = {"source": source, "seed": seed}
    chosen = {key: value for key, value in named.items() if value is not None} | dict(settings or {})
    try:
        step = make_step(STEP_KINDS.get(f"acquire-{method}"), name, **chosen)
    except RecipeError as problem:
        raise UsageError(str(problem), code=problem.code) from None
    watch = progress or NoStepProgress()
    with open_project(project) as corpus, corpus.holding(wait=wait):
        run = StepRun(*run_step(corpus, step, engine=Engine(jobs), progress=watch.begin(step)))
    watch.end(run)
    return run
