"""``otherwords simulate``: made-up annotators do what waits for people."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from otherwords.simulate import Simulated

    Begin = Callable[[str, int], None]

NOUNS = {
    "triage": "document pairs triaged",
    "extract": "document pairs extracted from",
    "judge": "judgements given",
    "adjudicate": "disagreements decided",
}


@click.command("simulate")
@click.argument("project", metavar="PROJECT")
@click.option("--people", type=click.IntRange(1, 50), default=4, show_default=True, help="How many annotators.")
@click.option(
    "--accuracy", type=float, default=0.9, show_default=True, help="How often they say what is true, from 0 to 1."
)
@click.option(
    "--bias", metavar="TRUE:SAID=SHARE", multiple=True, help="How often they say one label for another: 4:3=0.1."
)
@click.option("--seconds", type=float, default=8.0, show_default=True, help="Median time for a judgement.")
@click.option("--absent", type=float, default=0.1, show_default=True, help="Share of days on which somebody is away.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same labels.")
@click.option("--batch", "batches", metavar="NAME", multiple=True, help="Only this batch; may be given several times.")
@click.option(
    "--task", metavar="LIST", help="Only these: triage, extract, judge, adjudicate; with commas between them."
)
@click.option("--most", type=click.IntRange(0), help="Stop after so many judgements.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done and what is left as JSON.")
def command(
    project: str,
    people: int,
    accuracy: float,
    bias: tuple[str, ...],
    seconds: float,
    absent: float,
    seed: int,
    batches: tuple[str, ...],
    task: str | None,
    most: int | None,
    wait: bool,
    as_json: bool,
) -> None:
    """Let made-up annotators do what waits for people.

    They triage, extract, judge, rewrite, mark types and adjudicate through the same API as people. The project is
    simulated from then on: its pages, its report and its release say so. Where people have judged, this is refused.

    \b
      otherwords simulate trial
      otherwords simulate trial --people 6 --accuracy 0.8 --bias 4:3=0.1 --seed 7
      otherwords simulate trial --batch double --task judge --json
    """
    from otherwords.project import opened
    from otherwords.simulate import Wishes, parse_bias, parse_tasks, simulate

    tasks = parse_tasks(task, batches)
    wishes = Wishes(people, accuracy, parse_bias(bias), seconds, absent, seed, tasks, batches, most)
    with opened(project) as corpus, corpus.holding(wait=wait), _bar() as (begin, progress):
        done = simulate(corpus, wishes, begin=begin, progress=progress)
    if as_json:
        click.echo(json.dumps(asdict(done), ensure_ascii=False, indent=2))
    else:
        _tell(done)


@contextlib.contextmanager
def _bar() -> Iterator[tuple[Begin, Begin]]:
    """A bar for each kind of work."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    quiet = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bars:
        known: dict[str, TaskID] = {}

        def begin(task: str, waiting: int) -> None:
            known[task] = bars.add_task(task, total=waiting)

        yield begin, lambda task, done: bars.update(known[task], completed=done)


def _tell(done: Simulated) -> None:
    from otherwords.cli.talk import say

    for task, noun in NOUNS.items():
        if count := done.done.get(task):
            say(f"{noun}: {count:,}")
    if not done.done:
        say("nothing waits for people; go on with: otherwords run")
    for task, count in done.left.items():
        if count:
            say(f"left to {task}: {count:,}")
