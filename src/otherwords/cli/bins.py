"""``otherwords bins``: a measure by range and label."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options

if TYPE_CHECKING:
    from otherwords.analyse.bins import Bins


@click.command("bins")
@click.argument("pairs", metavar="PAIRS")
@click.option(
    "--measure",
    "-m",
    "spec",
    metavar="NAME[:KEY=VALUE,…]",
    default="jaccard",
    show_default=True,
    help="The measure to cut into ranges.",
)
@click.option("--bins", "count", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many ranges.")
@click.option("--tokeniser", metavar="NAME", help="The tokeniser, where the measure cuts text into words.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@reading_options
def command(pairs: str, spec: str, count: int, tokeniser: str | None, as_json: bool, wishes: dict[str, Any]) -> None:
    """Count pairs by the range of a measure and by label.

    The table by which Suzuki et al. (2017) balance their corpus: how many pairs of each label lie in
    each range, and how long their texts are. Ranges are closed on the left; exact matches are a
    range of their own.

    \b
      otherwords bins tmup.tsv --from tmup --measure jaccard --bins 10
    """
    from otherwords.analyse.bins import bins_of_file
    from otherwords.cli.talk import account_lines, say, watched

    reading, table = bins_of_file(pairs, spec, count, tokeniser=tokeniser, watch=watched, **wishes)
    if as_json:
        click.echo(json.dumps(table.as_dict(), ensure_ascii=False, indent=2))
    else:
        _print(table)
    for line in account_lines(reading):
        say(line)


def _print(table: Bins) -> None:
    from rich.table import Table

    from otherwords.cli.talk import print_table

    drawn = Table("range", "pairs", "tokens 1", "tokens 2", *table.labels, title=table.signature, box=None)
    for column in drawn.columns[1:]:
        column.justify = "right"
    for row in (*table.ranges, table.total):
        means = [f"{tokens / row.pairs:.2f}" if row.pairs else "–" for tokens in (row.tokens1, row.tokens2)]
        drawn.add_row(row.name, f"{row.pairs:,}", *means, *(f"{row.labels[label]:,}" for label in table.labels))
    print_table(drawn)
