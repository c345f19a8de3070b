"""``otherwords run``: the steps of a recipe."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from otherwords.project import Project
    from otherwords.project.recipe import Step
    from otherwords.project.run import Plan


@click.command("run")
@click.argument("project", metavar="PROJECT")
@click.option(
    "--recipe", metavar="NAME|FILE", help="A recipe; by default the project's own recipe.toml, or its steps so far."
)
@click.option("--only", metavar="STEP", help="Run only this step.")
@click.option(
    "--set",
    "changed",
    metavar="STEP.NAME=VALUE",
    multiple=True,
    help="Change a parameter of a step, also for later runs; without a VALUE it is the recipe's again.",
)
@click.option("--dry-run", is_flag=True, help="Print the plan and run nothing.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="How many cores to use; all by default.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan or the results as JSON.")
def command(
    project: str,
    recipe: str | None,
    only: str | None,
    changed: tuple[str, ...],
    dry_run: bool,
    jobs: int | None,
    wait: bool,
    as_json: bool,
) -> None:
    """Run what is missing or stale, in order of dependence.

    A finished step whose inputs, parameters and version are the same is not run again. A run that was
    stopped goes on where it was; a step that fails leaves its last good result. Where people have to do something, the
    run stops and says what; run it again when they have.

    What --set changes stays changed in this project; status shows it.

    \b
      otherwords run corpus --recipe turku --set articles.low=0.6
      otherwords run corpus --recipe turku --set articles.low=
      otherwords run corpus --recipe method.toml --dry-run
      otherwords run corpus --recipe method.toml
      otherwords run corpus
    """
    from otherwords.cli.talk import say, stepping
    from otherwords.errors import UsageError
    from otherwords.project import opened
    from otherwords.project.run import plan, run_recipe

    with opened(project) as corpus:
        steps, holding = _changed(corpus, recipe, changed)
        if only is not None and only not in {step.name for step in steps}:
            raise UsageError(f"--only {only}: the steps are {', '.join(step.name for step in steps)}")
        chosen = [step for step in steps if only in (None, step.name)]
        _say_without_figures(chosen)
        if dry_run:
            _print([plan(corpus, step, steps) for step in chosen], as_json)
            return
        done = []
        with corpus.holding(wait=wait), stepping() as (watch, tell):
            _keep(corpus, holding)
            run_recipe(corpus, chosen, jobs=jobs, watch=watch, told=lambda one, result: done.append(tell(one, result)))
        finished = {one["step"] for one in done if one["state"] in ("done", "done before")}
        places = _places(corpus, [step for step in chosen if step.name in finished])
    if as_json:
        click.echo(json.dumps(done, ensure_ascii=False, indent=2))
    elif all(one["state"] in ("done before", "skipped") for one in done):
        say("nothing to do: every step is up to date")
    for place in places:
        say(place)


def _changed(corpus: Project, recipe: str | None, given: tuple[str, ...]) -> tuple[list[Step], dict[str, Any]]:
    """The steps of a recipe with what was set now and before, and all that holds from now on."""
    from otherwords.cli.options import in_words, settings
    from otherwords.cli.talk import say
    from otherwords.errors import UsageError
    from otherwords.project.recipe import find_recipe, read_recipe, with_settings
    from otherwords.project.settings import fitting, kept, without
    from otherwords.project.status import RECIPE, own_steps

    steps = read_recipe(find_recipe(recipe)) if recipe else own_steps(corpus)
    taken_back = [one.removesuffix("=").strip() for one in given if one.partition("=")[1:] == ("=", "")]
    if taken_back and not recipe and not (corpus.folder / RECIPE).is_file():
        raise UsageError(f"--set {taken_back[0]}=: name the recipe whose value it is to have: --recipe")
    now = settings(tuple(one for one in given if one.partition("=")[1:] != ("=", "")))
    with corpus.ledger.reading() as connection:
        before = without(kept(connection), taken_back)
    still = {address: value for address, value in fitting(before, steps).items() if address not in now}
    steps = with_settings(steps, still | now)
    if still:
        say(f"as set before: {in_words(still)}")
    return steps, before | now


def _keep(corpus: Project, holding: dict[str, Any]) -> None:
    """Note what is set, where that is something new."""
    from otherwords.project.settings import keep, kept

    with corpus.ledger.writing() as connection:
        if kept(connection) != holding:
            keep(connection, holding)


def _say_without_figures(chosen: list[Step]) -> None:
    """Say before the work what a report and a release will not have."""
    if not any(step.does in ("report", "release") for step in chosen):
        return
    from otherwords.analyse.figures import NO_FIGURES, can_draw
    from otherwords.cli.talk import say

    if not can_draw():
        say(NO_FIGURES.replace("were", "will be"))


def _places(corpus: Project, finished: list[Step]) -> list[str]:
    """Where the report and the release are, if the recipe has come so far."""
    if not any(step.does in ("report", "release") for step in finished):
        return []
    from otherwords.analyse.closing_steps import place

    found = ((step.name, place(corpus, step)) for step in finished)
    return [f"{name}: {path}" for name, path in found if path is not None]


def _print(plans: list[Plan], as_json: bool) -> None:
    if as_json:
        shown = ("key", "state", "why", "rows", "seconds", "megabytes")
        rows = [
            {"step": one.step.name, "do": one.step.does} | {name: getattr(one, name) for name in shown} for one in plans
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    from rich.table import Table

    from otherwords.cli.talk import print_table

    table = Table("step", "does", "state", "why", "rows", "about", "memory", box=None)
    for column in table.columns[4:]:
        column.justify = "right"
    for one in plans:
        work = (f"{one.seconds:,.0f} s", f"{one.megabytes:,.0f} MB") if one.state != "done" else ("–", "–")
        table.add_row(one.step.name, one.step.does, one.state, one.why, f"{one.rows:,}", *work)
    print_table(table)
