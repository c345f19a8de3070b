"""``otherwords label``: the labels that follow from the judgements of a project."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.talk import pair_bar, print_json, print_table, say
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.api.release import LabelResult


@click.command("label")
@click.argument("project", metavar="PROJECT")
@click.option("--scheme", metavar="NAME", help="Judgements of this scheme; the project's by default.")
@click.option("--views", is_flag=True, help="Also show the labels of all views of the scheme side by side.")
@click.option("--simulated", is_flag=True, help="Let simulated judgements count; every output says so.")
@click.option("--count-models", is_flag=True, help="Let judgements of models count like a person's.")
@click.option("--out", metavar="FILE", help="Write all pairs with their labels (.jsonl .csv .tsv .parquet).")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def command(project: str, views: bool, out: str | None, as_json: bool, **counted: Any) -> None:
    """Make labels from judgements.

    The label is the consensus, or a later answer of quality control. Without a consensus, the rule of the scheme
    decides. Where people disagree, the pair is open; tied votes are dropped. Answers given in training, in checks and
    to hidden tests never become labels, and those of models only with --count-models. A row of --out has the
    judgements behind a label, or the reason why there is none.

    \b
      otherwords label corpus
      otherwords label corpus --views --json
      otherwords label corpus --scheme binary-loose --out votes.jsonl
    """
    from otherwords.api.release import label

    if out == "-" and as_json:
        message = "--out - and --json both go to standard output; write one of them to a file"
        raise UsageError(message, code="conflicting-options")
    with pair_bar("labelling") as show_progress:
        result = label(project, out=out, progress=lambda done, total: show_progress(done), **counted)
    pairs = "1 pair" if result.pairs == 1 else f"{result.pairs:,} pairs"
    if out:
        say(f"{pairs} written")
    if as_json:
        counts = asdict(result) | {"table": str(result.table)}
        if not views:
            del counts["side_by_side"]
        print_json(counts)
    elif out != "-":
        click.echo(f"{pairs}, by the scheme {result.scheme}")
        _print_counts(result, views)
    if result.simulated:
        labels = "1 label rests" if result.simulated == 1 else f"{result.simulated:,} labels rest"
        say(f"{labels} on simulated judgements, which say nothing about people")
    if result.by_model:
        labels = "1 label rests" if result.by_model == 1 else f"{result.by_model:,} labels rest"
        say(f"{labels} on judgements of models, and can be in no test part")


def _print_counts(result: LabelResult, views: bool) -> None:
    tables = {"state": result.states, "label": result.labels, "made by": result.made_by, "why not": result.reasons}
    for title, counts in tables.items():
        if counts:
            _print_table([title], [((name,), count) for name, count in counts.items()])
    for name, counts in list(result.views.items())[1:]:  # the first one is the label itself
        _print_table([f"view {name}"], [((label,), count) for label, count in counts.items()])
    if views and result.side_by_side:
        rows = [(combination.labels.values(), combination.pairs) for combination in result.side_by_side]
        _print_table(result.side_by_side[0].labels, rows)


def _print_table(titles: Iterable[str], rows: Iterable[tuple[Iterable[str], int]]) -> None:
    """A table of labels and the number of pairs that have them."""
    from rich.table import Table

    table = Table(*titles, "pairs", box=None)
    table.columns[-1].justify = "right"
    for labels, count in rows:
        table.add_row(*labels, f"{count:,}")
    print_table(table)
