"""Copies of a whole project: ``otherwords export`` as JSON Lines, ``backup`` as an archive, and ``restore``."""

from __future__ import annotations

from pathlib import Path

import click

from otherwords.cli.options import read_secret_line
from otherwords.cli.talk import print_json, say


@click.command("export")
@click.argument("project", metavar="PROJECT")
@click.argument("folder", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print the rows of each file as JSON.")
def export(project: str, folder: str, as_json: bool) -> None:
    """Write everything in a project as JSON Lines into a new folder.

    Documents, document pairs, pairs, judgements and the rest of the ledger are from one moment, even while
    others work; a manifest has the digest of each file. The project's own schemes, guidelines and recipe are included,
    and the files of its folder that the recipe names. The files contain names of annotators, so only you can read them.
    `otherwords import PROJECT export DIR` reads them back without loss, into a project on either kind of database.

    \b
      otherwords export corpus corpus-2026-03
      otherwords import copy export corpus-2026-03
    """
    from otherwords.api import projects
    from otherwords.project.ledger.rows import counted_rows

    rows = projects.export(project, folder)
    if as_json:
        print_json(rows)
    counts = counted_rows({name.removesuffix(".jsonl"): count for name, count in rows.items()})
    say(f"{folder}: {', '.join(counts) or 'an empty project'}")


@click.command("backup")
@click.argument("project", metavar="PROJECT")
@click.argument("target", metavar="FILE.tar.gz")
@click.option(
    "--passphrase-stdin",
    is_flag=True,
    help="Add the keys of pseudonyms and hidden tests, encrypted with a passphrase from standard input, one line.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the rows of each table as JSON.")
def backup(project: str, target: str, passphrase_stdin: bool, as_json: bool) -> None:
    """Back up a project into one archive, while others go on working.

    The archive contains the settings, the ledger at one moment, the tables of finished steps, the project's own
    schemes, guidelines and recipe, and the files of its folder that the recipe names, with checksums. It does not
    contain the address and password of the database, sessions and invitations, reports and releases; it does contain
    accounts with the digests of their passwords. Only you can read the file. `otherwords restore` restores it.

    Without --passphrase-stdin the keys are left out: a restored project then gives people other pseudonyms in its next
    release, and answers to hidden tests that are on their way are refused.

    \b
      otherwords backup corpus corpus.tar.gz
      otherwords backup corpus corpus.tar.gz --passphrase-stdin < passphrase.txt
    """
    from otherwords.api import projects
    from otherwords.project.exchange.sealed_keys import key_names

    rows = projects.backup(project, target, passphrase=read_secret_line("passphrase") if passphrase_stdin else None)
    if as_json:
        print_json(rows)
    say(f"{target}: {sum(rows.values()):,} rows of {len(rows)} tables")
    if keys := key_names(Path(project)):
        names = ", ".join(keys)
        say(f"  encrypted: {names}" if passphrase_stdin else f"  not in it: {names}; add them with --passphrase-stdin")


@click.command("restore")
@click.argument("archive", metavar="FILE.tar.gz")
@click.argument("folder", metavar="DIR")
@click.option("--ledger", metavar="URL", help="Empty database for the ledger; SQLite in DIR by default.")
@click.option("--passphrase-stdin", is_flag=True, help="Decrypt the keys with a passphrase from standard input.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows of each table as JSON.")
def restore(archive: str, folder: str, ledger: str | None, passphrase_stdin: bool, as_json: bool) -> None:
    """Restore a backup into a new folder and an empty database.

    Every checksum is verified before anything is written. A backup of SQLite can be restored into PostgreSQL, and
    vice versa.

    \b
      otherwords restore corpus.tar.gz corpus-again
      otherwords restore corpus.tar.gz corpus-again --passphrase-stdin < passphrase.txt
      otherwords restore corpus.tar.gz corpus-again --ledger postgresql+psycopg://me@localhost/again
    """
    from otherwords.api import projects
    from otherwords.project.exchange.sealed_keys import NAME

    passphrase = read_secret_line("passphrase") if passphrase_stdin else None
    rows = projects.restore(archive, folder, ledger=ledger, passphrase=passphrase)
    if as_json:
        print_json(rows)
    say(f"{folder}: {sum(rows.values()):,} rows of {len(rows)} tables restored; next: otherwords status {folder}")
    if (sealed := Path(folder) / NAME).is_file():
        say(f"  {sealed}: the keys are still encrypted; to have them, restore with --passphrase-stdin")
