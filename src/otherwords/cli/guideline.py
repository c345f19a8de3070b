"""``otherwords guideline``: what annotators are told, version by version."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from otherwords.project import Project

_project = click.argument("project", metavar="PROJECT")
_scheme = click.argument("scheme", metavar="SCHEME")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
_BYTES_A_CHARACTER = 4  # of UTF-8, at most
STDIN = "standard input"


@click.group("guideline")
def command() -> None:
    """Read and write the guidelines that annotators see beside their work.

    SCHEME is a scheme such as turku, or a kind of work: extract, triage, seed. Guidelines are Markdown. Every version
    stays, and every judgement says by which one it was made. Version 0 comes with otherwords.
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
    from otherwords.annotate.guidelines import current, reference, version
    from otherwords.cli.talk import say
    from otherwords.project import opened

    with opened(project) as corpus:
        _refuse_unknown(corpus, scheme)
        with corpus.ledger.reading() as connection:
            if number is None:
                found = current(connection, scheme, corpus.folder)
            else:
                found = version(connection, scheme, number, corpus.folder)
    if as_json:
        click.echo(json.dumps({"reference": reference(found), **asdict(found)}, ensure_ascii=False, indent=2))
    elif found.text:
        click.echo(found.text)
    else:
        say(f"nobody has written one yet: otherwords guideline set {project} {scheme} FILE")


@command.command("set")
@_project
@_scheme
@click.argument("source", metavar="FILE")
@_as_json
def publish_file(project: str, scheme: str, source: str, as_json: bool) -> None:
    """Make a Markdown file the next version; - is standard input.

    A text that is the current one already is no new version. Who works at the moment sees it with the next page.

    \b
      otherwords guideline set corpus turku turku.md
    """
    from otherwords.annotate.guidelines import publish, reference
    from otherwords.cli.talk import say
    from otherwords.project import opened

    with opened(project) as corpus:
        _refuse_unknown(corpus, scheme)
        text = _read(source)
        with corpus.ledger.writing() as connection:
            found = publish(connection, scheme, text, None, corpus.folder)
    if as_json:
        click.echo(json.dumps({"reference": reference(found), **asdict(found)}, ensure_ascii=False, indent=2))
    say(f"{reference(found)}: {len(found.text):,} characters")


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

    from otherwords.annotate.guidelines import versions
    from otherwords.cli.talk import print_table
    from otherwords.project import opened

    with opened(project) as corpus:
        _refuse_unknown(corpus, scheme)
        with corpus.ledger.reading() as connection:
            editions = versions(connection, scheme, corpus.folder)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in editions], ensure_ascii=False, indent=2))
        return
    table = Table("version", "characters", "author", "time", box=None)
    for one in editions:
        table.add_row(str(one.version), f"{one.characters:,}", one.author or "–", one.time or "shipped")
    print_table(table)


def _refuse_unknown(corpus: Project, scheme: str) -> None:
    """A misspelt scheme would get a guideline that nobody ever sees."""
    from otherwords.annotate.guidelines import subjects
    from otherwords.errors import UsageError
    from otherwords.registry import suggest

    if scheme not in (known := subjects(corpus.folder)):
        raise UsageError(f"there is no scheme {scheme!r}{suggest(scheme, known)}")


def _read(source: str) -> str:
    """The text of a file, of which no more is read than a guideline may hold."""
    from pathlib import Path

    from otherwords.annotate.guidelines import MOST_CHARACTERS
    from otherwords.errors import DataError
    from otherwords.sources.files import open_binary

    path = None if source == "-" else Path(source)
    most = _BYTES_A_CHARACTER * MOST_CHARACTERS
    with open_binary(path) as stream:
        raw = stream.read(most + 1)
    if len(raw) > most:
        raise DataError(f"too long; at most {MOST_CHARACTERS:,} characters fit into a guideline", path or STDIN)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise DataError("not UTF-8; save the text as UTF-8", path or STDIN, line) from None
