"""``otherwords new``: a project on disk."""

from __future__ import annotations

import click


@click.command("new")
@click.argument("folder", metavar="DIR")
@click.option("--lang", required=True, metavar="LANG", help="The language of the corpus (fi, en, ja …).")
@click.option(
    "--scheme",
    metavar="NAME|FILE",
    help="The annotation scheme, such as turku; scheme list has all. Or one of your own.",
)
@click.option("--ledger", "url", metavar="URL", help="Where the ledger is; SQLite in the folder by default.")
def command(folder: str, lang: str, scheme: str | None, url: str | None) -> None:
    """Make a new corpus project.

    A project is a folder with its settings (otherwords.toml), its ledger and its tables. The ledger is
    SQLite unless a PostgreSQL database is named. A scheme of your own is copied into the folder, and the guideline of
    the same name that lies beside it.

    \b
      otherwords new corpus --lang fi --scheme turku
      otherwords new kitchen --lang en --scheme dish.toml
      otherwords new corpus --lang en --ledger postgresql+psycopg://me@localhost/corpus
    """
    from pathlib import Path

    from otherwords.annotate import schemes
    from otherwords.cli.talk import say
    from otherwords.errors import UsageError
    from otherwords.project import create
    from otherwords.text.languages import language, language_name

    file = Path(scheme) if scheme is not None and scheme.endswith(".toml") else None
    if file is not None and not file.is_file():
        raise UsageError(f"--scheme {scheme}: there is no such file")
    if file is not None:
        scheme = schemes.read(file).name
    elif scheme is not None:
        schemes.scheme(scheme)
    create(folder, lang, scheme, url)
    if file is not None:
        schemes.bring(file, Path(folder))
    name, code = language_name(lang), language(lang)
    told = code if name == code else f"{name} ({code})"
    say(f"{folder}: made, for {told}; next: otherwords import {folder} KIND PATH…")
