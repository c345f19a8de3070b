"""``otherwords clusters``: texts that are paraphrases of each other, directly or through others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options
from otherwords.cli.talk import print_json, print_table, say

if TYPE_CHECKING:
    from otherwords.corpus.clusters.clusters import Clusters

MOST_ROWS = 20


@click.command("clusters")
@click.argument("path", metavar="PROJECT|FILE")
@click.option("--view", metavar="NAME", help="View of the project's scheme that decides what is positive.")
@click.option("--min-size", type=click.IntRange(min=2), default=2, show_default=True, help="Fewest texts in a cluster.")
@click.option("--normalised", is_flag=True, help="Treat texts that differ only in case and punctuation as the same.")
@click.option("--references", type=click.IntRange(min=1), metavar="N", help="Write sets of at least N references.")
@click.option("--seed-cluster", is_flag=True, help="Write pairs to judge: seeds of each group's largest cluster.")
@click.option("--out", metavar="FILE", help="Write clusters (.jsonl), references (.json) or pairs to a file.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@reading_options
def command(
    path: str, references: int | None, seed_cluster: bool, out: str | None, as_json: bool, reading: Any, **options: Any
) -> None:
    """Find clusters of texts that are paraphrases of each other, directly or through others.

    Each link has a strength: the share of votes for it, or the grade of its label. A cluster is shown with the weakest
    link that it needs, and whether that link alone holds it together. Negative pairs inside a cluster are listed.
    --references writes a JSON object of sources with the texts directly linked to them, like MultiPIT;
    --seed-cluster pairs two seeds of each group with up to 30 texts of its largest cluster.

    \b
      otherwords clusters corpus --view strict --min-size 3
      otherwords clusters tweets.csv --references 8 --out references.json
      otherwords clusters corpus --seed-cluster --out next.jsonl
    """
    from otherwords.api.corpora import clusters

    form = "references" if references else "pairs" if seed_cluster else "clusters"
    target = out or ("-" if form != "clusters" else None)
    result = clusters(path, references=references, seed_cluster=seed_cluster, out=target, **options, **reading)
    for note in result.clusters.notes:
        say(note)
    if result.written is not None:
        say(f"{result.written:,} {form} written")
    if as_json and (out or form == "clusters"):
        print_json(result.as_dict())
    elif form == "clusters" and out != "-":
        _print(result.clusters)


def _print(result: Clusters) -> None:
    from rich.table import Table

    clusters = result.clusters
    texts = sum(cluster.size for cluster in clusters)
    click.echo(f"{len(clusters):,} clusters of {texts:,} texts in {result.pairs:,} pairs")
    fragile = [cluster for cluster in clusters if cluster.held_by_one]
    contradictory = [cluster for cluster in clusters if cluster.contradictions]
    if fragile:
        click.echo(f"  held together by one link: {len(fragile):,}")
    if contradictory:
        click.echo(f"  with a negative pair inside: {len(contradictory):,}")
    table = Table("cluster", "texts", "links", "weakest", "by pair", "", "begins with", box=None)
    for place in (1, 2, 3):
        table.columns[place].justify = "right"
    for cluster in clusters[:MOST_ROWS]:
        joined = f"holds {cluster.halves[0]} and {cluster.halves[1]} together" if cluster.held_by_one else ""
        text = cluster.texts[0] if len(cluster.texts[0]) <= 40 else cluster.texts[0][:39] + "…"
        numbers = (f"{cluster.size:,}", f"{len(cluster.links):,}", f"{cluster.strength:.2f}")
        table.add_row(str(cluster.cluster), *numbers, cluster.weakest, joined, text)
    if clusters:
        print_table(table)
    if len(clusters) > MOST_ROWS:
        click.echo(f"… and {len(clusters) - MOST_ROWS:,} more; --json has all of them")
    for cluster in contradictory[:MOST_ROWS]:
        for link in cluster.contradictions[:MOST_ROWS]:
            click.echo(f"  cluster {cluster.cluster}: {link.pair} is {link.label}")
