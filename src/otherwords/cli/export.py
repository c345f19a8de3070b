"""``otherwords export``: a project as files that people exchange."""

from __future__ import annotations

import json

import click


@click.command("export")
@click.argument("project", metavar="PROJECT")
@click.argument("folder", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print the rows of each file as JSON.")
def command(project: str, folder: str, as_json: bool) -> None:
    """Write everything in a project as JSON Lines into a new folder.

    Documents, document pairs, pairs, judgements and the rest of the ledger come from one moment, also while
    others work; a manifest has the digest of each file. Names of annotators are in it. `otherwords import
    PROJECT export DIR` reads it back without loss, into a project on either kind of database.

    \b
      otherwords export corpus corpus-2026-03
      otherwords import copy export corpus-2026-03
    """
    from otherwords.cli.talk import say
    from otherwords.project import opened
    from otherwords.project.transfer import export

    with opened(project) as corpus:
        rows = export(corpus, folder)
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    told = ", ".join(
        f"{count:,} {name.removesuffix('.jsonl').replace('_', ' ')}" for name, count in rows.items() if count
    )
    say(f"{folder}: {told or 'an empty project'}")
