"""``otherwords batch``: what is to be judged, how often, by whom and under which rules."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.batch_wishes import filter_settings, keep_rule, names, with_crowd
from otherwords.cli.batch_words import cells, outcome_in_words, rules_in_words, rules_of, shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from otherwords.annotate.batches import Wanted
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
@click.option(
    "--not-again", is_flag=True, help="Give nobody a pair that they have judged before, for the corpus itself."
)
@click.option("--final", is_flag=True, help="Answers cannot be changed or taken back.")
@click.option(
    "--second-sees",
    metavar="ANSWER,…",
    help="The second annotator gets only what the first gave one of these.",
)
@click.option(
    "--keep", metavar="QUESTION=ANSWER,…", multiple=True, help="Keep only pairs of which everybody gives one of these."
)
@click.option("--agree-on", metavar="QUESTION,…", help="Keep only pairs on which all give the same answer to these.")
@click.option(
    "--tests",
    metavar="all|source=NAME|FILE",
    help="Hide test pairs among the others: all that have a gold label, those of a source, or the ids in a file.",
)
@click.option(
    "--every", type=click.IntRange(2, 100), default=5, show_default=True, help="One pair in so many is a test."
)
@click.option(
    "--gate",
    metavar="usual|NAME=NUMBER,…",
    is_flag=False,
    flag_value="usual",
    help="Pause whoever does not do well enough: accuracy, kappa, window, fewest_tests, fewest_shared.",
)
@click.option(
    "--deploy",
    is_flag=True,
    help="Begin with the first 20 pairs of each group; crowd deploy adds more.",
)
@click.option("--purpose", type=click.Choice(PURPOSES), default="production", show_default=True, help="What for.")
@click.option(
    "--scheme",
    metavar="SCHEME",
    help="The labels to give; the project's own otherwise.",
)
def new(project: str, name: str, filters: tuple[str, ...], not_in: tuple[str, ...], people: str, **wishes: Any) -> None:
    """Make a batch of pairs, or of what its scheme is about: topic is about groups.

    \b
      otherwords batch new corpus monday --where source=news --where has=none --sample 200 --for anna
      otherwords batch new corpus double-1 --sample 100 --times 2 --for anna,ben --purpose agreement
      otherwords batch new corpus tweets --times 6 --scheme binary-loose --tests all --gate
      otherwords batch new corpus strict --times 2 --scheme rupaws --keep well_formed=yes --agree-on paraphrase
    """
    from otherwords.annotate.batches import Rules
    from otherwords.annotate.making import Plan, choose
    from otherwords.annotate.pair_filter import parse
    from otherwords.project import opened, search

    shown: dict[str, Any] = {
        "context": not wishes["no_context"],
        "own": not wishes["not_own"],
        "again": not wishes["not_again"],
        "undo": not wishes["final"],
        "second_sees": names(wishes["second_sees"]),
        "keep": keep_rule(wishes["keep"], names(wishes["agree_on"])),
    }
    plan = Plan(
        name=name,
        wanted=parse(filter_settings(filters)),
        not_in=not_in,
        order="shuffled" if wishes["shuffled"] else "arrival",
        asked=wishes["times"],
        rules=Rules(people=names(people), assigned=wishes["assign"], **shown),
        **{name: wishes[name] for name in ("sample", "seed", "purpose", "scheme")},
    )
    with opened(project) as corpus:
        if plan.wanted.query is not None:
            search.catch_up(corpus)
        with corpus.ledger.reading() as connection:
            rules = with_crowd(connection, plan.rules, wishes)
            plan = replace(plan, rules=rules)
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
            table.add_row(*cells(one))
        print_table(table)


@command.command()
@_project
@_name
@_as_json
def show(project: str, name: str, as_json: bool) -> None:
    """Show the rules of a batch and how far each person is.

    \b
      otherwords batch show corpus double-1
    """
    import msgspec

    from otherwords.analyse.progress import batch_states
    from otherwords.annotate.batch_outcome import outcome
    from otherwords.annotate.batches import batch
    from otherwords.annotate.schemes import scheme
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.reading() as connection:
        found = batch(connection, name)
        state = next(one for one in batch_states(connection) if one.id == name)
        came = outcome(connection, found, scheme(found.scheme, corpus.folder))
    if as_json:
        told = asdict(state) | {"rules": rules_of(found), "author": found.author, "outcome": asdict(came)}
        click.echo(json.dumps(msgspec.to_builtins(told), ensure_ascii=False, indent=2))
        return
    click.echo(f"{found.id}: {state.items:,} pairs × {found.asked}, scheme {found.scheme}, for {found.purpose}")
    click.echo(f"  {found.state}; {state.done:,} of {state.slots:,} judgements are in, {state.held:,} in hand")
    for line in rules_in_words(found):
        click.echo(f"  {line}")
    for who, done in state.people:
        click.echo(f"  {who}: {done:,}")
    for line in outcome_in_words(came):
        click.echo(f"  {line}")


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


@command.command()
@_project
@_name
@click.option("--label", metavar="LABEL", default="", help="Pairs of that label; 4 is every 4, also with flags.")
@click.option("--flag", metavar="FLAG", default="", help="Pairs whose label has that flag.")
@_people
@click.option("--scheme", metavar="SCHEME", help="Whose labels; the project's own otherwise.")
def qa(project: str, name: str, label: str, flag: str, people: str | None, scheme: str | None) -> None:
    """Make a round of quality control: check all pairs of a label or a flag against the newest guideline.

    What was judged first comes first. Each pair comes with the label that it has; who checks it accepts that or gives
    it another, which then is its label (Kanerva et al. 2023, §5.4). The command show counts what was changed.

    \b
      otherwords batch qa corpus style-round --flag s
      otherwords batch qa corpus fours --label 4 --for anna
    """
    from otherwords.annotate.making import known_scheme
    from otherwords.annotate.qa import choose_qa, plan_qa
    from otherwords.annotate.schemes import scheme as scheme_of
    from otherwords.project import opened

    plan = plan_qa(name, scheme, names(people))
    with opened(project) as corpus:
        labels = scheme_of(known_scheme(corpus, scheme), corpus.folder)
        with corpus.ledger.reading() as connection:
            chosen = choose_qa(connection, corpus, labels, label, flag)
        _make(corpus, plan, chosen)


@command.command()
@_project
@_name
@click.option("--scheme", metavar="SCHEME", help="Judgements of this scheme; the project's own otherwise.")
def imported(project: str, name: str, scheme: str | None) -> None:
    """Make a batch of what several people judged elsewhere, to decide where they differ.

    It takes the imported judgements of pairs that have at least two of them and no consensus. Nobody is asked again:
    the batch is closed, and its disagreements wait on the page Adjudicate.

    \b
      otherwords import corpus judgements said.csv
      otherwords batch imported corpus old-sheets
      otherwords adjudicate corpus old-sheets
    """
    from otherwords.annotate.gathering import gather
    from otherwords.cli.talk import say
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.writing() as connection:
        made, pairs = gather(connection, corpus, name, scheme)
    say(f"{made.id}: {pairs:,} pairs, judged up to {made.asked} times; next: otherwords adjudicate {project} {name}")


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

    plan = plan_check(name, seed, names(people), size)
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
        table.add_row(title, *(f"{getattr(half, name):,}" for name in (*counts, "plain")), *shares(half))
    print_table(table)


def _make(corpus: Project, plan: Plan, chosen: Sequence[Wanted]) -> None:
    from otherwords.annotate.making import put_together
    from otherwords.cli.talk import say

    with corpus.ledger.writing() as connection:
        made = put_together(connection, corpus, plan, chosen)
    times = "once" if made.asked == 1 else f"{made.asked} times each"
    units = {"pair": "pairs", "document_pair": "document pairs", "group": "groups"}[made.unit]
    say(f"{made.id}: {len(chosen):,} {units}, to be judged {times}")
