"""The commands about models: ``models`` lists them, ``judge`` has one judge a batch."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import device_option
from otherwords.cli.talk import pair_bar, print_json, say

if TYPE_CHECKING:
    from otherwords.learn.judging.judge import JudgedBatch

HEADINGS = {
    "translator": "Translators",
    "encoder": "Encoders",
    "fluency": "Language models",
    "generator": "Generators",
}


@click.command("models")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def models(as_json: bool) -> None:
    """List the models by kind, whether they are installed, and how to install them.

    Capitals in a name stand for what you fill in: a file, a folder, a language.
    """
    from otherwords.api import models as library

    rows = library.models()
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    for kind, group in groupby(rows, lambda row: row.kind):
        click.echo(f"{HEADINGS[kind]}:")
        for row in group:
            click.echo(f"  {row.name:<22} {row.title} ({row.languages})")
            click.echo(f"  {'':<22} {'installed' if row.installed else f'not installed: {row.install}'}")


@click.command("judge")
@click.argument("project", metavar="PROJECT")
@click.argument("batch", metavar="BATCH")
@click.option(
    "--with",
    "model",
    metavar="MODEL",
    required=True,
    help="run:FOLDER of a trained classifier, or a generator: smollm2, hf:PATH, openai:URL#MODEL.",
)
@click.option("--prompt", metavar="FILE", help="How a generator is asked; by default by a prompt for the scheme.")
@device_option
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def judge(project: str, batch: str, as_json: bool, **options: Any) -> None:
    """Have a model judge the pairs of a batch, beside people and never in their place.

    The judgements are of kind model and name the version of the model or of the prompt. They take no pair from anybody,
    are shown to nobody who has not judged the pair, and make no label unless label --count-models asks for it. An
    answer that is none of the scheme's is counted, never guessed. Run again, only what this version has not judged yet
    is judged; another version supersedes it.

    \b
      otherwords judge corpus monday --with run:models/features
      otherwords judge corpus monday --with smollm2 --prompt prompt.txt
      otherwords agree corpus --batch monday
    """
    from otherwords.api import models as library

    with pair_bar("judging") as show_progress:
        result = library.judge(project, batch, progress=lambda done, total: show_progress(done), **options)
    if as_json:
        print_json(asdict(result))
    else:
        _print_judged(result)


def _print_judged(result: JudgedBatch) -> None:
    noun = "pair" if result.pairs == 1 else "pairs"
    click.echo(f"{result.batch}: {result.pairs:,} {noun}, {result.written:,} judged by {result.model}")
    if result.superseded:
        click.echo(f"  {result.superseded:,} of them had been judged by another version")
    if result.known:
        click.echo(f"  {result.known:,} judged by this version before")
    for reason, count in result.reasons.items():
        say(f"  {count:,} not judged: {reason}")
