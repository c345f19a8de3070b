"""``otherwords formats``: what can be read and written."""

from __future__ import annotations

import json

import click


@click.command("formats")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def command(as_json: bool) -> None:
    """List the formats that can be read and written."""
    from otherwords.sources.format import NOUNS
    from otherwords.sources.formats import FORMATS

    rows = []
    for name in FORMATS:
        format = FORMATS.get(name)
        nouns = [noun for noun, kind in NOUNS.items() if kind in format.nouns]
        rows.append({"name": name, "title": format.title, "nouns": nouns, "folder": format.folder})
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo(f"{row['name']:<12} {row['title']}")
