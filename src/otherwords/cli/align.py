"""``otherwords align``: documents into document pairs."""

from __future__ import annotations

from typing import Any

import click

from otherwords.cli.options import settings
from otherwords.errors import RecipeError, UsageError

METHODS = ("subtitles", "news", "headings", "forum", "groups", "posts")


@click.command("align")
@click.argument("project", metavar="PROJECT")
@click.argument("method", metavar="METHOD", type=click.Choice(METHODS))
@click.option("--low", type=float, help="Leave out pairs that are less similar than this.")
@click.option("--high", type=float, help="Leave out pairs that are more similar than this.")
@click.option("--seed", type=int, help="The seed of every random choice.")
@click.option("--round", "round_", type=click.IntRange(1), help="Subtitles: 2 draws again, by the yield of round 1.")
@click.option("--set", "given", metavar="NAME=VALUE", multiple=True, help="A parameter of the method; repeatable.")
@click.option("--explore", is_flag=True, help="Show similarities and examples around the thresholds; change nothing.")
@click.option("--plot", metavar="FILE", help="With --explore: draw the histogram as .svg or .png.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="How many cores to use; all by default.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts, or what --explore finds, as JSON.")
def command(
    project: str,
    method: str,
    low: float | None,
    high: float | None,
    seed: int | None,
    round_: int | None,
    given: tuple[str, ...],
    explore: bool,
    plot: str | None,
    jobs: int | None,
    wait: bool,
    as_json: bool,
) -> None:
    """Pair the documents of a project.

    METHOD is subtitles, news, headings, forum, groups or posts. Which pairs are worth a person's time is
    decided by a band of similarities: look with --explore, then set --low and --high.

    \b
      otherwords align corpus news --explore
      otherwords align corpus news --low 0.35 --high 0.8
    """
    import json

    from otherwords.cli.talk import stepping
    from otherwords.project import opened
    from otherwords.project.aligning import exploring
    from otherwords.project.recipe import Step
    from otherwords.project.run import run_step
    from otherwords.project.work import WORKS

    named: dict[str, Any] = {"low": low, "high": high, "seed": seed, "round": round_}
    chosen = {name: value for name, value in named.items() if value is not None} | settings(given)
    work = WORKS.get(f"align-{method}")
    try:
        parameters = work.checked(chosen)
    except RecipeError as problem:
        raise UsageError(str(problem)) from None
    step = Step(f"{method}-{round_}" if round_ and round_ > 1 else method, work.name, parameters)
    with opened(project) as corpus:
        if explore:
            _explore(exploring(corpus, step, jobs), method, plot, as_json)
            return
        with corpus.holding(wait=wait), stepping() as (watch, tell):
            told = tell(*run_step(corpus, step, jobs=jobs, progress=watch(step)))
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))


def _explore(told: dict[str, Any], method: str, plot: str | None, as_json: bool) -> None:
    """What --explore found: a histogram, examples around each threshold, and a proposal."""
    import json

    if plot:
        from otherwords.analyse.figures import histogram_figure, save

        save(histogram_figure(told["histogram"], f"{method}: similarity of {told['pairs']:,} candidates"), plot)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    most = max(row["count"] for row in told["histogram"]) or 1
    for row in told["histogram"]:
        click.echo(f"{row['from']:.2f}  {row['count']:>9,}  {'█' * round(50 * row['count'] / most)}")
    for end in told["thresholds"]:
        for side in ("below", "above"):
            for pair in end[side]:
                click.echo(
                    f"\n{side} {end['threshold']:.2f}: {pair['similarity']:.3f}  {pair['doc1']} and {pair['doc2']}"
                )
                for begins in (pair["begins1"], pair["begins2"]):
                    click.echo("  " + " / ".join(begins.splitlines()))
    if proposal := told["proposal"]:
        click.echo(f"\nthe shape of the histogram proposes --low {proposal['low']:g} --high {proposal['high']:g}")
        click.echo(f"  low: {proposal['low_because']}\n  high: {proposal['high_because']}")
    else:
        click.echo(f"\nno band is proposed: {told['why_not']}")
