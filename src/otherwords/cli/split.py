"""``otherwords split``: which pairs are for training, development and test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options
from otherwords.cli.talk import number_table, print_json, print_table, say

if TYPE_CHECKING:
    from otherwords.api.release import SplitResult

MOST_LISTED = 10  # parts in the line that sums up a split


@click.command("split")
@click.argument("path", metavar="PROJECT|FILE")
@click.option(
    "--by",
    type=click.Choice(["group", "document", "time", "pair"]),
    help="What stays together; by default group or document if most pairs have one, else pair with --components.",
)
@click.option("--components", is_flag=True, help="Also keep pairs together that share a sentence.")
@click.option(
    "--parts", default="80/10/10", show_default=True, metavar="N/N/N", help="Per cent for train, dev and test."
)
@click.option("--folds", type=int, default=0, metavar="N", help="That many equal folds instead, numbered from 0.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed, for equal units.")
@click.option("--before", metavar="DATE,…", help="By time: where dev and test begin; by default as --parts says.")
@click.option("--out", metavar="FILE|FOLDER", help="Write the pairs with their part; a folder gets a file per part.")
@click.option("--simulated", is_flag=True, help="Let simulated judgements make labels; every output says so.")
@click.option("--count-models", is_flag=True, help="Let judgements of models make labels; such pairs are in no test.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary of the split as JSON.")
@reading_options
def command(path: str, before: str | None, out: str | None, as_json: bool, reading: Any, **options: Any) -> None:
    """Split a corpus so that nothing of the test is seen in training.

    Whole groups or documents stay together, a rewrite with its original, and released pairs keep their part. Sizes and
    labels are as close to the request as that allows. A project keeps the split; the pairs of a file go to standard
    output, with their part under meta.

    \b
      otherwords split corpus --by group --parts 80/10/10
      otherwords split corpus --by time --before 2023-01-01,2023-07-01
      otherwords split pairs.jsonl --components --out parts
      otherwords split pairs.jsonl --folds 100 > folded.jsonl
    """
    from otherwords.api.release import split
    from otherwords.corpus.splits.files import is_project

    dates = [date.strip() for date in before.split(",")] if before else []
    target = out if out or as_json or is_project(path) else "-"
    result = split(path, before=dates, out=target, **options, **reading)
    if as_json and target != "-":
        print_json(asdict(result))
    elif target != "-":
        _print_sizes(result)
    for line in _summary_lines(result):
        say(line)


def _summary_lines(result: SplitResult) -> Iterator[str]:
    sizes = ", ".join(f"{size.part} {size.pairs:,}" for size in result.sizes[:MOST_LISTED])
    more = " …" if len(result.sizes) > MOST_LISTED else ""
    pairs = "1 pair" if result.pairs == 1 else f"{result.pairs:,} pairs"
    units = "1 unit" if result.units == 1 else f"{result.units:,} units"
    yield f"{pairs} in {units} by {result.by}: {sizes}{more}"
    if result.cut_offs:
        yield f"cut at {', '.join(result.cut_offs)}"
    for reason, count in result.none.items():
        yield f"in no part: {count:,} × {reason}"
    yield from result.remarks


def _print_sizes(result: SplitResult) -> None:

    from otherwords.analyse.label_classes import label_order

    labels = label_order({label for size in result.sizes for label in size.labels})
    table = number_table("part", "pairs", "units", "share", "asked", *labels)
    for size in result.sizes:
        shares = [size.share, size.asked, *(size.labels.get(label, 0) for label in labels)]
        table.add_row(size.part, f"{size.pairs:,}", f"{size.units:,}", *(f"{share:.1%}" for share in shares))
    print_table(table)
