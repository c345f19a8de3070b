"""``otherwords run``: the steps of a recipe."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from otherwords.project.run import Plan


@click.command("run")
@click.argument("project", metavar="PROJECT")
@click.option(
    "--recipe", metavar="NAME|FILE", help="A recipe; by default the project's own recipe.toml, or its steps so far."
)
@click.option("--only", metavar="STEP", help="Run only this step.")
@click.option("--set", "changed", metavar="STEP.NAME=VALUE", multiple=True, help="Change a parameter of a step.")
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

    \b
      otherwords run corpus --recipe turku --set release.licence=CC-BY-4.0
      otherwords run corpus --recipe method.toml --dry-run
      otherwords run corpus --recipe method.toml
      otherwords run corpus
    """
    from otherwords.cli.options import settings
    from otherwords.cli.talk import say, stepping
    from otherwords.errors import UsageError
    from otherwords.project import opened
    from otherwords.project.recipe import find_recipe, read_recipe, with_settings
    from otherwords.project.run import plan, run_recipe
    from otherwords.project.status import own_steps

    with opened(project) as corpus:
        steps = read_recipe(find_recipe(recipe)) if recipe else own_steps(corpus)
        steps = with_settings(steps, settings(changed))
        if only is not None and only not in {step.name for step in steps}:
            raise UsageError(f"--only {only}: the steps are {', '.join(step.name for step in steps)}")
        chosen = [step for step in steps if only in (None, step.name)]
        if dry_run:
            _print([plan(corpus, step) for step in chosen], as_json)
            return
        done = []
        with corpus.holding(wait=wait), stepping() as (watch, tell):
            run_recipe(corpus, chosen, jobs=jobs, watch=watch, told=lambda one, result: done.append(tell(one, result)))
    if as_json:
        click.echo(json.dumps(done, ensure_ascii=False, indent=2))
    elif all(one["state"] in ("done before", "skipped") for one in done):
        say("nothing to do: every step is up to date")


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
