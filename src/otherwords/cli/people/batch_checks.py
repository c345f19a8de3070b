"""``otherwords batch``: rounds of quality control and blind checks, of pairs that people or machines have made."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from otherwords.cli.options import split_names
from otherwords.cli.people.batch_parts import (
    created_text,
    json_option,
    name_argument,
    people_option,
    project_argument,
    seed_option,
)
from otherwords.cli.talk import print_json, print_table, say

_CHECK_COLUMNS = ("pairs", "judged", "complete", "agreed", "adjudicated", "open")


@click.command("qa")
@project_argument
@name_argument
@click.option("--label", metavar="LABEL", default="", help="Pairs of that label; 4 is every 4, also with flags.")
@click.option("--flag", metavar="FLAG", default="", help="Pairs whose label has that flag.")
@people_option
@click.option("--scheme", metavar="SCHEME", help="The scheme of the labels; the project's by default.")
def qa(project: str, name: str, people: str | None, **options: Any) -> None:
    """Create a round of quality control: check all pairs of a label or a flag against the newest guideline.

    The pairs that were judged first come first. Each is shown with its label, which is confirmed or replaced
    (Kanerva et al. 2023, §5.4). batch show counts the changes.

    \b
      otherwords batch qa corpus style-round --flag s
      otherwords batch qa corpus fours --label 4 --for anna
    """
    from otherwords.api import batch

    say(created_text(batch.qa(project, name, people=split_names(people), **options)))


@click.command("check-rewrites")
@project_argument
@name_argument
@click.option("--size", type=click.IntRange(2), default=200, show_default=True, help="Pairs, half of them rewrites.")
@people_option
@seed_option
def check_rewrites(project: str, name: str, size: int, people: str | None, seed: int) -> None:
    """Create a blind check of rewrites: are they the paraphrases that they are meant to be?

    Rewrites are mixed half and half with ordinary pairs and shuffled; the documents are hidden; each pair is judged
    twice, by people who neither wrote nor judged it (Kanerva et al. 2023, §6.1).

    \b
      otherwords batch check-rewrites corpus blind-1 --size 200 --for anna,ben,cem
    """
    from otherwords.api import batch

    say(created_text(batch.check_rewrites(project, name, size=size, people=split_names(people), seed=seed)))


@click.command("check-machine")
@project_argument
@name_argument
@click.option(
    "--size", type=click.IntRange(2), default=100, show_default=True, help="Pairs, half of them machine-made."
)
@people_option
@seed_option
def check_machine(project: str, name: str, size: int, people: str | None, seed: int) -> None:
    """Create a check whether people can tell machine-made candidates from others.

    Candidates whose texts a machine wrote (translate, localise, swap) are mixed half and half with pairs of what people
    wrote (near, random) and shuffled; each is judged three times under the scheme machine-or-not, without its
    documents. The F-score of the answers is in the report, and in what analyse --only answers prints (Suzuki et al.
    2017, §3.2).

    \b
      otherwords batch check-machine corpus discern --size 100 --for anna,ben,cem
    """
    from otherwords.api import batch

    say(created_text(batch.check_machine(project, name, size=size, people=split_names(people), seed=seed)))


@click.command("check-result")
@project_argument
@name_argument
@json_option
def print_check_result(project: str, name: str, as_json: bool) -> None:
    """Show the share of plain paraphrases among the rewrites of a check, and among the other pairs.

    A pair counts if the team has decided about it, or if both judgements are the same.

    \b
      otherwords batch check-result corpus blind-1
    """
    from rich.table import Table

    from otherwords.api.batch import check_result

    result = check_result(project, name)
    if as_json:
        print_json(asdict(result))
        return
    table = Table("", *_CHECK_COLUMNS, f"plain {result.label}", "share", "at least", "at most", box=None)
    for title, half in (("rewrites", result.rewrites), ("others", result.others)):
        counts = (f"{getattr(half, column):,}" for column in (*_CHECK_COLUMNS, "plain"))
        shares = ("–" if share is None else f"{share:.1%}" for share in (half.share, half.least, half.most))
        table.add_row(title, *counts, *shares)
    print_table(table)
