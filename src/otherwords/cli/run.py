"""``otherwords run``: the steps of a recipe."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import parse_settings
from otherwords.cli.talk import number_table, print_json, print_table, say, step_bars

if TYPE_CHECKING:
    from otherwords.project.pipeline.plan import StepPlan


@click.command("run")
@click.argument("project", metavar="PROJECT")
@click.option(
    "--recipe",
    metavar="NAME|FILE",
    help="Recipe to run; by default the project's recipe.toml, else the one that was run last, else its steps so far.",
)
@click.option("--only", metavar="STEP", help="Run only this step.")
@click.option(
    "--set",
    "texts",
    metavar="STEP.NAME=VALUE",
    multiple=True,
    help="Change a parameter of a step, also for later runs; without VALUE, restore the recipe's value.",
)
@click.option("--dry-run", is_flag=True, help="Print the plan without running anything.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="Number of cores to use; all by default.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan or the results as JSON.")
def command(project: str, texts: tuple[str, ...], dry_run: bool, as_json: bool, **options: Any) -> None:
    """Run the steps of a recipe that are missing or stale, each after the steps that it depends on.

    A finished step is not run again as long as its inputs, parameters and version stay the same. A run that was
    stopped picks up where it left off; a step that fails keeps its last good result. Where people have work to
    do, the run stops and says what it is; run it again when they have finished.

    What --set changes stays changed in this project; status shows it.

    \b
      otherwords run corpus --recipe turku --set articles.low=0.6
      otherwords run corpus --recipe turku --set articles.low=
      otherwords run corpus --recipe method.toml --dry-run
      otherwords run corpus --recipe method.toml
      otherwords run corpus
    """
    from otherwords.api.projects import run

    reset = [text.removesuffix("=").strip() for text in texts if text.partition("=")[1:] == ("=", "")]
    settings = parse_settings(tuple(text for text in texts if text.partition("=")[1:] != ("=", "")))
    with step_bars() as progress:
        result = run(project, settings=settings, reset=reset, dry_run=dry_run, progress=progress, **options)
    if dry_run:
        _print_plans([step.plan for step in result.steps], as_json)
        return
    if as_json:
        print_json([step.as_dict() for step in result.steps])
    elif all(step.state in ("done before", "skipped") for step in result.steps):
        say("nothing to do: every step is up to date")
    for name, path in result.outputs.items():
        say(f"{name}: {path}")


def _print_plans(plans: list[StepPlan], as_json: bool) -> None:

    if as_json:
        rows = []
        for plan in plans:
            row = {"step": plan.step.name, "kind": plan.step.kind.name, "key": plan.key, "state": plan.state}
            rows.append({**row, "why": plan.why, **asdict(plan.estimate)})
        print_json(rows)
        return

    table = number_table("step", "kind", "state", "why", "rows", "about", "memory", "disk", names=4)
    for plan in plans:
        needs, name = plan.estimate, plan.step.name
        seconds = f"{needs.seconds:,.0f} s" if needs.seconds is not None else "not known"
        cells = (seconds, f"{needs.megabytes:,.0f} MB", f"{needs.disk_megabytes:,.0f} MB")
        work = cells if plan.state != "done" else ("–", "–", "–")
        table.add_row(name, plan.step.kind.name, plan.state, plan.why, f"{needs.rows:,}", *work)
    print_table(table)
