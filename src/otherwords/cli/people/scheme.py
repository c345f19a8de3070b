"""``otherwords scheme``: the questions that annotators answer; show the schemes there are, and check one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from otherwords.cli.talk import print_json, print_table, say

if TYPE_CHECKING:
    from otherwords.annotate.schemes.question import Question
    from otherwords.annotate.schemes.scheme import Scheme

_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
_project = click.option("--project", metavar="PROJECT", help="Also the schemes in the folder schemes of that project.")


@click.group("scheme")
def command() -> None:
    """Show the annotation schemes there are, and check one that you write.

    A scheme is a small TOML file: questions, values, keys, flags, and which values are positive. Those of a project
    are PROJECT/schemes/NAME.toml, with a guideline NAME.md beside it; they take precedence over shipped ones.
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

    from otherwords.api import scheme

    schemes = scheme.list(project=project)
    if as_json:
        fields = ("name", "unit", "title", "distance")
        rows = [{field: getattr(listed, field) for field in fields} for listed in schemes]
        print_json(rows)
        return
    table = Table("scheme", "about", "questions", "title", box=None)
    for listed in schemes:
        table.add_row(listed.name, listed.unit.replace("_", " "), str(len(listed.questions)), listed.title)
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
    from otherwords.api.scheme import show as show_scheme

    scheme = show_scheme(name, project=project)
    if as_json:
        print_json(scheme.as_page())
    else:
        _print_scheme(scheme)


@command.command()
@click.argument("file", metavar="FILE")
@_as_json
def check(file: str, as_json: bool) -> None:
    """Check a scheme before people use it: keys that clash, values nobody can give, rules that contradict each other.

    \b
      otherwords scheme check corpus/schemes/humour.toml
    """
    from otherwords.api.scheme import check as check_scheme

    scheme = check_scheme(file)
    if as_json:
        print_json(scheme.as_page())
    questions = "1 question" if len(scheme.questions) == 1 else f"{len(scheme.questions)} questions"
    say(f"{scheme.name}: a scheme with {questions}, no problems found")


def _print_scheme(scheme: Scheme) -> None:
    click.echo(f"{scheme.name}: {scheme.title}")
    settings = {
        "about": scheme.unit.replace("_", " "),
        "distance": scheme.distance,
        "positive": ", ".join(scheme.positive),
        "missing": ", ".join(scheme.missing),
        "projections": ", ".join(["full", *scheme.projections]),
    }
    for title, setting in settings.items():
        if setting:
            click.echo(f"  {title}: {setting}")
    for question in scheme.questions:
        click.echo("")
        _print_question(question)


def _print_question(question: Question) -> None:
    from rich.table import Table

    kind = "as many as fit" if question.several else "counted" if question.counted else ""
    condition = f"only if {question.condition}" if question.only_if else ""
    if heading := " · ".join(filter(None, [question.name, question.title, kind, condition])):
        click.echo(heading)
    table = Table("key", "value", "name", "meaning", box=None)
    for value in question.values:
        table.add_row(value.key, value.value, value.name, value.help)
    for flag in question.flags:
        table.add_row(flag.key, f"{flag.flag} on {' '.join(flag.on)}", flag.name, flag.help)
    for entry in question.types:
        table.add_row("", *(str(entry.get(field, "")) for field in ("tag", "name", "help")))
    print_table(table)
