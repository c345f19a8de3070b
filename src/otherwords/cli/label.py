"""``otherwords label``: what the judgements of a project make of each pair."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from otherwords.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

TABLES = (("state", "states"), ("label", "labels"), ("made by", "made_by"), ("why not", "reasons"))


@click.command("label")
@click.argument("project", metavar="PROJECT")
@click.option("--scheme", metavar="NAME", help="By judgements of this scheme; the project's own if none is named.")
@click.option("--views", is_flag=True, help="Also the labels of all views of the scheme side by side.")
@click.option("--simulated", is_flag=True, help="Let simulated judgements count; every output says so.")
@click.option("--out", metavar="FILE", help="Write all pairs with their labels (.jsonl .csv .tsv .parquet).")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def command(project: str, scheme: str | None, views: bool, simulated: bool, out: str | None, as_json: bool) -> None:
    """Make labels of what people said.

    A consensus is the label, or what somebody said in quality control since. Without one it is what the rule of the
    scheme makes of the answers. Where people differ, the pair is open; tied votes are dropped. Answers given in
    training, in checks and to hidden tests never become labels. A row of --out says which judgements made it, or why
    it has no label.

    \b
      otherwords label corpus
      otherwords label corpus --views --json
      otherwords label corpus --scheme binary-loose --out votes.jsonl
    """
    from otherwords.cli.talk import looking, say
    from otherwords.corpus.labelling import label
    from otherwords.corpus.labelling_writing import check_target, save
    from otherwords.project import opened

    if out:
        check_target(out)
    if out == "-" and as_json:
        raise UsageError("--out - and --json both go to standard output; write one of them to a file")
    with opened(project) as corpus, looking("labelling") as looked_at:
        table, told = label(corpus, simulated=simulated, scheme=scheme, progress=lambda done, total: looked_at(done))
    if out:
        save(table, out)
        say(f"{told['pairs']:,} pairs written")
    if as_json:
        shown = told if views else {name: value for name, value in told.items() if name != "side_by_side"}
        click.echo(json.dumps({**shown, "table": str(table)}, ensure_ascii=False, indent=2))
    elif out != "-":
        _print(told, views)
    if told["simulated"]:
        say(f"{told['simulated']:,} labels rest on simulated judgements: they say nothing about people")


def _print(told: dict[str, Any], views: bool) -> None:
    from otherwords.cli.talk import print_table

    click.echo(f"{told['pairs']:,} pairs, by the scheme {told['scheme']}")
    for title, name in TABLES:
        if told[name]:
            print_table(_counted(title, told[name]))
    for name, counted in list(told["views"].items())[1:]:  # the first one makes the label
        print_table(_counted(f"view {name}", counted))
    if views and told["side_by_side"]:
        print_table(_together(told["side_by_side"]))


def _counted(title: str, counted: dict[str, int]) -> Table:
    from rich.table import Table

    table = Table(title, "pairs", box=None)
    table.columns[1].justify = "right"
    for name, count in counted.items():
        table.add_row(name, f"{count:,}")
    return table


def _together(rows: list[dict[str, Any]]) -> Table:
    from rich.table import Table

    table = Table(*rows[0]["labels"], "pairs", box=None)
    table.columns[-1].justify = "right"
    for row in rows:
        table.add_row(*row["labels"].values(), f"{row['pairs']:,}")
    return table
