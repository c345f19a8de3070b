"""``otherwords restore``: a project out of its backup."""

from __future__ import annotations

import json

import click


@click.command("restore")
@click.argument("archive", metavar="FILE.tar.gz")
@click.argument("folder", metavar="DIR")
@click.option("--ledger", "url", metavar="URL", help="An empty database for the ledger; SQLite in DIR by default.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows of each table as JSON.")
def command(archive: str, folder: str, url: str | None, as_json: bool) -> None:
    """Put a backup back, into a new folder and an empty database.

    Every checksum is looked at before anything is written. A backup of SQLite can go into PostgreSQL and the
    other way round.

    \b
      otherwords restore corpus.tar.gz corpus-again
      otherwords restore corpus.tar.gz corpus-again --ledger postgresql+psycopg://me@localhost/again
    """
    from otherwords.cli.talk import say
    from otherwords.project.restore import restore

    rows = restore(archive, folder, url)
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    say(f"{folder}: {sum(rows.values()):,} rows of {len(rows)} tables are back; next: otherwords status {folder}")
