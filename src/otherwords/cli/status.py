"""``otherwords status``: what is in a project."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command("status")
@click.argument("project", metavar="PROJECT")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(project: str, as_json: bool) -> None:
    """Show what is in a project, what is running and what is stale.

    \b
      otherwords status corpus
    """
    from otherwords.project import opened
    from otherwords.project.status import status

    with opened(project) as corpus:
        told = status(corpus)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        _print(project, told)


def _print(project: str, told: dict[str, Any]) -> None:
    from rich.table import Table

    from otherwords.cli.options import in_words
    from otherwords.cli.talk import print_table

    scheme = f", scheme {told['scheme']}" if told["scheme"] else ""
    click.echo(f"{told['project']} ({told['lang']}{scheme}), ledger {told['ledger']}")
    if counts := [f"{rows:,} {name.replace('_', ' ')}" for name, rows in told["counts"].items() if rows]:
        click.echo(f"  {', '.join(counts)}")
    if not told["imports"]:
        click.echo(f"  nothing is imported yet: otherwords import {project} KIND PATH…")
    for one in told["imports"]:
        if one["state"] == "running" and not told["working"]:
            click.echo(f"  the import of {one['path']} did not come to its end; run it again, mended if it was refused")
    if told["settings"]:
        click.echo(f"  set for every run: {in_words(told['settings'])}")
    if told["working"]:
        click.echo(f"  {told['working']}")
    for title, rows, names in (
        ("documents", told["sources"], ("source",)),
        ("document pairs", told["document_pairs"], ("method", "status")),
        ("pairs", told["pairs"], ("method",)),
        ("steps", told["steps"], ("name", "does", "state", "why")),
    ):
        if rows:
            table = Table(*names, "rows", title=title, title_justify="left", box=None)
            table.columns[-1].justify = "right"
            for row in rows:
                table.add_row(*(str(row[name] or "–") for name in names), f"{row['rows'] or 0:,}")
            print_table(table)
