"""``otherwords clusters``: which texts are paraphrases of each other, through others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.corpus.clusters_told import Clusters, Whole
    from otherwords.corpus.clusters_writing import Made

SHOWN = 20


@click.command("clusters")
@click.argument("path", metavar="PROJECT|FILE")
@click.option("--view", metavar="NAME", help="Which view of the project's scheme says what is positive.")
@click.option("--min-size", type=click.IntRange(min=2), default=2, show_default=True, help="Texts in a cluster.")
@click.option("--normalised", is_flag=True, help="Texts that differ in case and punctuation only are the same.")
@click.option("--references", type=click.IntRange(min=1), metavar="N", help="Make sets of at least N references.")
@click.option("--seed-cluster", is_flag=True, help="Make pairs to judge: seeds of each group's largest cluster.")
@click.option("--out", metavar="FILE", help="Write clusters (.jsonl), references (.json) or pairs to a file.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@reading_options
def command(
    path: str,
    view: str | None,
    min_size: int,
    normalised: bool,
    references: int | None,
    seed_cluster: bool,
    out: str | None,
    as_json: bool,
    wishes: dict[str, Any],
) -> None:
    """Find clusters of texts that are paraphrases of each other, directly or through others.

    Each link has a strength: the share of votes for it, or how good its label is. A cluster is told by the weakest
    link that it needs, and whether that link alone holds it together. Negative pairs inside a cluster are listed.
    --references makes a JSON object of sources with the texts directly linked to them, as MultiPIT has it;
    --seed-cluster pairs two seeds of each group with up to 30 texts of its largest cluster.

    \b
      otherwords clusters corpus --view strict --min-size 3
      otherwords clusters tweets.csv --references 8 --out references.json
      otherwords clusters corpus --seed-cluster --out next.jsonl
    """
    from otherwords.cli.talk import say
    from otherwords.corpus.clusters_reading import linkage
    from otherwords.corpus.clusters_told import clusters
    from otherwords.corpus.clusters_writing import save

    if references and seed_cluster:
        raise UsageError("--references and --seed-cluster: choose one")
    made: Made = "references" if references else "seeds" if seed_cluster else "clusters"
    found = clusters(linkage(path, view, **wishes), min_size=min_size, normalised=normalised)
    for note in found.notes:
        say(note)
    if out or made != "clusters":
        count = save(found, out or "-", made, references or 1)
        say(f"{count:,} {made if made != 'seeds' else 'pairs'} written")
    if as_json and (out or made == "clusters"):
        click.echo(json.dumps(_as_json(found), ensure_ascii=False, indent=2))
    elif made == "clusters" and out != "-":
        _print(found)


def _as_json(found: Clusters) -> dict[str, Any]:
    counts = {"pairs": found.pairs, "identical": found.identical, "smaller": found.smaller}
    return counts | {"clusters": [one.as_dict() for one in found.clusters]}


def _print(found: Clusters) -> None:
    from rich.table import Table

    from otherwords.cli.talk import print_table

    texts = sum(one.size for one in found.clusters)
    click.echo(f"{len(found.clusters):,} clusters of {texts:,} texts in {found.pairs:,} pairs")
    held = [one for one in found.clusters if one.held_by_one]
    against = [one for one in found.clusters if one.contradictions]
    if held:
        click.echo(f"  held together by one link: {len(held):,}")
    if against:
        click.echo(f"  with a negative pair inside: {len(against):,}")
    table = Table("cluster", "texts", "links", "weakest", "by pair", "", "begins with", box=None)
    for place in (1, 2, 3):
        table.columns[place].justify = "right"
    for one in found.clusters[:SHOWN]:
        table.add_row(*_cells(one))
    if found.clusters:
        print_table(table)
    if len(found.clusters) > SHOWN:
        click.echo(f"… and {len(found.clusters) - SHOWN:,} more; --json has all of them")
    for one in against[:SHOWN]:
        for link in one.contradictions[:SHOWN]:
            click.echo(f"  cluster {one.cluster}: {link.pair} is {link.label}")


def _cells(one: Whole) -> list[str]:
    held = f"holds {one.halves[0]} and {one.halves[1]} together" if one.held_by_one else ""
    begins = one.texts[0] if len(one.texts[0]) <= 40 else one.texts[0][:39] + "…"
    return [str(one.cluster), f"{one.size:,}", f"{len(one.links):,}", f"{one.strength:.2f}", one.weakest, held, begins]
