"""``otherwords split``: which pairs are for training and which for the test."""

from __future__ import annotations

import json
from typing import Any

import click

from otherwords.cli.options import reading_options

FEW = 10  # parts that are listed one by one


@click.command("split")
@click.argument("path", metavar="PROJECT|FILE")
@click.option(
    "--by",
    type=click.Choice(["group", "document", "time", "pair"]),
    help="What stays whole; group or document where most pairs have one, else pair with --components.",
)
@click.option("--components", is_flag=True, help="Keep pairs that share a sentence together too.")
@click.option(
    "--parts", default="80/10/10", show_default=True, metavar="N/N/N", help="Per cent for train, dev and test."
)
@click.option("--folds", type=int, default=0, metavar="N", help="So many equal folds instead, numbered from 0.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Puts equal units in order.")
@click.option("--before", metavar="DATE,…", help="By time: where dev and test begin; otherwise as --parts says.")
@click.option("--out", metavar="FILE|FOLDER", help="Write the pairs with their part; a folder gets a file a part.")
@click.option("--simulated", is_flag=True, help="Take simulated judgements for labels, and say so.")
@click.option("--json", "as_json", is_flag=True, help="Print the account of the split as JSON.")
@reading_options
def command(
    path: str, out: str | None, simulated: bool, as_json: bool, before: str | None, wishes: dict[str, Any], **asked: Any
) -> None:
    """Split a corpus so that nothing of the test is seen in training.

    Whole groups or documents stay together, a rewrite with its original, and what was released keeps its part.
    Sizes and labels are as near to what was asked as that allows. A project keeps the split; the pairs of a file go
    to standard output, with their part under meta.

    \b
      otherwords split corpus --by group --parts 80/10/10
      otherwords split corpus --by time --before 2023-01-01,2023-07-01
      otherwords split pairs.jsonl --components --out parts
      otherwords split pairs.jsonl --folds 100 > folded.jsonl
    """
    from otherwords.cli.talk import say
    from otherwords.corpus.split_files import is_project, split_path
    from otherwords.corpus.split_wishes import Wishes

    dates = tuple(date.strip() for date in before.split(",")) if before else ()
    target = out if out or as_json or is_project(path) else "-"
    told = split_path(path, Wishes(**asked, before=dates), out=target, simulated=simulated, **wishes)
    if as_json and target != "-":
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
    elif target != "-":
        _print(told)
    for line in _lines(told):
        say(line)


def _lines(told: dict[str, Any]) -> list[str]:
    sizes = ", ".join(f"{one['part']} {one['pairs']:,}" for one in told["sizes"][:FEW])
    more = " …" if len(told["sizes"]) > FEW else ""
    lines = [f"{told['pairs']:,} pairs in {told['units']:,} units by {told['by']}: {sizes}{more}"]
    if told["cut_offs"]:
        lines.append(f"cut at {', '.join(told['cut_offs'])}")
    lines += [f"in no part: {count:,} × {reason}" for reason, count in told["none"].items()]
    return [*lines, *told["remarks"]]


def _print(told: dict[str, Any]) -> None:
    from rich.table import Table

    from otherwords.analyse.order import label_order
    from otherwords.cli.talk import print_table

    labels = label_order({label for one in told["sizes"] for label in one["labels"]})
    table = Table("part", "pairs", "units", "share", "asked", *labels, box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for one in told["sizes"]:
        shares = [f"{one['labels'].get(label, 0):.1%}" for label in labels]
        table.add_row(
            one["part"], f"{one['pairs']:,}", f"{one['units']:,}", f"{one['share']:.1%}", f"{one['asked']:.1%}", *shares
        )
    print_table(table)
