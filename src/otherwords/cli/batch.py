"""``otherwords batch``: what is to be judged, how often, by whom and under which rules."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from otherwords.analyse.progress import BatchState
    from otherwords.annotate.batches import Batch, Wanted
    from otherwords.annotate.check_results import Half
    from otherwords.annotate.making import Plan
    from otherwords.project import Project

_project = click.argument("project", metavar="PROJECT")
_name = click.argument("name", metavar="NAME")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
_people = click.option("--for", "people", metavar="NAME,…", help="Who may work on it; anybody otherwise.")
_seed = click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Of all chance.")
PURPOSES = ("production", "training", "agreement", "check", "qa")
_COLUMNS = ("batch", "purpose", "scheme", "pairs", "times", "done", "of", "people", "state")


@click.group("batch")
def command() -> None:
    """Make batches of pairs for people to judge, and see how far they are.

    Of a batch with --times 2 every pair is judged by two people, who see nothing of each other until both are done.
    """


@command.command()
@_project
@_name
@click.option(
    "--where",
    "filters",
    metavar="KEY=VALUE",
    multiple=True,
    help="Only pairs that fit, as in browse: query, label, projection, source, method, lang, group, type, "
    "annotator, batch, measure with low and high, has.",
)
@click.option("--not-in", "not_in", metavar="BATCH", multiple=True, help="Leave out the pairs of that batch.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="A random part of them, of so many pairs.")
@_seed
@click.option("--shuffled", is_flag=True, help="In a random order instead of that of their arrival.")
@click.option("--times", type=click.IntRange(1, 100), default=1, show_default=True, help="Judgements of each pair.")
@_people
@click.option("--assign", is_flag=True, help="Deal the pairs out to these people instead of giving them a pool.")
@click.option("--no-context", is_flag=True, help="Hide the documents.")
@click.option("--not-own", is_flag=True, help="Give nobody a pair that they extracted or wrote.")
@click.option("--final", is_flag=True, help="Answers cannot be changed or taken back.")
@click.option("--purpose", type=click.Choice(PURPOSES), default="production", show_default=True, help="What for.")
@click.option("--scheme", metavar="SCHEME", help="The labels to give; the project's own otherwise.")
def new(project: str, name: str, filters: tuple[str, ...], not_in: tuple[str, ...], people: str, **wishes: Any) -> None:
    """Make a batch of pairs.

    \b
      otherwords batch new corpus monday --where source=news --where has=none --sample 200 --for anna
      otherwords batch new corpus double-1 --sample 100 --times 2 --for anna,ben --purpose agreement
    """
    from otherwords.annotate.batches import Rules
    from otherwords.annotate.making import Plan, choose
    from otherwords.annotate.pair_filter import parse
    from otherwords.project import opened, search

    shown: dict[str, Any] = {
        "context": not wishes["no_context"],
        "own": not wishes["not_own"],
        "undo": not wishes["final"],
    }
    plan = Plan(
        name=name,
        wanted=parse(_settings(filters)),
        not_in=not_in,
        order="shuffled" if wishes["shuffled"] else "arrival",
        asked=wishes["times"],
        rules=Rules(people=_names(people), assigned=wishes["assign"], **shown),
        **{name: wishes[name] for name in ("sample", "seed", "purpose", "scheme")},
    )
    with opened(project) as corpus:
        if plan.wanted.query is not None:
            search.catch_up(corpus)
        with corpus.ledger.reading() as connection:
            chosen = choose(connection, corpus, plan)
        _make(corpus, plan, chosen)


@command.command("list")
@_project
@_as_json
def list_batches(project: str, as_json: bool) -> None:
    """List the batches and how far they are.

    \b
      otherwords batch list corpus
    """
    from rich.table import Table

    from otherwords.analyse.progress import batch_states
    from otherwords.cli.talk import print_table, say
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.reading() as connection:
        states = batch_states(connection)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in states], ensure_ascii=False, indent=2))
    elif not states:
        say(f"no batch yet: otherwords batch new {project} NAME")
    else:
        table = Table(*_COLUMNS, box=None)
        for one in states:
            table.add_row(*_cells(one))
        print_table(table)


def _cells(one: BatchState) -> list[str]:
    people = ", ".join(f"{name} {done:,}" for name, done in one.people) or "–"
    counts = [f"{number:,}" for number in (one.items, one.asked, one.done, one.slots)]
    return [one.id, one.purpose, one.scheme, *counts, people, one.state]


@command.command()
@_project
@_name
@_as_json
def show(project: str, name: str, as_json: bool) -> None:
    """Show the rules of a batch and how far each person is.

    \b
      otherwords batch show corpus double-1
    """
    from otherwords.analyse.progress import batch_states
    from otherwords.annotate.batches import batch
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.reading() as connection:
        found = batch(connection, name)
        state = next(one for one in batch_states(connection) if one.id == name)
    if as_json:
        told = asdict(state) | {"rules": _rules(found), "author": found.author}
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    click.echo(f"{found.id}: {state.items:,} pairs × {found.asked}, scheme {found.scheme}, for {found.purpose}")
    click.echo(f"  {found.state}; {state.done:,} of {state.slots:,} judgements are in, {state.held:,} in hand")
    for line in _said(found):
        click.echo(f"  {line}")
    for who, done in state.people:
        click.echo(f"  {who}: {done:,}")


def _rules(found: Batch) -> dict[str, Any]:
    return {name: getattr(found.rules, name) for name in found.rules.__struct_fields__}


def _said(found: Batch) -> list[str]:
    """The rules of a batch in words, as far as they are not those of every batch."""
    rules = found.rules
    told = [(not rules.context, "the documents are hidden"), (not rules.own, "nobody judges what they made")]
    told += [(not rules.undo, "answers are final"), (rules.assigned, "pairs are dealt out")]
    people = f"for {', '.join(rules.people)}" if rules.people else "for anybody"
    return [people, *(words for holds, words in told if holds)]


@command.command()
@_project
@_name
def close(project: str, name: str) -> None:
    """Close a batch: nobody is given more of it.

    \b
      otherwords batch close corpus monday
    """
    _change(project, name, "closed")


@command.command("open")
@_project
@_name
def open_again(project: str, name: str) -> None:
    """Open a batch that was closed.

    \b
      otherwords batch open corpus monday
    """
    _change(project, name, "open")


def _change(project: str, name: str, state: str) -> None:
    from otherwords.annotate.making import change_state
    from otherwords.cli.talk import say
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.writing() as connection:
        change_state(connection, name, state)
    say(f"{name} is {state}")


@command.command("check-rewrites")
@_project
@_name
@click.option("--size", type=click.IntRange(2), default=200, show_default=True, help="Pairs, half of them rewrites.")
@_people
@_seed
def check_rewrites(project: str, name: str, size: int, people: str | None, seed: int) -> None:
    """Make a blind check of rewrites: are they the paraphrases that they are meant to be?

    Rewrites are mixed half and half with ordinary pairs and shuffled; the documents are hidden; each is judged twice,
    by people who neither wrote nor judged it (Kanerva et al. 2023, §6.1).

    \b
      otherwords batch check-rewrites corpus blind-1 --size 200 --for anna,ben,cem
    """
    from otherwords.annotate.checking import choose_check, plan_check
    from otherwords.project import opened

    plan = plan_check(name, seed, _names(people), size)
    with opened(project) as corpus:
        with corpus.ledger.reading() as connection:
            chosen = choose_check(connection, size, seed, plan.rules.people)
        _make(corpus, plan, chosen)


@command.command("check-result")
@_project
@_name
@_as_json
def print_check_result(project: str, name: str, as_json: bool) -> None:
    """Show the share of plain paraphrases among the rewrites of a check, and among the other pairs.

    A pair counts when the team has agreed on it, or both people said the same.

    \b
      otherwords batch check-result corpus blind-1
    """
    from rich.table import Table

    from otherwords.annotate.check_results import check_result
    from otherwords.cli.talk import print_table
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.reading() as connection:
        found = check_result(connection, corpus, name)
    if as_json:
        click.echo(json.dumps(asdict(found), ensure_ascii=False, indent=2))
        return
    counts = ("pairs", "judged", "complete", "agreed", "adjudicated", "open")
    table = Table("", *counts, f"plain {found.label}", "share", "at least", "at most", box=None)
    for title, half in (("rewrites", found.rewrites), ("others", found.others)):
        table.add_row(title, *(f"{getattr(half, name):,}" for name in (*counts, "plain")), *_shares(half))
    print_table(table)


def _shares(half: Half) -> list[str]:
    return ["–" if one is None else f"{one:.1%}" for one in (half.share, half.least, half.most)]


def _make(corpus: Project, plan: Plan, chosen: Sequence[Wanted]) -> None:
    from otherwords.annotate.making import put_together
    from otherwords.cli.talk import say

    with corpus.ledger.writing() as connection:
        made = put_together(connection, corpus, plan, chosen)
    times = "once" if made.asked == 1 else f"{made.asked} times each"
    say(f"{made.id}: {len(chosen):,} pairs, to be judged {times}")


def _settings(filters: tuple[str, ...]) -> dict[str, str]:
    """``KEY=VALUE`` options as a filter's parameters."""
    told: dict[str, str] = {}
    for one in filters:
        key, equals, value = one.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UsageError(f"--where {one!r}: expected KEY=VALUE, such as source=news")
        if told.setdefault(key.strip(), value.strip()) != value.strip():
            raise UsageError(f"--where {key.strip()} is given twice")
    return told


def _names(people: str | None) -> list[str]:
    return [name.strip() for name in (people or "").split(",") if name.strip()]
