"""``otherwords new``: a project on disk."""

from __future__ import annotations

import click


@click.command("new")
@click.argument("folder", metavar="DIR")
@click.option("--lang", required=True, metavar="LANG", help="The language of the corpus (fi, en, ja …).")
@click.option("--scheme", metavar="NAME", help="The annotation scheme, such as turku; scheme list has all.")
@click.option("--ledger", "url", metavar="URL", help="Where the ledger is; SQLite in the folder by default.")
def command(folder: str, lang: str, scheme: str | None, url: str | None) -> None:
    """Make a new corpus project.

    A project is a folder with its settings (otherwords.toml), its ledger and its tables. The ledger is
    SQLite unless a PostgreSQL database is named.

    \b
      otherwords new corpus --lang fi --scheme turku
      otherwords new corpus --lang en --ledger postgresql+psycopg://me@localhost/corpus
    """
    from pathlib import Path

    from otherwords.annotate.schemes import scheme as scheme_of
    from otherwords.cli.talk import say
    from otherwords.project import create

    if scheme is not None:
        scheme_of(scheme, Path(folder))
    create(folder, lang, scheme, url)
    say(f"{folder}: made; next: otherwords import {folder} KIND PATH…")
