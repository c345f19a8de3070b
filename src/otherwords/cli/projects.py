"""Commands that make a project and show what is in it; ``otherwords examples`` copies files to try them on."""

from __future__ import annotations

from typing import Any

import click

from otherwords.cli.talk import print_json, print_table, say


@click.command("new")
@click.argument("folder", metavar="DIR")
@click.option("--lang", required=True, metavar="LANG", help="Language of the corpus (fi, en, ja …).")
@click.option(
    "--scheme",
    metavar="NAME|FILE",
    help="Annotation scheme, such as turku (scheme list shows all), or a file of your own.",
)
@click.option("--ledger", metavar="URL", help="Database of the ledger; SQLite in the folder by default.")
def new(folder: str, lang: str, scheme: str | None, ledger: str | None) -> None:
    """Make a new corpus project.

    A project is a folder with its settings (otherwords.toml), its ledger and its tables. The ledger is
    SQLite unless a PostgreSQL database is named. A scheme of your own is copied into the folder, together with the
    guideline of the same name beside it.

    \b
      otherwords new corpus --lang fi --scheme turku
      otherwords new kitchen --lang en --scheme dish.toml
      otherwords new corpus --lang en --ledger postgresql+psycopg://me@localhost/corpus
    """
    from otherwords.api import projects
    from otherwords.text.languages import language_name

    code = projects.new(folder, lang=lang, scheme=scheme, ledger=ledger).lang
    name = language_name(lang)
    text = code if name == code else f"{name} ({code})"
    say(f"{folder}: created for {text}; next: otherwords import {folder} KIND PATH…")


@click.command("status")
@click.argument("project", metavar="PROJECT")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def status(project: str, as_json: bool) -> None:
    """Show what is in a project, what is running and what is stale.

    \b
      otherwords status corpus
    """
    from otherwords.api import projects

    overview = projects.status(project)
    if as_json:
        print_json(overview)
    else:
        _print_overview(project, overview)


def _print_overview(project: str, overview: dict[str, Any]) -> None:
    from rich.table import Table

    from otherwords.api.projects import settings_text

    scheme = f", scheme {overview['scheme']}" if overview["scheme"] else ""
    click.echo(f"{overview['project']} ({overview['lang']}{scheme}), ledger {overview['ledger']}")
    if counts := [f"{rows:,} {name.replace('_', ' ')}" for name, rows in overview["counts"].items() if rows]:
        click.echo(f"  {', '.join(counts)}")
    if not overview["imports"]:
        click.echo(f"  nothing is imported yet: otherwords import {project} KIND PATH…")
    for row in overview["imports"]:
        if row["state"] == "running" and not overview["working"]:
            click.echo(
                f"  the import of {row['path']} did not finish; fix the file if it was refused, and import again"
            )
    if overview["settings"]:
        click.echo(f"  set for every run: {settings_text(overview['settings'])}")
    if overview["working"]:
        click.echo(f"  {overview['working']}")
    for title, rows, names in (
        ("documents", overview["sources"], ("source",)),
        ("document pairs", overview["document_pairs"], ("method", "status")),
        ("pairs", overview["pairs"], ("method",)),
        ("steps", overview["steps"], ("name", "kind", "state", "why")),
    ):
        if rows:
            table = Table(*names, "rows", title=title, title_justify="left", box=None)
            table.columns[-1].justify = "right"
            for row in rows:
                table.add_row(*(str(row[name] or "–") for name in names), f"{row['rows'] or 0:,}")
            print_table(table)


@click.command("trace")
@click.argument("project", metavar="PROJECT")
@click.argument("pair", metavar="PAIR")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def trace(project: str, pair: str, as_json: bool) -> None:
    """Print the whole chain of custody of a pair, back to file and offsets.

    \b
      otherwords trace corpus headings-1f0c
    """
    from otherwords.api import projects

    custody = projects.trace(project, pair)
    if as_json:
        print_json(custody)
    else:
        for line in _lines(custody):
            click.echo(line)


def _lines(value: Any, name: str = "", depth: int = 0) -> list[str]:
    """A nested value as indented lines, without empty values."""
    if value is None or value in ({}, []):
        return []
    indent = "  " * depth
    if isinstance(value, dict):
        below = [line for key, inner in value.items() for line in _lines(inner, key, depth + bool(name))]
        return [f"{indent}{name}:", *below] if name and below else below
    if isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        return [line for number, inner in enumerate(value, 1) for line in _lines(inner, f"{name} {number}", depth)]
    return [f"{indent}{name}: {value}"]


@click.command("examples")
@click.argument("folder", metavar="[DIR]", default="examples")
@click.option("--json", "as_json", is_flag=True, help="Print the names of the files as JSON.")
def examples(folder: str, as_json: bool) -> None:
    """Copy the example corpora and source texts into a new folder, ./examples by default.

    They were written for this package: labelled pairs in seven languages, subtitles, news, forum messages,
    translations, judgements and paraphrase types. A folder with files in it is left alone.

    \b
      otherwords examples
      otherwords examples somewhere/else
    """
    from otherwords.api import projects

    files = projects.examples(folder)
    if as_json:
        print_json([path.as_posix() for path in files])
        return
    click.echo(folder)
    say(f"{len(files):,} files; begin with {folder}/README.md")
