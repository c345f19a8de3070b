"""``otherwords guideline``: the text that annotators see beside their work, version by version."""

from __future__ import annotations

from dataclasses import asdict

import click

from otherwords.cli.talk import print_json, print_table, say

_project = click.argument("project", metavar="PROJECT")
_scheme = click.argument("scheme", metavar="SCHEME")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")


@click.group("guideline")
def command() -> None:
    """Read and write the guidelines that annotators see beside their work.

    SCHEME is a scheme such as turku, or a kind of work: extract, triage, seed. Guidelines are Markdown. All versions
    are kept, and every judgement records which one it was made by. Version 0 is the shipped one.
    """


@command.command()
@_project
@_scheme
@click.option("--version", "number", type=click.IntRange(0), metavar="N", help="An earlier version, 0 the shipped one.")
@_as_json
def show(project: str, scheme: str, number: int | None, as_json: bool) -> None:
    """Print a guideline.

    \b
      otherwords guideline show corpus turku
      otherwords guideline show corpus turku --version 0 > turku.md
    """
    from otherwords.annotate.schemes.guidelines import reference
    from otherwords.api.guideline import show as show_guideline

    guideline = show_guideline(project, scheme, version=number)
    if as_json:
        print_json({"reference": reference(guideline), **asdict(guideline)})
    elif guideline.text:
        click.echo(guideline.text)
    else:
        say(f"there is no guideline yet: otherwords guideline set {project} {scheme} FILE")


@command.command("set")
@_project
@_scheme
@click.argument("file", metavar="FILE")
@_as_json
def publish_file(project: str, scheme: str, file: str, as_json: bool) -> None:
    """Make a Markdown file the next version; - is standard input.

    A text that is the same as the current one does not become a new version. People at work see it with the next page.

    \b
      otherwords guideline set corpus turku turku.md
    """
    from otherwords.annotate.schemes.guidelines import reference
    from otherwords.api import guideline

    published = guideline.set(project, scheme, file)
    if as_json:
        print_json({"reference": reference(published), **asdict(published)})
    say(f"{reference(published)}: {len(published.text):,} characters")


@command.command("versions")
@_project
@_scheme
@_as_json
def list_versions(project: str, scheme: str, as_json: bool) -> None:
    """List the versions of a guideline, the newest first.

    \b
      otherwords guideline versions corpus turku
    """
    from rich.table import Table

    from otherwords.api import guideline

    editions = guideline.versions(project, scheme)
    if as_json:
        print_json([asdict(edition) for edition in editions])
        return
    table = Table("version", "characters", "author", "time", box=None)
    for edition in editions:
        characters, author, time = f"{edition.characters:,}", edition.author or "–", edition.time or "shipped"
        table.add_row(str(edition.version), characters, author, time)
    print_table(table)
