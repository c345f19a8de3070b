"""``otherwords batch``: which pairs are judged, how often, by whom and under which rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import click

from otherwords.cli.options import reading_options, split_names
from otherwords.cli.people.batch_checks import check_machine, check_rewrites, print_check_result, qa
from otherwords.cli.people.batch_parts import (
    created_text,
    json_option,
    name_argument,
    outcome_lines,
    people_option,
    project_argument,
    rule_lines,
    seed_option,
)
from otherwords.cli.talk import print_json, print_table, say
from otherwords.errors import UsageError

PURPOSES = ("production", "training", "agreement", "check", "qa")
_COLUMNS = ("batch", "purpose", "scheme", "pairs", "times", "done", "of", "people", "state")


@click.group("batch")
def command() -> None:
    """Create batches of pairs for people to judge, and see their progress.

    With --times 2, every pair is judged by two people, who see nothing of each other until both are done.
    """


@command.command()
@project_argument
@name_argument
@click.option(
    "--where",
    "filters",
    metavar="KEY=VALUE",
    multiple=True,
    help="Only pairs that fit, as in browse: query, label, projection, source, method, lang, group, type, "
    "annotator, batch, measure with low and high, has.",
)
@click.option("--pairs", metavar="FILE", help="Only these pairs: a file with one id a line.")
@click.option("--not-in", metavar="BATCH", multiple=True, help="Leave out the pairs of that batch.")
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="A random sample of that many pairs, none of them decided by the team or judged by two people.",
)
@click.option("--also-decided", is_flag=True, help="Sample also from pairs that are decided or judged by two people.")
@seed_option
@click.option("--shuffled", is_flag=True, help="In random order instead of the order of import.")
@click.option(
    "--order",
    type=click.Choice(["disagreement", "uncertainty", "diverse"]),
    help="Choose pairs by worth: where models disagree, where a model is unsure, or spread over all kinds of texts.",
)
@click.option(
    "--random-share",
    type=click.FloatRange(0, 1),
    default=0.2,
    show_default=True,
    help="With --order: this share is drawn at random, for estimates.",
)
@click.option(
    "--with",
    "models",
    metavar="RUN",
    multiple=True,
    help="With --order: the folder of a trained classifier; two for their disagreement.",
)
@click.option("--times", type=click.IntRange(1, 100), default=1, show_default=True, help="Judgements per pair.")
@people_option
@click.option("--assign", is_flag=True, help="Assign the pairs to these people instead of giving them a pool.")
@click.option("--no-context", is_flag=True, help="Hide the documents.")
@click.option("--not-own", is_flag=True, help="Give nobody a pair that they extracted or wrote.")
@click.option("--not-again", is_flag=True, help="Give nobody a pair that they have judged before, in any batch.")
@click.option("--final", is_flag=True, help="Answers cannot be changed or taken back.")
@click.option(
    "--second-sees",
    metavar="ANSWER,…",
    help="The second annotator gets only pairs to which the first gave one of these answers.",
)
@click.option(
    "--keep",
    metavar="QUESTION=ANSWER,…",
    multiple=True,
    help="Keep only pairs to which everybody gives one of these answers.",
)
@click.option(
    "--agree-on", metavar="QUESTION,…", help="Keep only pairs on which all answers to these questions are the same."
)
@click.option(
    "--tests",
    metavar="all|source=NAME|FILE",
    help="Hide test pairs among the others: all with a gold label, those of a source, or the ids in a file.",
)
@click.option(
    "--every",
    "test_interval",
    type=click.IntRange(2, 100),
    default=5,
    show_default=True,
    help="One task in so many is a test on average.",
)
@click.option(
    "--gate",
    metavar="usual|NAME=NUMBER,…",
    is_flag=False,
    flag_value="usual",
    help="Pause people who do badly: accuracy, kappa, window, fewest_tests, fewest_shared.",
)
@click.option(
    "--practice",
    metavar="N|all|source=NAME|FILE",
    help="Everybody answers these pairs first and sees why: N of those with a gold label, or chosen as tests are.",
)
@click.option(
    "--practice-share",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="The share of the practice pairs that has to be right before the batch opens.",
)
@click.option("--deploy", is_flag=True, help="Begin with the first 20 pairs of each group; crowd deploy adds more.")
@click.option(
    "--purpose", type=click.Choice(PURPOSES), default="production", show_default=True, help="Purpose of the batch."
)
@click.option("--scheme", metavar="SCHEME", help="The scheme of its labels; the project's by default.")
def new(
    project: str,
    name: str,
    filters: tuple[str, ...],
    people: str | None,
    second_sees: str | None,
    keep: tuple[str, ...],
    agree_on: str | None,
    **options: Any,
) -> None:
    """Create a batch of pairs, or of the units of its scheme: topic is about groups.

    With --order, pairs are chosen by worth, but for a random share from which batch show and analyse estimate the
    shares of labels. A sample is shuffled, so that the order tells nobody why a pair is there.

    \b
      otherwords batch new corpus monday --where source=news --where has=none --sample 200 --for anna
      otherwords batch new corpus double-1 --sample 100 --times 2 --for anna,ben --purpose agreement
      otherwords batch new corpus tweets --times 6 --scheme binary-loose --tests all --gate
      otherwords batch new corpus hard --sample 200 --order uncertainty --with models/features
      otherwords batch new corpus strict --times 2 --scheme rupaws --keep well_formed=yes --agree-on paraphrase
    """
    from otherwords.api import batch

    if options["order"] and options["shuffled"]:
        raise UsageError("--order and --shuffled exclude each other; leave one out", code="conflicting-options")
    created = batch.new(
        project,
        name,
        where=_parse_filters(filters),
        people=split_names(people),
        second_sees=split_names(second_sees),
        keep=_parse_keep(keep),
        agree_on=split_names(agree_on),
        **options,
    )
    say(created_text(created))
    if created.items < (options["sample"] or 0):
        why = (
            "fit" if options["also_decided"] else "fit and are not decided or judged by two people; see --also-decided"
        )
        say(f"  fewer than the {options['sample']:,} asked for: no more {why}")
    for gap in (*([created.people_gap] if created.people_gap else []), *created.gate_gaps):
        say(f"  {gap}")


@command.command("list")
@project_argument
@json_option
def list_batches(project: str, as_json: bool) -> None:
    """List the batches and their progress.

    \b
      otherwords batch list corpus
    """
    from rich.table import Table

    from otherwords.api import batch

    states = batch.list(project)
    if as_json:
        print_json([asdict(state) for state in states])
    elif not states:
        say(f"no batch yet: otherwords batch new {project} NAME")
    else:
        table = Table(*_COLUMNS, box=None)
        for state in states:
            people = ", ".join(f"{name} {done:,}" for name, done in state.people) or "–"
            counts = [f"{number:,}" for number in (state.items, state.asked, state.done, state.slots)]
            table.add_row(state.id, state.purpose, state.scheme, *counts, people, state.state)
        print_table(table)


@command.command()
@project_argument
@name_argument
@json_option
def show(project: str, name: str, as_json: bool) -> None:
    """Show the rules of a batch, the progress of each person and the results so far.

    \b
      otherwords batch show corpus double-1
    """
    import msgspec

    from otherwords.api.batch import show as show_batch

    report = show_batch(project, name)
    batch, progress = report.batch, report.progress
    if as_json:
        rules = {field: getattr(batch.rules, field) for field in batch.rules.__struct_fields__}
        shown = asdict(progress) | {"rules": rules, "author": batch.author, "outcome": asdict(report.outcome)}
        shown["gate_gaps"] = list(report.gate_gaps)
        shown["estimates"] = [asdict(estimate) for estimate in report.estimates]
        print_json(msgspec.to_builtins(shown))
        return
    noun = "pair" if progress.items == 1 else "pairs"
    click.echo(f"{batch.id}: {progress.items:,} {noun} × {batch.asked}, scheme {batch.scheme}, for {batch.purpose}")
    click.echo(f"  {batch.state}; {progress.done:,} of {progress.slots:,} judgements are in, {progress.held:,} in hand")
    people = [f"{person}: {done:,}" for person, done in progress.people]
    for line in (*rule_lines(batch.rules), *report.gate_gaps, *people, *outcome_lines(report.outcome)):
        click.echo(f"  {line}")
    for estimate in report.estimates:
        interval = f"{estimate.low:.1%} … {estimate.high:.1%}"
        judged = f"{estimate.pairs:,} of {estimate.judged:,} random pairs"
        click.echo(f"  estimated share of {estimate.label}: {estimate.share:.1%} ({interval}), {judged}")


@command.command()
@project_argument
@name_argument
def close(project: str, name: str) -> None:
    """Close a batch: nobody gets more of its pairs.

    \b
      otherwords batch close corpus monday
    """
    from otherwords.api import batch

    say(f"{name} is {batch.close(project, name).state}")


@command.command("open")
@project_argument
@name_argument
def open_again(project: str, name: str) -> None:
    """Open a closed batch again.

    \b
      otherwords batch open corpus monday
    """
    from otherwords.api import batch

    say(f"{name} is {batch.open(project, name).state}")


@command.command()
@project_argument
@name_argument
@click.option("--scheme", metavar="SCHEME", help="Judgements of this scheme; the project's by default.")
def imported(project: str, name: str, scheme: str | None) -> None:
    """Create a batch of imported judgements, to decide where people disagree.

    It has the pairs with at least two imported judgements and no consensus. Nobody is asked again: the batch is
    closed, and its disagreements wait on the page Adjudicate.

    \b
      otherwords import corpus judgements said.csv
      otherwords batch imported corpus old-sheets
      otherwords adjudicate corpus old-sheets
    """
    from otherwords.api import batch

    created = batch.imported(project, name, scheme=scheme)
    judged = f"judged up to {created.batch.asked} times"
    say(f"{created_text(created, judged)}; next: otherwords adjudicate {project} {name}")


@command.command()
@project_argument
@name_argument
@click.argument("files", metavar="OUTPUTS…", nargs=-1, required=True)
@click.option(
    "--ask",
    type=click.Choice(["ratings", "types", "preference", "best-worst"]),
    default="ratings",
    show_default=True,
    help="Three scales from 1 to 5, good and poor types, the better of two, or the best and worst of up to four.",
)
@click.option(
    "--times", type=click.IntRange(1, 100), help="Judgements per output or comparison; 3 by default, 1 for types."
)
@click.option("--sample", type=click.IntRange(1), metavar="N", help="A random sample of that many sources.")
@people_option
@seed_option
@reading_options
def outputs(project: str, name: str, files: tuple[str, ...], people: str | None, reading: Any, **options: Any) -> None:
    """Create a blind batch of what systems wrote, for people to rate or compare.

    OUTPUTS are pairs of a source and an output, as `otherwords generate` writes them; a file is a system unless its
    pairs name one. They are shuffled, and nobody sees which system wrote what. Sources that not every system has an
    output for are left out, and so are empty outputs. `otherwords evaluate ratings` shows the results.

    \b
      otherwords batch outputs corpus rated outputs.jsonl --for anna,ben,cem
      otherwords batch outputs corpus types outputs.jsonl --ask types --sample 50
      otherwords batch outputs corpus better small.jsonl large.jsonl --ask preference
    """
    from otherwords.analyse.finding import quantity
    from otherwords.api import batch

    created = batch.outputs(project, name, files, people=split_names(people), **options, **reading)
    made, noun = created.batch, "output" if created.batch.unit == "pair" else "comparison"
    counts = [quantity(created.items, noun), quantity(len(created.systems), "system")]
    say(
        f"{made.id}: {' of '.join(counts)} for {quantity(created.sources, 'source')}, "
        f"to be judged {'once' if made.asked == 1 else f'{made.asked} times each'}"
    )
    for reason, count in created.left_out.items():
        say(f"  left out: {count:,} × {reason}")


def _parse_filters(options: Iterable[str]) -> dict[str, str]:
    """``KEY=VALUE`` options as the parameters of a filter."""
    filters: dict[str, str] = {}
    for option in options:
        key, equals, value = (part.strip() for part in option.partition("="))
        if not equals or not key or not value:
            raise UsageError(f"--where {option!r}: expected KEY=VALUE, such as source=news", code="bad-filter-option")
        if filters.setdefault(key, value) != value:
            raise UsageError(f"--where {key} is given twice", code="duplicate-filter")
    return filters


def _parse_keep(options: Iterable[str]) -> dict[str, list[str]]:
    """``QUESTION=ANSWER,…`` options as the accepted answers by question."""
    accepted: dict[str, list[str]] = {}
    for option in options:
        question, _, answers = option.partition("=")
        if not question.strip() or not split_names(answers):
            message = f"--keep {option!r}: expected QUESTION=ANSWER, such as well_formed=yes"
            raise UsageError(message, code="bad-keep-option")
        accepted[question.strip()] = split_names(answers)
    return accepted


for _added in (qa, check_rewrites, check_machine, print_check_result):
    command.add_command(_added)
