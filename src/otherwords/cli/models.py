"""The command that lists models."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby

import click

from otherwords.cli.talk import print_json

HEADINGS = {
    "translator": "Translators",
    "encoder": "Encoders",
    "fluency": "Language models",
    "generator": "Generators",
}


@click.command("models")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def command(as_json: bool) -> None:
    """List the models by kind, whether they are installed, and how to install them.

    Capitals in a name stand for what you fill in: a file, a folder, a language.
    """
    from otherwords.api.models import models

    rows = models()
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    for kind, group in groupby(rows, lambda row: row.kind):
        click.echo(f"{HEADINGS[kind]}:")
        for row in group:
            click.echo(f"  {row.name:<22} {row.title} ({row.languages})")
            click.echo(f"  {'':<22} {'installed' if row.installed else f'not installed: {row.install}'}")
