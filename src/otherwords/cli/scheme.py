"""``otherwords scheme``: what annotators may answer; look at the schemes there are, and check one's own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pathlib import Path

    from otherwords.annotate.question import Question
    from otherwords.annotate.scheme import Scheme

_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
_project = click.option("--project", metavar="PROJECT", help="Also the schemes of that project's folder schemes.")


@click.group("scheme")
def command() -> None:
    """See the annotation schemes there are, and check one that you write.

    A scheme is a small TOML file: questions, values, keys, flags, and what counts as positive. A project's own are
    PROJECT/schemes/NAME.toml, with a guideline NAME.md beside it; one that has a shipped scheme's name comes before it.
    """


@command.command("list")
@_project
@_as_json
def list_schemes(project: str | None, as_json: bool) -> None:
    """List the schemes.

    \b
      otherwords scheme list
      otherwords scheme list --project corpus
    """
    from rich.table import Table

    from otherwords.annotate import schemes
    from otherwords.cli.talk import print_table

    folder = _folder(project)
    found = [schemes.scheme(name, folder) for name in schemes.names(folder)]
    if as_json:
        told = [{"name": one.name, "unit": one.unit, "title": one.title, "distance": one.distance} for one in found]
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    table = Table("scheme", "about", "questions", "title", box=None)
    for one in found:
        table.add_row(one.name, one.unit.replace("_", " "), str(len(one.questions)), one.title)
    print_table(table)


@command.command()
@click.argument("name", metavar="NAME")
@_project
@_as_json
def show(name: str, project: str | None, as_json: bool) -> None:
    """Show the questions, values, keys and flags of a scheme.

    \b
      otherwords scheme show likert
    """
    from otherwords.annotate import schemes

    _print(schemes.scheme(name, _folder(project)), as_json)


@command.command()
@click.argument("file", metavar="FILE")
@_as_json
def check(file: str, as_json: bool) -> None:
    """Check a scheme before annotators meet it: keys that clash, values nobody can give, rules that contradict.

    \b
      otherwords scheme check corpus/schemes/humour.toml
    """
    from pathlib import Path

    from otherwords.annotate.schemes import read
    from otherwords.cli.talk import say

    found = read(Path(file))
    if as_json:
        _print(found, as_json)
    say(f"{found.name}: a scheme, {_number(len(found.questions), 'question')}, nothing to mend")


def _folder(project: str | None) -> Path | None:
    """The folder of a project, which need not be opened for this."""
    from pathlib import Path

    from otherwords.errors import UsageError

    if project is None:
        return None
    if not Path(project).is_dir():
        raise UsageError(f"there is no project {project!r}")
    return Path(project)


def _print(found: Scheme, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(found.as_page(), ensure_ascii=False, indent=2))
        return
    click.echo(f"{found.name}: {found.title}")
    for title, told in _settings(found).items():
        click.echo(f"  {title}: {told}")
    for question in found.questions:
        click.echo("")
        _print_question(question)


def _settings(found: Scheme) -> dict[str, str]:
    told: dict[str, Any] = {"about": found.unit.replace("_", " "), "distance": found.distance}
    told |= {"positive": ", ".join(found.positive), "missing": ", ".join(found.missing)}
    told["projections"] = ", ".join(["full", *found.projections])
    return {title: value for title, value in told.items() if value}


def _print_question(question: Question) -> None:
    from rich.table import Table

    from otherwords.cli.talk import print_table

    kind = "as many as fit" if question.several else "counted" if question.counted else ""
    told = [question.name, question.title, kind, f"only if {question.condition}" if question.only_if else ""]
    if any(told):
        click.echo(" · ".join(filter(None, told)))
    table = Table("key", "value", "name", "meaning", box=None)
    for value in question.values:
        table.add_row(value.key, value.value, value.name, value.help)
    for flag in question.flags:
        table.add_row(flag.key, f"{flag.flag} on {' '.join(flag.on)}", flag.name, flag.help)
    for kind_of in question.types:
        table.add_row("", str(kind_of.get("tag", "")), str(kind_of.get("name", "")), str(kind_of.get("help", "")))
    print_table(table)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
