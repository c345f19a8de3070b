"""Commands that make a project and show what is in it, and the demo and the examples to try them on."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.talk import print_json, print_table, say

if TYPE_CHECKING:
    from otherwords.api.demo import DemoResult, OpenedDemo

WIDTH = 10  # of the longest name of a corpus


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
    from otherwords.project.ledger.rows import counted_rows

    scheme = f", scheme {overview['scheme']}" if overview["scheme"] else ""
    click.echo(f"{overview['project']} ({overview['lang']}{scheme}), ledger {overview['ledger']}")
    if counts := counted_rows(overview["counts"]):
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
    for row in overview["spending"]:
        amounts = f"{row['requests']:,} requests, {row['units']:,} {row['unit']}, {row['money']} in money"
        click.echo(f"  spent on {row['endpoint']}: {amounts}")
    if overview["working"]:
        click.echo(f"  {overview['working']}")
    if others := [row["name"] for row in overview["other_steps"]]:
        click.echo(f"  not of the project's recipe, and never finished: {', '.join(others)}")
    for title, rows, names in (
        ("documents", overview["sources"], ("source",)),
        ("document pairs", overview["document_pairs"], ("method", "status")),
        ("pairs", overview["pairs"], ("method",)),
        ("steps", overview["steps"], ("name", "kind", "state", "why")),
        ("answers of models that are kept", overview["cache"], ("model", "bytes")),
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


@click.command("demo")
@click.argument("folder", metavar="[DIR]", default="demo")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port of the site.")
@click.option("--no-serve", is_flag=True, help="Build everything and end, without the site.")
@click.option("--full", is_flag=True, help="Also train neural networks; needs the extra hf.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=2, show_default=True, help="Corpora built at a time.")
def demo(folder: str, port: int, no_serve: bool, full: bool, jobs: int) -> None:
    """Build corpora from the example texts in DIR, ./demo by default, and open the site on the first of them.

    The first project is ready in seconds: texts to extract from, pairs to judge, disagreements to
    decide. While it is open, texts of six languages, posts and pairs go all the way to released corpora
    with reports, with simulated annotators instead of people; a page on the next port shows how far they
    are. Ctrl-C stops it. A demo that was stopped goes on where it was, a finished one is opened again.

    \b
      otherwords demo
      otherwords demo somewhere --no-serve
    """
    from otherwords.api import demo as demos

    result = demos.demo(
        folder, serve=not no_serve, full=full, port=port, workers=jobs, say=_say_command, ready=_say_opened
    )
    _say_result(result)


def _say_command(corpus: str, text: str) -> None:
    say(f"{corpus:<{WIDTH}} {text}")


def _say_opened(opened: OpenedDemo) -> None:
    click.echo(opened.site)
    say("\nThe site is open; log in as one of these:")
    for name, password in opened.passwords.items():
        say(f"  {name}: {password}")
    say(f"They are in {opened.folder}/accounts.txt. The other corpora, and how far they are: {opened.progress}")
    say("Ctrl-C stops it; the same command goes on from there.\n")
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin":
        import webbrowser

        for address in (opened.progress, opened.site):
            webbrowser.open(address)


def _say_result(result: DemoResult) -> None:
    for title, paths in (("report", result.reports), ("release", result.releases)):
        for path in paths:
            say(f"{title}: {path}")
    if result.unfinished:
        say(f"not built yet: {', '.join(result.unfinished)}")
