"""``otherwords measures``: what can be measured, and how."""

from __future__ import annotations

import json

import click


@click.command("measures")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def command(as_json: bool) -> None:
    """List the measures, their parameters, ranges and signatures."""
    from otherwords.measures import MEASURES, described

    rows = [described(name) for name in MEASURES]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo(f"{row['name']:<18} {row['title']}")
        low, high = row["range"]
        click.echo(f"{'':<18} {low:g} to {high:g}; parameters: {', '.join(row['parameters']) or 'none'}")
        click.echo(f"{'':<18} {row['signature']}")
