"""``otherwords webhooks``: what another program is told of a project, and how that went."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from otherwords.cli.talk import print_json, print_table, say


@click.command("webhooks")
@click.argument("project", metavar="PROJECT")
@click.option("--test", is_flag=True, help="Send an event that says nothing, once, to see whether it arrives.")
@click.option("--again", is_flag=True, help="Try everything anew that was given up.")
@click.option("--deliver", is_flag=True, help="Send now what is due, as a running site does by itself.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(project: str, test: bool, again: bool, deliver: bool, as_json: bool) -> None:
    """List what another program was told of a project, or is to be told.

    The program, the events and the secret are under [webhooks] in otherwords.toml. A running site delivers by itself.
    Exits with 1 if a test did not arrive.

    \b
      otherwords webhooks corpus
      otherwords webhooks corpus --test
    """
    from rich.table import Table

    from otherwords.api.webhooks import webhooks

    report = webhooks(project, test=test, again=again, deliver=deliver)
    if as_json:
        print_json(asdict(report))
    else:
        say(f"{', '.join(report.events)} are sent to {report.url}")
        table = Table("event", "about", "created", "state", "tries", "problem", "id", box=None)
        for delivery in report.deliveries:
            about = ", ".join(f"{name} {value}" for name, value in delivery.data.items())
            cells = (delivery.event, about, delivery.created, delivery.state, str(delivery.tries))
            table.add_row(*cells, delivery.problem or "", delivery.id)
        print_table(table)
    if report.test is not None and report.test.problem is not None:
        say(f"the test did not arrive: {report.test.problem}")
        sys.exit(1)
