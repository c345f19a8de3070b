"""``otherwords evaluate ratings``: what people say about the outputs of systems."""

from __future__ import annotations

from typing import Any

import click

from otherwords.cli.options import reading_options
from otherwords.cli.talk import print_json, say


@click.command("ratings")
@click.argument("project", metavar="PROJECT")
@click.argument("batches", metavar="BATCH…", nargs=-1, required=True)
@click.option("--metric", "metrics", metavar="NAME", multiple=True, help="A measure to be compared with people.")
@click.option("--references", metavar="FILE", multiple=True, help="Pairs of a source and a reference, for measures.")
@click.option("--encoder", metavar="NAME", help="The encoder for BERTScore: minilm, hf:PATH.")
@click.option("--out", metavar="DIR", help="Also write a new folder with a page, its tables and its figures.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed of the resamples.")
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Resamples for intervals; 0 leaves them out.",
)
@reading_options
def ratings(
    project: str, batches: tuple[str, ...], as_json: bool, out: str | None, reading: Any, **options: Any
) -> None:
    """Evaluate systems by what people said about their outputs.

    BATCH is a batch that `otherwords batch outputs` made: ratings, types, preferences or best-worst. Ordinal alpha for
    each scale, means of systems and their differences on shared sources, distributions, Spearman's correlation of each
    metric with people, shares of types, preferences and best-worst scores, with intervals over resampled sources.
    Scores that came with the outputs are compared with people, and so are the measures that --metric names.

    \b
      otherwords evaluate ratings corpus rated --out rated-page
      otherwords evaluate ratings corpus rated types better --metric self-bleu --metric bert-ibleu --json
      otherwords evaluate ratings corpus rated --metric bleu --references references.jsonl
    """
    from otherwords.api import evaluate
    from otherwords.cli.analyse import print_finding

    report = evaluate.ratings(project, batches, out=out, **options, **reading)
    for warning in report.warnings:
        say(warning)
    if as_json:
        print_json(report.as_dict())
    else:
        for finding in report.findings:
            print_finding(finding)
    if out:
        say(f"{out}/index.html")
