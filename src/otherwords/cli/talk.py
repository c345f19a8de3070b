"""What a command says while it works and when it is done: to standard error, and bars only to a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

from otherwords.sources.reading import Reading

T = TypeVar("T")
ROWS_BETWEEN_LOOKS = 2000


def say(message: str) -> None:
    """A line of talk."""
    click.echo(message, err=True)


def watched(rows: Iterable[T], reading: Reading, title: str) -> Iterator[T]:
    """The same rows, with a bar that shows how far the file is read, the rate and the time left."""
    if not sys.stderr.isatty():
        yield from rows
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rows]:,} pairs"))
    rate = TextColumn("{task.fields[rate]:,.0f}/s")
    with Progress(*columns, rate, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=1.0, rows=0, rate=0.0)
        for number, row in enumerate(rows, 1):
            if number % ROWS_BETWEEN_LOOKS == 0:
                elapsed = progress.tasks[0].elapsed or 0.0
                rate_now = number / elapsed if elapsed else 0.0
                progress.update(task, completed=reading.source.fraction(), rows=number, rate=rate_now)
            yield row


def account_lines(reading: Reading) -> Iterator[str]:
    """What a reading took, marked and refused, as sentences."""
    account = reading.account
    noun = "row" if account.rows == 1 else "rows"
    yield f"{reading.source.name}: {account.rows:,} {noun} read as {reading.format.name}"
    for reason, count in account.marked.most_common():
        yield f"  kept and marked: {count:,} × {reason}"
    for reason, count in account.skipped.most_common():
        yield f"  refused: {count:,} × {reason}"


def print_table(table: object) -> None:
    """A table on standard output, as wide as it needs to be where that is not a terminal."""
    from rich.console import Console

    console = Console(highlight=False)
    Console(highlight=False, width=console.width if console.is_terminal else 200).print(table)
