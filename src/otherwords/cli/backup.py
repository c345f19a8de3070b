"""``otherwords backup``: a project as one archive."""

from __future__ import annotations

import json

import click


@click.command("backup")
@click.argument("project", metavar="PROJECT")
@click.argument("target", metavar="FILE.tar.gz")
@click.option("--json", "as_json", is_flag=True, help="Print the rows of each table as JSON.")
def command(project: str, target: str, as_json: bool) -> None:
    """Back up a project into one archive, while others go on working.

    The archive holds the settings, the ledger at one moment and the tables of finished steps, with checksums. The
    address of the database, and so its password, stays out, and so do sessions and invitations; accounts with the
    digests of their passwords are in it. Only you can read the file. `otherwords restore` puts it back.

    \b
      otherwords backup corpus corpus.tar.gz
    """
    from otherwords.cli.talk import say
    from otherwords.project import opened
    from otherwords.project.backup import backup

    with opened(project) as corpus:
        rows = backup(corpus, target)
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    say(f"{target}: {sum(rows.values()):,} rows of {len(rows)} tables")
