"""``otherwords trace``: where a pair came from."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command("trace")
@click.argument("project", metavar="PROJECT")
@click.argument("pair", metavar="PAIR")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(project: str, pair: str, as_json: bool) -> None:
    """Print the whole chain of custody of a pair, back to file and offsets.

    \b
      otherwords trace corpus headings-1f0c
    """
    from otherwords.project import opened
    from otherwords.project.trace import trace

    with opened(project) as corpus:
        told = trace(corpus, pair)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        for line in _lines(told):
            click.echo(line)


def _lines(value: Any, name: str = "", depth: int = 0) -> list[str]:
    """A nested answer as indented lines; what is empty is left out."""
    if value is None or value in ({}, []):
        return []
    indent = "  " * depth
    if isinstance(value, dict):
        below = [line for key, one in value.items() for line in _lines(one, key, depth + bool(name))]
        return [f"{indent}{name}:", *below] if name and below else below
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        return [line for number, one in enumerate(value, 1) for line in _lines(one, f"{name} {number}", depth)]
    return [f"{indent}{name}: {value}"]
