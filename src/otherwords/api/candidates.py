"""Commands that make candidate pairs, filter them and draw samples of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from otherwords.api.projects import NoStepProgress, StepProgress, StepRun
from otherwords.api.reading import StrPath
from otherwords.errors import RecipeError, UsageError

AcquireMethod = Literal["translate", "swap", "localise", "posts", "near", "random"]


def acquire(
    project: StrPath,
    method: AcquireMethod,
    *,
    name: str | None = None,
    source: str | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    plot: StrPath | None = None,
    jobs: int | None = None,
    wait: bool = False,
    progress: StepProgress | None = None,
) -> StepRun:
    """Make candidate pairs from the texts of a project, and put them into it.

    ``source`` names the documents to take, ``settings`` other parameters of the method. ``name`` is the step's: a step
    that is run again with other parameters replaces the candidates that nobody has judged, under another name it adds
    to them. ``plot`` is a file for a figure of the ranges of word overlap, where the method has them.
    """
    from otherwords.engine import Engine
    from otherwords.project import open_project
    from otherwords.project.pipeline.kind import make_step
    from otherwords.project.pipeline.run import run_step
    from otherwords.steps.catalogue import STEP_KINDS

    named = {"source": source, "seed": seed}
    chosen = {key: value for key, value in named.items() if value is not None} | dict(settings or {})
    try:
        step = make_step(STEP_KINDS.get(f"acquire-{method}"), name, **chosen)
    except RecipeError as problem:
        raise UsageError(str(problem), code=problem.code) from None
    watch = progress or NoStepProgress()
    with open_project(project) as corpus, corpus.holding(wait=wait):
        if step.kind.waits is not None and (missing := step.kind.waits(corpus, step.parameters)) is not None:
            raise UsageError(f"{missing.what}; {missing.then.replace('STEP.', '')}", code="bad-parameter")
        run = StepRun(*run_step(corpus, step, engine=Engine(jobs), progress=watch.begin(step)))
    watch.end(run)
    if plot is not None:
        _draw_ranges(run, method, plot)
    return run


def _draw_ranges(run: StepRun, method: str, plot: StrPath) -> None:
    """Draw how many candidates each range has, and how many of them were taken."""
    from otherwords.analyse.figures.charts import stacked_columns
    from otherwords.analyse.figures.render import save

    ranges = run.result.counts.get("ranges") if run.result is not None else None
    if not ranges:
        why = "it was done before" if run.result is None else f"{method} has no ranges of word overlap"
        raise UsageError(f"--plot {plot}: there is nothing to draw: {why}", code="nothing-to-draw")
    counts = {
        name: Counter({"taken": row["chosen"], "not taken": row["pairs"] - row["chosen"]})
        for name, row in ranges.items()
    }
    title = f"{method}: candidates by word overlap"
    save(stacked_columns(title, counts, ["taken", "not taken"], "overlap", "candidates"), plot)
