"""The site for people, what they disagree about, what other programs hear, and simulated annotators."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.talk import print_json, print_table, progress_bars, say

if TYPE_CHECKING:
    from otherwords.annotate.adjudication.disagreements import Case
    from otherwords.api.people import AdjudicationReport, TaskCount
    from otherwords.simulate.simulation import SimulationResult
    from otherwords.web.server import ServedProject


@click.command("serve")
@click.argument("project", metavar="PROJECT")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 is all of them.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes any free port.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of processes.")
@click.option("--address", metavar="URL", help="Where people reach the site, such as https://corpus.example.org.")
@click.option("--public", is_flag=True, help="Released pairs only, read-only, without accounts.")
def serve(project: str, host: str, port: int, workers: int, address: str | None, public: bool) -> None:
    """Serve the annotation site of PROJECT until Ctrl-C.

    The first time, it prints a link with which the admin chooses a name and a password; all others are invited
    from there, or with: otherwords user invite. Only this machine can reach it unless --host says otherwise; put
    a web server with TLS in front of it before others do, and say with --address how they reach it: links to join
    and to set a password begin with that.

    \b
      otherwords serve corpus
      otherwords serve corpus --port 9000 --workers 2
    """
    from otherwords.api import people

    def print_address(site: ServedProject) -> None:
        click.echo(site.address)
        if site.first_link:
            say(f"there is no admin yet; open this link once to become it: {site.first_link}")
        say("Ctrl-C stops it")

    people.serve(project, host=host, port=port, workers=workers, public=public, address=address, ready=print_address)


SHOWN = ("disagreements", "unsure", "decided")


@click.command("adjudicate")
@click.argument("project", metavar="PROJECT")
@click.argument("batch", metavar="BATCH")
@click.option("--show", type=click.Choice(SHOWN), default=SHOWN[0], show_default=True, help="Which pairs to list.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def adjudicate(project: str, batch: str, show: Any, as_json: bool) -> None:
    """List the disagreements of a batch, the most severe first.

    The severity is the distance of the answers by the scheme: at most 1, and flags weigh less than values. People
    decide on the page Adjudicate of the site. A pair counts when all judgements that were asked for are in.

    \b
      otherwords adjudicate corpus double-1
      otherwords adjudicate corpus double-1 --show unsure --json
    """
    from otherwords.api import people

    report = people.adjudicate(project, batch, show=show)
    if as_json:
        kept, cases = asdict(report.kept) if report.kept else None, [asdict(case) for case in report.cases]
        print_json({"batch": report.batch, **asdict(report.resolution), "kept": kept, "cases": cases})
    else:
        _print_counts(report)
        _print_cases(report.cases)


def _print_counts(report: AdjudicationReport) -> None:
    counts, kept = report.resolution, report.kept
    pairs = "1 pair" if counts.pairs == 1 else f"{counts.pairs:,} pairs"
    click.echo(f"{report.batch}: {pairs}, {counts.complete:,} with all judgements")
    click.echo(f"  agreed {counts.agreed:,}, disagreeing {counts.disagreeing:,}; decided {counts.decided:,}")
    click.echo(f"  waiting {counts.waiting:,}; agreed but unsure {counts.unsure:,}")
    if kept:
        click.echo(f"  kept {kept.kept:,}, dropped {kept.dropped:,}, open {kept.open:,}")
        for reason, count in kept.reasons.items():
            click.echo(f"    {reason}: {count:,}")


def _print_cases(cases: list[Case]) -> None:
    from rich.table import Table

    def spelled(value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    if not cases:
        return
    table = Table("severity", "pair", "answers", "decided", box=None)
    for case in cases:
        answers = "  ".join(f"{opinion.annotator or '?'}: {spelled(opinion.value)}" for opinion in case.opinions)
        decision = spelled(case.decision.value) if case.decision else "–"
        table.add_row(f"{case.severity:.2f}", case.pair, answers, decision)
    print_table(table)


NOUNS = {
    "triage": "document pairs triaged",
    "extract": "document pairs extracted from",
    "seed": "groups of posts looked at for a seed",
    "judge": "judgements given",
    "adjudicate": "disagreements decided",
}

LEFT_TO = {"seed": "look at for a seed"}


@click.command("simulate")
@click.argument("project", metavar="PROJECT")
@click.option("--people", type=click.IntRange(1, 50), default=4, show_default=True, help="Number of annotators.")
@click.option(
    "--accuracy", type=float, default=0.9, show_default=True, help="How often they give the true answer, from 0 to 1."
)
@click.option(
    "--bias",
    metavar="TRUE:GIVEN=SHARE",
    multiple=True,
    help="How often they give one label instead of another, such as 4:3=0.1.",
)
@click.option("--seconds", type=float, default=8.0, show_default=True, help="Median time for a judgement.")
@click.option("--absent", type=float, default=0.1, show_default=True, help="Share of days on which somebody is away.")
@click.option(
    "--similarity",
    type=float,
    default=0.55,
    show_default=True,
    help="How much of the truth follows from the similarity of the texts; the rest is chance.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Random seed; the same seed gives the same labels."
)
@click.option("--batch", "batches", metavar="NAME", multiple=True, help="Only this batch; may be given more than once.")
@click.option(
    "--task",
    metavar="LIST",
    help="Only these kinds of work, separated by commas: triage, extract, seed, judge, adjudicate.",
)
@click.option("--most", type=click.IntRange(0), help="Stop after that many judgements.")
@click.option("--wait", is_flag=True, help="Wait while another command uses the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the work done and left as JSON.")
def simulate(project: str, bias: tuple[str, ...], task: str | None, as_json: bool, **options: Any) -> None:
    """Let simulated annotators do the work that waits for people.

    They triage, extract, pick seeds, judge, rewrite, mark types and adjudicate through the same API as
    people. From then on the project counts as simulated, and its pages, its report and its release say so. A
    project in which people have already judged something is refused.

    \b
      otherwords simulate trial
      otherwords simulate trial --people 6 --accuracy 0.8 --bias 4:3=0.1 --seed 7
      otherwords simulate trial --batch double --task judge --json
    """
    from otherwords.api import people
    from otherwords.simulate.options import parse_bias

    with _bars() as (begin, progress):
        tasks = None if task is None else task.split(",")
        result = people.simulate(project, bias=parse_bias(bias), tasks=tasks, begin=begin, progress=progress, **options)
    if as_json:
        print_json(asdict(result))
    else:
        _print_result(project, result)


@contextlib.contextmanager
def _bars() -> Iterator[tuple[TaskCount, TaskCount]]:
    """A progress bar for each kind of work."""
    from rich.progress import MofNCompleteColumn, TaskID, TimeRemainingColumn

    with progress_bars(MofNCompleteColumn(), TimeRemainingColumn()) as bars:
        task_ids: dict[str, TaskID] = {}

        def begin(task: str, waiting: int) -> None:
            task_ids[task] = bars.add_task(task, total=waiting)

        yield begin, lambda task, done: bars.update(task_ids[task], completed=done)


def _print_result(project: str, result: SimulationResult) -> None:
    for task, noun in NOUNS.items():
        if count := result.done.get(task):
            say(f"{noun}: {count:,}")
    if not result.done:
        say(f"nothing waits for people; continue with: otherwords run {project}")
    for task, count in result.left.items():
        if count:
            say(f"left to {LEFT_TO.get(task, task)}: {count:,}")


@click.command("webhooks")
@click.argument("project", metavar="PROJECT")
@click.option("--test", is_flag=True, help="Send an event that says nothing, once, to see whether it arrives.")
@click.option("--again", is_flag=True, help="Try everything anew that was given up.")
@click.option("--deliver", is_flag=True, help="Send now what is due, as a running site does by itself.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def webhooks(project: str, test: bool, again: bool, deliver: bool, as_json: bool) -> None:
    """List what another program has heard of a project, or is to hear.

    The program, the events and the secret are under [webhooks] in otherwords.toml. A running site delivers by itself.
    Exits with 1 if a test did not arrive.

    \b
      otherwords webhooks corpus
      otherwords webhooks corpus --test
    """
    from rich.table import Table

    from otherwords.api import webhooks as api

    report = api.webhooks(project, test=test, again=again, deliver=deliver)
    if as_json:
        print_json(asdict(report))
    else:
        say(f"{', '.join(report.events)} are sent to {report.url}")
        table = Table("event", "about", "created", "state", "tries", "problem", "id", box=None)
        for delivery in report.deliveries:
            about = ", ".join(f"{name} {value}" for name, value in delivery.data.items())
            cells = (delivery.event, about, delivery.created, delivery.state, str(delivery.tries))
            table.add_row(*cells, delivery.problem or "", delivery.id)
        print_table(table)
    if report.test is not None and report.test.problem is not None:
        say(f"the test did not arrive: {report.test.problem}")
        sys.exit(1)
